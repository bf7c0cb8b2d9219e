import Testing

@testable import CacheLayer

@Suite("Cooldowns that an answer asks for")
struct RetryAfterCooldownTests {
    /// 2026-03-10T14:00:00Z.
    private let now = UnixMilliseconds(1_773_151_200_000)

    @Test(
        "U3, C076: all three forms of a date are honoured",
        arguments: [
            "Tue, 10 Mar 2026 14:02:00 GMT", "Tuesday, 10-Mar-26 14:02:00 GMT", "Tue Mar 10 14:02:00 2026",
        ])
    func dates(field: String) {
        let reading = cooldown(LimitAnswer(status: 429, retryAfter: field))
        #expect(reading?.scope == .short)
        #expect(reading?.wait == .seconds(120))
        #expect(reading?.basis == .retryAfterDate)
        #expect(reading?.reason == .rateLimited)
        #expect(reading?.bound == nil)
    }

    @Test("C076: dates are measured by upstream's clock where it differs from ours")
    func skewedClock() {
        let ahead = LimitAnswer(
            status: 429, retryAfter: "Tue, 10 Mar 2026 14:03:00 GMT", date: "Tue, 10 Mar 2026 14:01:00 GMT")
        #expect(cooldown(ahead)?.wait == .seconds(120))
        let behind = LimitAnswer(status: 429, reset: "1773151260", date: "Tue, 10 Mar 2026 13:59:00 GMT")
        #expect(cooldown(behind)?.wait == .seconds(120))
        let unreadable = LimitAnswer(status: 429, reset: "1773151260", date: "yesterday")
        #expect(cooldown(unreadable)?.wait == .seconds(60))
        // Seconds need no clock.
        let seconds = LimitAnswer(status: 429, retryAfter: "30", date: "Tue, 10 Mar 2015 13:59:00 GMT")
        #expect(cooldown(seconds)?.wait == .seconds(30))
    }

    @Test("U3, C078: a negative wait is as good as missing, a date long past gives the floor")
    func negative() {
        for field in ["-5", "-1"] {
            let reading = cooldown(LimitAnswer(status: 429, retryAfter: field))
            #expect(reading?.wait == .seconds(60))
            #expect(reading?.basis == .standard)
        }
        let past = cooldown(LimitAnswer(status: 429, retryAfter: "Tue, 10 Mar 2015 14:02:00 GMT"))
        #expect(past?.wait == .seconds(1))
        #expect(past?.bound == .raisedToFloor)
    }

    @Test(
        "U3, C080: zero gives the floor, a huge number the ceiling, and all four a cooldown",
        arguments: [
            ("0", 1, CooldownReading.Bound.raisedToFloor), ("99999999999", 3_600, .cutToCeiling),
            ("9223372036854775807", 3_600, .cutToCeiling), ("99999999999999999999999", 3_600, .cutToCeiling),
        ] as [(String, Int64, CooldownReading.Bound)])
    func bounds(field: String, seconds: Int64, bound: CooldownReading.Bound) {
        let reading = cooldown(LimitAnswer(status: 429, retryAfter: field))
        #expect(reading?.wait == .seconds(seconds))
        #expect(reading?.bound == bound)
        #expect(reading?.scope == .short)
    }

    @Test("the floor and the ceiling themselves are not touched")
    func edges() {
        for (field, seconds, isBound) in [("1", 1, false), ("3600", 3_600, false), ("3601", 3_600, true)] {
            let reading = cooldown(LimitAnswer(status: 429, retryAfter: field))
            #expect(reading?.wait == .seconds(seconds))
            #expect((reading?.bound != nil) == isBound)
        }
    }

