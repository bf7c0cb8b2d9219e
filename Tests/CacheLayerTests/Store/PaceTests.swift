import Testing

@testable import CacheLayer

@Suite("The pace")
struct PaceTests {
    @Test(
        "spreads what is left over the rest of the month, rounded up",
        arguments: [
            // 31 days for 10,000 calls of which 95 % are spread: about four and a half minutes.
            ("2026-03", 0, 10_000, 950, 281_937), ("2026-03", 0, 10_000, 1_000, 267_840),
            ("2026-02", 0, 1, 1_000, 28 * 86_400_000), ("2024-02", 0, 1, 1_000, 29 * 86_400_000),
            ("2026-03", 31 * 86_400_000 - 1, 1, 1_000, 1), ("2026-03", 31 * 86_400_000 - 1, 3, 950, 1),
        ] as [(String, Int64, Int64, Int64, Int64)])
    func interval(month: String, elapsed: Int64, left: Int64, permille: Int64, expected: Int64) throws {
        let start = try #require(Month(text: month)).start
        let interval = Pace.interval(at: start + .milliseconds(elapsed), left: left, permille: permille)
        #expect(interval == .milliseconds(expected))
    }

    @Test("has no interval where nothing is left", arguments: [0, -1] as [Int64])
    func nothingLeft(left: Int64) {
        #expect(Pace.interval(at: StoreBench.noon, left: left, permille: 950) == nil)
    }

    @Test(
        "pauses after failures for 1 s, doubling up to the limit, with a twentieth on top at most",
        arguments: [
            (1, 300_000, 0, 1_000), (1, 300_000, 50, 1_050), (1, 300_000, 51, 1_000), (2, 300_000, 0, 2_000),
            (9, 300_000, 0, 256_000), (10, 300_000, 0, 300_000), (10, 300_000, 50, 315_000),
            (500, 300_000, 0, 300_000),
            (5, 10, 0, 1_000),
        ] as [(Int64, Int64, Int64, Int64)])
    func backOff(strikes: Int64, limit: Int64, token: Int64, expected: Int64) {
        #expect(Pace.backOff(strikes: strikes, limit: limit, token: token) == expected)
    }

    @Test(
        "is shared in equal parts by those that are in demand, but for those that need less",
        arguments: [
            // One alone has all of it.
            (60, [], 950),
            (60, [60], 475), (60, [60, 60], 316),
            // A tenth of the budget and a little is all that the seldom fetched one can use.
            (60, [2_819], 854), (2_819, [60], 950), (60, [2_819, 60], 427),
            // Both have their least interval, and leave something over; the one that needs more gets it.
            (600, [600], 950), (10, [600], 503),
            (60, Array(repeating: 60, count: 2_000), 1),
        ] as [(Int64, [Int64], Int64)])
    func shared(own: Int64, others: [Int64], expected: Int64) {
        let permille = PaceShare.permille(
            of: 950, pace: .seconds(282), own: .seconds(own), others: others.map { .seconds($0) })
        #expect(permille == expected)
    }

    @Test("has nothing to share where nothing is left")
    func nothingToShare() {
        #expect(
            PaceShare.permille(of: 950, pace: nil, own: .seconds(60), others: [.seconds(60)]) == 950)
    }
}
