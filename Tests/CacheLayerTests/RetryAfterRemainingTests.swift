import Testing

@testable import CacheLayer

@Suite("Calls that upstream says remain")
struct RetryAfterRemainingTests {
    /// 2026-03-10T14:00:00Z.
    private let now = UnixMilliseconds(1_773_151_200_000)

    @Test(
        "the reset's distance says what they are counted by",
        arguments: [
            ("1773151201", RemainingReading.minute(11)), ("1773151290", .minute(11)), ("90", .minute(11)),
            ("1773151291", .hour(11)), ("1773154900", .hour(11)), ("3700", .hour(11)),
            ("1773154901", .unknown),
            ("1774998000", .month(11)), ("1775001600", .month(11)), ("1775005200", .month(11)),
            ("1775001600000", .month(11)), ("1774997999", .unknown), ("1775005201", .unknown),
            ("1773151200", .unknown),
            ("1773151199", .unknown), ("0", .unknown), ("1777593600", .unknown), ("soon", .unknown),
        ])
    func windows(reset: String, expected: RemainingReading) {
        let reading = RemainingReading(LimitAnswer(status: 200, reset: reset, remaining: "11"), now: now)
        #expect(reading == expected)
        #expect(reading?.monthly == (expected == .month(11) ? 11 : nil))
    }

    @Test("a minute's count in the last minute of a month isn't the month's")
    func lastMinute() {
        let answer = LimitAnswer(
            status: 200, reset: "1775001600", remaining: "11", date: "Tue, 31 Mar 2026 23:59:00 GMT")
        #expect(RemainingReading(answer, now: now) == .minute(11))
    }

    @Test("without a reset there is no telling, without a count nothing to tell")
    func missing() {
        #expect(RemainingReading(LimitAnswer(status: 200, remaining: "11"), now: now) == .unknown)
        for count in [nil, "", "-1", "many", "1.5", "+1"] {
            #expect(
                RemainingReading(LimitAnswer(status: 200, reset: "1775001600", remaining: count), now: now)
                    == nil)
        }
    }

    @Test("a count of any length is cut, not trapped on")
    func huge() {
        let answer = LimitAnswer(
            status: 200, reset: "1775001600", remaining: "99999999999999999999999", date: nil)
        #expect(RemainingReading(answer, now: now)?.monthly == 100_000_000_000)
    }
}