    @Test(
        "C081: a reset is seconds, milliseconds or a small delta by its size; past, absurd and missing ones have their rule",
        arguments: [
            ("1773151260", 60, CooldownReading.Basis.reset), ("1773151260000", 60, .reset),
            ("60", 60, .reset),
            ("1773151000", 1, .reset), ("1773151260123456789", 60, .standard), ("0", 1, .reset),
            ("-60", 60, .standard),
            ("60.5", 60, .standard), ("", 60, .standard), ("2764800", 3_600, .reset),
            ("2764801", 60, .standard),
            ("999999999", 60, .standard), ("1773151200000000", 60, .standard),
            ("177315126000", 60, .standard),
            ("99999999999", 60, .standard), ("0060", 60, .reset), (" 90 ", 90, .reset),
            ("1773154799", 3_599, .reset),
            ("99999999999999999999999999", 60, .standard), ("1773151260500", 60, .reset),
        ] as [(String, Int64, CooldownReading.Basis)])
    func resets(field: String, seconds: Int64, basis: CooldownReading.Basis) {
        let reading = cooldown(LimitAnswer(status: 429, reset: field, remaining: "0"))
        #expect(reading?.wait.components.seconds == seconds)
        #expect(reading?.basis == basis)
    }

    @Test("C081: the longest of the waits that are named holds, a month's reset left aside")
    func longest() {
        for (retryAfter, reset, draft, seconds, basis) in [
            ("7", "1773151260", nil, 60, .reset), ("90", "1773151260", nil, 90, .retryAfterSeconds),
            ("-7", "1773151260", nil, 60, .reset), ("60", "1773151260", "60", 60, .retryAfterSeconds),
            ("5", "20", "30", 30, .draftReset), ("20", "1775001600", nil, 20, .retryAfterSeconds),
            ("20", "1773154901", nil, 20, .retryAfterSeconds), ("20", "1773154900", nil, 3_600, .reset),
            (nil, "1775001600", "30", 30, .draftReset), ("99999999999", "60", nil, 3_600, .retryAfterSeconds),
        ] as [(String?, String?, String?, Int64, CooldownReading.Basis)] {
            let reading = cooldown(
                LimitAnswer(status: 429, retryAfter: retryAfter, reset: reset, draftReset: draft))
            #expect(reading?.wait == .seconds(seconds), "\(retryAfter ?? "-") \(reset ?? "-")")
            #expect(reading?.basis == basis)
        }
    }

