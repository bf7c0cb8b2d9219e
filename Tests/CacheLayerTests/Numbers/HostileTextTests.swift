import Testing

@testable import CacheLayer

@Suite("Hostile texts")
struct HostileTextTests {
    private static let seeds = [
        "0.92450", "9.1E-009", "-12.5", "99999999999999999999.99", "2026-03-10T14:00:00.123+09:00",
        "Tue, 10 Mar 2026 14:02:00 GMT", "Tuesday, 10-Mar-26 14:02:00 GMT", "Tue Mar  1 14:02:00 2026",
        "1773151260000", "120, Tue, 10 Mar 2026 14:02:00 GMT, -5", "99999999999999999999999", "",
    ]

    @Test("no mutation of any text traps a reader, and what is accepted is what was written")
    func mutations() throws {
        var cases = NumberCases(seed: 31)
        let bytesOfInterest = Array("0123456789+-.,:eETZ GMT\t\"\u{0}\u{E9}".utf8) + [0x80, 0xFF, 0xD9]
        for turn in 0..<40_000 {
            var bytes = Array(Self.seeds[turn % Self.seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &cases) {
                let place = Int.random(in: 0...bytes.count, using: &cases)
                switch cases.next() % 4 {
                case 0 where place < bytes.count: bytes.remove(at: place)
                case 1 where place < bytes.count:
                    bytes[place] = bytesOfInterest.randomElement(using: &cases) ?? 0
                case 2: bytes.insert(contentsOf: bytes[..<place], at: place)
                default: bytes.insert(bytesOfInterest.randomElement(using: &cases) ?? 0, at: place)
                }
            }
            try read(bytes, now: UnixMilliseconds(Int64(cases.next() % 253_402_300_800_000)))
        }
    }

    private func read(_ bytes: [UInt8], now: UnixMilliseconds) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let rate = try? Rate(json: bytes) {
            #expect(rate.mantissa > 0)
            #expect(try Rate(json: rate.text) == rate)
            if !text.contains(where: { $0 == "e" || $0 == "E" }) { #expect(rate.text == text) }
        }
        if let amount = try? Amount(parsing: bytes) {
            #expect(
                text.drop { $0 == "0" } == amount.description.drop { $0 == "0" }
                    || text.allSatisfy { $0 == "0" })
        }
        if let time = try? Timestamp(rfc3339: text) { #expect(time.text == text) }
        if let time = try? Timestamp(epoch: text) { #expect(time.instant.value > 0) }
        let answer = LimitAnswer(
            status: 429, code: bytes.count % 2 == 0 ? .quotaExceeded : nil, retryAfter: text, reset: text,
            draftReset: text, remaining: text, date: text)
        guard case .pause(let reading) = UpstreamVerdict(answer, of: .currencies, now: now) else {
            Issue.record("no pause: \(text)")
            return
        }
        #expect(reading.wait > .zero && reading.wait <= .seconds(32 * 86_400))
        _ = RemainingReading(answer, now: now)
    }
}
