import Testing

@testable import CacheLayer

@Suite("The distance between two fetches") struct TierPolicyRefreshingTests {
    let policy = TierPolicy()
    let now = utc(2026, 9, 15, 14, 32)
    let fix = SymbolRate.sample("CZK", .ecbDaily, at: utc(2026, 9, 15, 14))
    let fred = SymbolRate.sample("TWD", .fredDaily, at: utc(2026, 9, 11, 16))

    private func interval(_ symbols: [SymbolRate], at now: UnixMilliseconds) -> Duration {
        policy.leastInterval(for: SampleSnapshot(symbols: symbols).table, now: now)
    }

    @Test("follows the fastest class of the table")
    func fastest() {
        let live = SymbolRate.sample("EUR", .live)
        let unknown = SymbolRate.sample("XTS", .unknown("test-feed"))
        #expect(policy.leastInterval(for: nil, now: now) == .seconds(60))
        #expect(interval([fred, fix, unknown, live], at: now) == .seconds(60))
        #expect(interval([fred, fix, unknown], at: now) == .seconds(300))
        #expect(interval([fred, fix], at: now) == utc(2026, 9, 16, 14) - now)
        #expect(interval([fred], at: now) == .seconds(86_400))
        #expect(interval([], at: now) == .seconds(60))
    }

    @Test("says what decides: the class that asks for least, the calendar, or the interval that was granted")
    func causes() {
        let live = SymbolRate.sample("EUR", .live)
        let unknown = SymbolRate.sample("XTS", .unknown("test-feed"))
        let heldBack = QuarantinedRate(
            first: .one, rate: .one,
            effectiveAt: Timestamp(text: "", instant: fix.effectiveAt?.instant ?? now),
            confirmations: 0, since: now, keptUntil: now)
        let jumped = SymbolRate(
            currency: .sample("CZK"), rate: .one, source: .ecbDaily,
            effectiveAt: Timestamp(text: "", instant: utc(2026, 9, 14, 14)), kept: .quarantine,
            quarantined: heldBack)
        func cause(
            _ symbols: [SymbolRate], at fetchedAt: UnixMilliseconds? = nil, interval: Duration = .seconds(60)
        ) -> RefreshCause {
            policy.refreshCause(
                of: SampleSnapshot(fetchedAt: fetchedAt ?? now, interval: interval, symbols: symbols).made())
        }
        #expect(cause([fred, fix, unknown, live]) == .liveTTL)
        #expect(cause([fred, fix, unknown]) == .unknownTTL)
        #expect(cause([fred, fix]) == .publication && cause([fred]) == .daily)
        #expect(cause([fix], at: utc(2026, 9, 16, 14, 5)) == .publicationOverdue)
        #expect(cause([jumped, fix]) == .fixHeldBack)
        #expect(cause([live], interval: .seconds(61)) == .pace)
        #expect(cause([fix], interval: .seconds(3_600)) == .publication)
        // Granted when the call left, up to a call's time before its answer came.
        for (symbols, expected) in [([fix], .publication), ([jumped, fix], .fixHeldBack)]
            as [([SymbolRate], RefreshCause)]
        {
            let granted = SampleSnapshot(fetchedAt: now, interval: .seconds(1), symbols: symbols).made()
            let wait = policy.nextRefresh(of: granted) - now
            #expect(cause(symbols, interval: wait + .seconds(10)) == expected)
            #expect(cause(symbols, interval: wait + .milliseconds(10_001)) == .pace)
        }
        #expect(cause([fred], interval: .milliseconds(86_400_001)) == .pace)
    }

    @Test("doesn't follow what was only kept")
    func kept() {
        let kept = SymbolRate.sample("EUR", .live, at: now, kept: .missing)
        #expect(interval([kept, fred], at: now) == .seconds(86_400))
    }

    @Test(
        "waits for the publication, then polls at a falling rate (C5, C063)",
        arguments: [
            (utc(2026, 9, 15, 14, 5), Duration.seconds(23 * 3_600 + 55 * 60)),
            (utc(2026, 9, 16, 13, 50), .seconds(600)),
            // A wait shorter than the shortest interval is lengthened to it.
            (utc(2026, 9, 16, 13, 59, 59), .seconds(60)),
            (utc(2026, 9, 16, 14), .seconds(300)), (utc(2026, 9, 16, 14, 59, 59), .seconds(300)),
            (utc(2026, 9, 16, 15), .seconds(900)), (utc(2026, 9, 16, 17, 59, 59), .seconds(900)),
            (utc(2026, 9, 16, 18), .seconds(3_600)), (utc(2026, 9, 30), .seconds(3_600)),
        ])
    func publication(now: UnixMilliseconds, expected: Duration) {
        #expect(interval([fix], at: now) == expected)
    }

    @Test("isn't held up by a currency that the ECB has dropped")
    func droppedCurrency() {
        let dropped = SymbolRate.sample("BGN", .ecbDaily, at: utc(2025, 12, 31, 15))
        #expect(interval([dropped, fix], at: now) == utc(2026, 9, 16, 14) - now)
    }

    @Test("a fix that shows up two minutes late costs two calls, and none on closing days (C3)")
    func callsPerWeek() {
        // Maundy Thursday to Wednesday after Easter 2026, upstream shows each fix two minutes late.
        var calls: [UnixMilliseconds] = []
        var now = utc(2026, 4, 2, 14, 2)
        while now < utc(2026, 4, 9) {
            calls.append(now)
            let shown = PublicationCalendar.ecb.last(atOrBefore: now + .seconds(-120))
            let symbol = SymbolRate.sample("CZK", .ecbDaily, at: shown)
            let sample = SampleSnapshot(fetchedAt: now, interval: .seconds(60), symbols: [symbol])
            now = policy.nextRefresh(of: sample.made())
        }
        #expect(
            calls == [
                utc(2026, 4, 2, 14, 2), utc(2026, 4, 7, 14), utc(2026, 4, 7, 14, 5), utc(2026, 4, 8, 14),
                utc(2026, 4, 8, 14, 5),
            ])
    }

    @Test("the next refresh is never before the interval that the store granted")
    func granted() {
        let live = SymbolRate.sample("EUR", .live)
        let sample = SampleSnapshot(interval: .seconds(270), symbols: [live])
        #expect(policy.nextRefresh(of: sample.made()) == sample.fetchedAt + .seconds(270))
    }
}