    @Test("C082: RateLimit-Reset is a delta, X-RateLimit-Reset a time, and both mean 42 minutes")
    func bothResets() {
        let both = cooldown(LimitAnswer(status: 429, reset: "1773153713", draftReset: "2513"))
        #expect(both?.wait == .seconds(2_513) && both?.basis == .reset)
        let draft = cooldown(LimitAnswer(status: 429, draftReset: "2513"))
        #expect(draft?.wait == .seconds(2_513))
        #expect(draft?.basis == .draftReset)
        // A draft field is never a time, however large.
        #expect(cooldown(LimitAnswer(status: 429, draftReset: "1773153713"))?.wait == .seconds(60))
        #expect(
            cooldown(LimitAnswer(status: 429, reset: "1773153713000000", draftReset: "5"))?.wait
                == .seconds(5))
    }

    @Test("U5, C085: a used-up month pauses until the month has ended by upstream's clock, any status")
    func month() {
        let lastMinutes = "Tue, 31 Mar 2026 23:50:00 GMT"
        for status in [200, 402, 403, 429, 503] {
            let reading = cooldown(LimitAnswer(status: status, code: .quotaExceeded, date: lastMinutes))
            #expect(reading?.scope == .month)
            #expect(reading?.reason == .quotaExceeded)
            #expect(reading?.wait == .seconds(605))
            #expect(reading?.basis == .monthEnd)
        }
        // Without upstream's clock by ours: from 10 March 14:00 to 1 April.
        let reading = cooldown(LimitAnswer(status: 429, code: .quotaExceeded))
        #expect(reading?.wait == .seconds(21 * 86_400 + 10 * 3_600 + 5))
        let december = LimitAnswer(
            status: 429, code: .quotaExceeded, date: "Thu, 31 Dec 2026 23:00:00 GMT")
        #expect(cooldown(december)?.wait == .seconds(3_605))
    }

    @Test("a month's pause follows a reset on the 1st, within an hour either way, and no other field")
    func monthReset() {
        let date = "Tue, 31 Mar 2026 12:00:00 GMT"
        for (reset, seconds) in [
            ("1775001600", 43_200), ("1774998000", 39_600), ("1775005200", 46_800), ("43200", 43_200),
            // An hour and a second off, this minute, the month after, the past.
            ("1774997999", 43_205), ("1775005201", 43_205), ("60", 43_205), ("1777593600", 2_635_200),
            ("1772323200", 43_205),
        ] as [(String, Int64)] {
            let reading = cooldown(LimitAnswer(status: 429, code: .quotaExceeded, reset: reset, date: date))
            #expect(reading?.scope == .month)
            #expect(reading?.wait == .seconds(seconds), "\(reset)")
        }
        let told = LimitAnswer(
            status: 429, code: .quotaExceeded, retryAfter: "60", reset: "1775001600", date: date)
        #expect(cooldown(told)?.wait == .seconds(43_200))
        let retryAfter = LimitAnswer(
            status: 429, code: .quotaExceeded, retryAfter: "Wed, 01 Apr 2026 00:00:00 GMT", date: date)
        #expect(cooldown(retryAfter)?.wait == .seconds(43_200))
        #expect(cooldown(retryAfter)?.basis == .retryAfterDate)
    }

    @Test("a used-up month at the very boundary is a short pause: which month it speaks of is in doubt")
    func boundary() {
        for (date, scope) in [
            ("Tue, 31 Mar 2026 23:59:54 GMT", CooldownScope.month), ("Tue, 31 Mar 2026 23:59:55 GMT", .short),
            ("Wed, 01 Apr 2026 00:00:00 GMT", .short), ("Wed, 01 Apr 2026 00:00:05 GMT", .short),
            ("Wed, 01 Apr 2026 00:00:06 GMT", .month),
        ] {
            let reading = cooldown(LimitAnswer(status: 429, code: .quotaExceeded, date: date))
            #expect(reading?.scope == scope, "\(date)")
            #expect(reading?.reason == .quotaExceeded)
        }
    }

    @Test("C089: a 503 with a wait is honoured like a 429, one without asks for no pause")
    func unavailable() {
        let reading = cooldown(LimitAnswer(status: 503, retryAfter: "120"))
        #expect(reading?.scope == .short)
        #expect(reading?.wait == .seconds(120))
        #expect(reading?.reason == .unavailable)
        #expect(cooldown(LimitAnswer(status: 503)) == nil)
        #expect(cooldown(LimitAnswer(status: 503, retryAfter: "-1")) == nil)
        #expect(cooldown(LimitAnswer(status: 503, reset: "60")) == nil)
    }

    @Test("a refused key pauses for an hour, whatever else is named")
    func key() {
        for code in [UpstreamProblem.invalidAPIKey, .invalidKey, .keyRevoked] {
            let reading = cooldown(LimitAnswer(status: 401, code: code, retryAfter: "5"))
            #expect(reading?.scope == .key)
            #expect(reading?.wait == .seconds(3_600))
            #expect(reading?.reason == .keyRejected)
        }
    }

    @Test("a reset beyond the hour, where nothing else is named, is asked again by the hour")
    func ceiling() {
        let long = cooldown(LimitAnswer(status: 429, code: .rateLimited, reset: "1775001600"))
        #expect(long?.scope == .short)
        #expect(long?.wait == .seconds(3_600))
        #expect(long?.bound == .cutToCeiling)
    }

    private func cooldown(_ answer: LimitAnswer) -> CooldownReading? {
        let verdict = UpstreamVerdict(answer, of: RefreshBench.usd, now: now)
        return if case .pause(let pause) = verdict { pause } else { nil }
    }
}
