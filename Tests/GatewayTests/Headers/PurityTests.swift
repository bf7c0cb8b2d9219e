import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Bodies as pure functions", .timeLimit(.minutes(3)))
struct PurityTests {
    private static let targets = [
        "/v1/latest", "/v1/latest?symbols=EUR,ISK", "/v1/latest/GBP?symbols=USD,JPY", "/v1/rate/EUR-INR",
        "/v1/rate/USD-JPY?numbers=string", "/v1/convert/EUR/ISK/12.5?rounding=up",
        "/v1/2025-01-02?symbols=EUR,JPY", "/v1/convert/EUR/JPY/3?date=2025-01-02",
        "/v1/range?start_date=2025-01-02&end_date=2025-02-10&base=GBP",
    ]

    /// What one instance answers to every target, in an order of its own, at moments of its own within one state; each
    /// several times, over connections of several loops.
    private func answers(
        seed: UInt64, loops: Int, condition: RefreshCondition, window: Range<Int64>
    ) async throws -> [String: Set<String>] {
        var numbers = SeededNumbers(state: seed)
        var answers: [String: Set<String>] = [:]
        try await GatewayRig.run(loops: loops) { (rig) async throws -> Void in
            let table = SampleTable.snapshot(SampleTable.usd)
            try await rig.archive.keep(table)
            // An instance that comes to its snapshot late knows it by its age.
            rig.time.advance(by: .seconds(window.lowerBound))
            await rig.hold(SampleTable.usd, condition: condition)
            await rig.hold(SampleYear.table(2025))
            let targets =
                Self.targets + ["/v1/latest?snapshot=\(table.id)", "/v1/snapshots/\(table.id)?symbols=EUR"]
            let step = (window.upperBound - window.lowerBound - 1) / 3
            for _ in 0..<3 {
                for target in targets.shuffled(using: &numbers) {
                    for _ in 0...loops {
                        let answer = try rig.ask(target)
                        answers[target, default: []].insert(
                            "\(answer.field("etag") ?? "") \(answer.status) \(answer.text)")
                    }
                }
                rig.time.advance(by: .seconds(step))
            }
        }
        return answers
    }

    @Test(
        "C042: snapshot, selection, options, state and reason make bytes and tag; nothing else does",
        arguments: [
            (RefreshCondition.idle, Int64(0)..<70), (.refreshing, 0..<70), (.idle, 71..<900),
            (.cooldown(until: SampleTable.fetchedAt + .seconds(500)), 71..<900),
        ])
    func equalBytes(condition: RefreshCondition, window: Range<Int64>) async throws {
        let first = try await answers(seed: 1, loops: 1, condition: condition, window: window)
        #expect(first.count == Self.targets.count + 2)
        for (target, seen) in first {
            #expect(seen.count == 1, "\(target): \(seen)")
            #expect(seen.allSatisfy { $0.contains("\" 200 ") }, "\(target): \(seen)")
        }
        for (seed, loops, start) in [(2, 2, 0), (3, 2, 17), (4, 1, 33)] as [(UInt64, Int, Int64)] {
            let other = try await answers(
                seed: seed, loops: loops, condition: condition,
                window: (window.lowerBound + start)..<window.upperBound)
            for (target, seen) in first { #expect(other[target] == seen, "\(target), seed \(seed)") }
        }
    }

    @Test("the end of a pause is in the fields, not in the body: instances that know different ends agree")
    func ends() async throws {
        var bodies: Set<String> = []
        for end in [200, 300] as [Int64] {
            let condition = RefreshCondition.cooldown(until: SampleTable.fetchedAt + .seconds(end))
            for (_, seen) in try await answers(seed: 5, loops: 1, condition: condition, window: 71..<120)
            where seen.contains(where: {
                $0.contains(#""reason":"cooldown""#) && $0.contains(#""pair":"eur-inr""#)
            }) {
                bodies.formUnion(seen)
            }
        }
        #expect(bodies.count == 1)
    }

    /// Every order of three ways to say what a client takes.
    private static let orders = [
        ["identity", "gzip", "br"], ["identity", "br", "gzip"], ["gzip", "identity", "br"],
        ["gzip", "br", "identity"], ["br", "identity", "gzip"], ["br", "gzip", "identity"],
    ]

    @Test("C106: whoever comes first, everybody gets the one plain form, from one entry", arguments: orders)
    func encodings(order: [String]) async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            var answers: [RawHTTPClient.Answer] = []
            for encoding in order {
                answers.append(
                    try rig.ask("/v1/latest?symbols=EUR", fields: ["Accept-Encoding: \(encoding)"]))
            }
            for answer in answers {
                #expect(answer.status == 200 && answer.body == answers[0].body)
                #expect(answer.field("content-encoding") == nil && answer.field("vary") == nil)
                #expect(answer.field("etag") == answers[0].field("etag"))
                #expect(try JSONTree.parse(answer.body)["rates"]?["EUR"] == .number("0.85214"))
            }
            #expect(await rig.latestAnswers() == 1)
        }
    }
}
