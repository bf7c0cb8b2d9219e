import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Cache-busters and floods", .timeLimit(.minutes(3)))
struct CacheBusterTests {
    /// The n-th of endless different targets, of each kind that costs somebody a cache elsewhere.
    private static func target(_ number: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let code = String((0..<5).map { letters[(number / Int(pow26($0))) % 26] })
        return switch number % 10 {
        case 0: "/v1/latest?symbols=EUR&_=\(number)"
        case 1: "/v1/latest/\(code)"
        case 2: "/v1/rate/usd-\(code)"
        case 3: "/v1/latest?symbols=EUR,\(code)"
        case 4: "/v1/convert/USD/EUR/\(number).\(number)"
        case 5: "/v1/latest?symbols=" + (0..<200).map { "Q\(number)\($0)".suffix(8) }.joined(separator: ",")
        case 6: "/v1/latest?s%79mbols=%45U%52&x\(number)=%2C"
        case 7: "/v1/latest?symbols=EUR&max_data_age=\(number)s"
        case 8: "/v1/\(1999 + number % 20)-13-\(number)"
        default: "/nothing/\(number)/%2e%2e/\(code)"
        }
    }

    private static func pow26(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 26 } }

    private func flood(_ rig: GatewayRig, _ numbers: Range<Int>) async throws -> [Int: Int] {
        let port = rig.port
        return try await onThread {
            let client = try RawHTTPClient(port: port)
            var statuses: [Int: Int] = [:]
            for number in numbers {
                let answer = try client.exchange(GatewayRig.request(Self.target(number)))
                statuses[answer.status, default: 0] += 1
            }
            return statuses
        }
    }

    @Test("T4, T5: 20,000 different hostile targets cost no call and no memory")
    func flood() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            // So that what is bounded is full before it is looked at.
            _ = try await flood(rig, 0..<10_000)
            let (memory, wants, before) = (ProcessMemory.residentBytes(), rig.wants.count, await rig.kept())
            let statuses = try await flood(rig, 10_000..<30_000)
            let after = await rig.kept()
            #expect(rig.wants.count == wants, "nothing is asked for that isn't held")
            #expect(rig.demands.allSatisfy { $0 == .asked })
            #expect(after.answers <= 4_096, "\(after.answers)")
            #expect(after.demands == before.demands && after.demands <= 2)
            #expect(after.waiting == 0)
            #expect(ProcessMemory.residentBytes() - memory < 8 << 20)
            #expect(Set(statuses.keys) == [200, 400, 404, 422], "\(statuses)")
            #expect(try rig.ask("/v1/latest?symbols=EUR").status == 200)
        }
    }
}
