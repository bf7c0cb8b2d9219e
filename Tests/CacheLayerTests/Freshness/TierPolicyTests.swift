import Testing

@testable import CacheLayer

@Suite("The policy of the freshness tiers") struct TierPolicyTests {
    let policy = TierPolicy()
    let live = SymbolRate.sample("EUR", .live)
    let unknown = SymbolRate.sample("XTS", .unknown("test-feed"))
    let fix = SymbolRate.sample("CZK", .ecbDaily, at: utc(2026, 9, 15, 14))
    let fred = SymbolRate.sample("TWD", .fredDaily, at: utc(2026, 9, 11, 16))

    private var snapshot: SampleSnapshot { SampleSnapshot(symbols: [live, unknown, fix, fred]) }

    @Test("gives each symbol of one table the lifetime of its own class")
    func mixedTable() {
        let snapshot = snapshot.made()
        #expect(policy.lifetime(of: live, in: snapshot) == .seconds(70))
        #expect(policy.lifetime(of: unknown, in: snapshot) == .seconds(310))
        #expect(policy.freshUntil(of: fix, in: snapshot) == utc(2026, 9, 16, 14, 30))
        #expect(policy.lifetime(of: fred, in: snapshot) == .seconds(26 * 3_600))
        #expect(policy.lifetime(of: nil, in: snapshot) == .seconds(70))
        #expect(policy.servedUntil(of: live, in: snapshot) == snapshot.fetchedAt + .seconds(970))
        #expect(policy.servedUntil(of: unknown, in: snapshot) == snapshot.fetchedAt + .seconds(310 + 3_600))
        #expect(policy.servedUntil(of: fix, in: snapshot) == utc(2026, 9, 20, 14, 30))
        #expect(policy.servedUntil(of: fred, in: snapshot) == snapshot.fetchedAt + .seconds(266 * 3_600))
    }

    @Test(
        "an age falls in exactly one state, bounds half-open",
        arguments: [
            ("EUR", 0, Freshness.fresh), ("EUR", 69_999, .fresh), ("EUR", 70_000, .stale),
            ("EUR", 969_999, .stale), ("EUR", 970_000, .expired),
            ("XTS", 309_999, .fresh), ("XTS", 310_000, .stale), ("XTS", 3_909_999, .stale),
            ("XTS", 3_910_000, .expired),
            ("TWD", 93_599_999, .fresh), ("TWD", 93_600_000, .stale), ("TWD", 957_599_999, .stale),
            ("TWD", 957_600_000, .expired),
            // From 15 September 14:32:11Z to the next fix + 30 min: 86,269 s; then four days of `late`.
            ("CZK", 86_268_999, .fresh), ("CZK", 86_269_000, .late), ("CZK", 431_868_999, .late),
            ("CZK", 431_869_000, .expired),
        ])
    func bounds(code: String, milliseconds: Int64, expected: Freshness) {
        let snapshot = snapshot.made()
        let entry = snapshot.table.entry(of: .sample(code))
        #expect(policy.freshness(of: entry, in: snapshot, age: .milliseconds(milliseconds)) == expected)
    }

    @Test("a slow pace lengthens a live lifetime, a quick one doesn't shorten it")
    func pace() {
        var sample = snapshot
        sample.interval = .seconds(270)
        #expect(policy.lifetime(of: live, in: sample.made()) == .seconds(280))
        #expect(policy.lifetime(of: unknown, in: sample.made()) == .seconds(310))
        sample.interval = .seconds(5)
        #expect(policy.lifetime(of: live, in: sample.made()) == .seconds(70))
    }

    @Test(
        "rates by the interval are fresh for no longer than they are served beyond it, and served as long as before",
        arguments: [
            (282, 292, 292), (890, 900, 900), (900, 910, 910), (901, 910, 911), (139_907, 910, 139_917),
        ])
    func slowPace(interval: Int64, lifetime: Int64, due: Int64) {
        var sample = snapshot
        sample.interval = .seconds(interval)
        let made = sample.made()
        #expect(policy.lifetime(of: live, in: made) == .seconds(lifetime))
        #expect(policy.lifetime(of: unknown, in: made) == .seconds(max(lifetime, 310)))
        #expect(policy.servedUntil(of: live, in: made) == made.fetchedAt + .seconds(due + 900))
        #expect(
            policy.servedUntil(of: unknown, in: made) == made.fetchedAt + .seconds(max(due, 310) + 3_600))
    }

    @Test("a tier's own interval is fresh to its end, however short the stale window is")
    func ownInterval() {
        let policy = TierPolicy(liveTTL: .seconds(600), liveMaxStale: .zero, unknownTTL: .seconds(3_600))
        var sample = snapshot
        sample.interval = .seconds(7_200)
        #expect(policy.lifetime(of: live, in: sample.made()) == .seconds(610))
        #expect(policy.lifetime(of: unknown, in: sample.made()) == .seconds(3_610))
    }

    @Test("no lifetime that the pace stretches passes the month's reset, the tier's own may")
    func reset() {
        for (fetchedAt, interval, end) in [
            (utc(2026, 9, 30, 23, 50), 700, utc(2026, 10, 1, 0, 0, 10)),
            (utc(2026, 9, 30, 23, 50), 590, utc(2026, 9, 30, 23, 59, 60)),
            (utc(2026, 9, 30, 23, 59, 30), 700, utc(2026, 10, 1, 0, 0, 40)),
            (utc(2026, 10, 1), 700, utc(2026, 10, 1, 0, 11, 50)),
        ] {
            var sample = SampleSnapshot(fetchedAt: fetchedAt, symbols: [live])
            sample.interval = .seconds(interval)
            #expect(policy.freshUntil(of: live, in: sample.made()) == end, "\(fetchedAt)")
        }
    }

    @Test(
        "until the granted interval is over a live rate is paced, or the month is spent where that comes later"
    )
    func heldBack() {
        let fetchedAt = utc(2026, 9, 15, 14, 32, 11)
        func reason(_ interval: Int64, after seconds: Int64, _ condition: RefreshCondition = .idle)
            -> StaleReason
        {
            var sample = SampleSnapshot(fetchedAt: fetchedAt, symbols: [live])
            sample.interval = .seconds(interval)
            return condition.staleReason(of: sample.made(), at: fetchedAt + .seconds(seconds), policy)
        }
        #expect(reason(139_907, after: 1_000) == .paced)
        #expect(reason(139_907, after: 139_906) == .paced)
        #expect(reason(139_907, after: 139_907) == .refreshing)
        // The month has 15 d 9 h 27 min 49 s left: 1,330,069 s.
        #expect(reason(1_330_068, after: 1_000) == .paced)
        #expect(reason(1_330_069, after: 1_000) == .quota)
        #expect(reason(1_500_000, after: 1_330_068) == .quota)
        #expect(reason(1_500_000, after: 1_330_069) == .paced, "another month's plan")
        #expect(reason(60, after: 59) == .refreshing, "the tier's own interval")
        #expect(reason(139_907, after: 1_000, .cooldown(until: fetchedAt)) == .cooldown)
    }

    @Test("a fix is fresh over a long weekend, and late only after the next publication's grace (C3, U12)")
    func longWeekend() {
        // Thursday before Easter 2026; the next fix is on the Tuesday after.
        var sample = SampleSnapshot(source: .ecbDaily, dataTime: utc(2026, 4, 2, 14), symbols: [])
        sample.fetchedAt = utc(2026, 4, 2, 14, 5)
        let snapshot = sample.made()
        #expect(policy.freshUntil(of: nil, in: snapshot) == utc(2026, 4, 7, 14, 30))
        let grace = utc(2026, 4, 7, 14, 30) - sample.fetchedAt
        #expect(policy.freshness(of: nil, in: snapshot, age: grace + .milliseconds(-1)) == .fresh)
        #expect(policy.freshness(of: nil, in: snapshot, age: grace) == .late)
    }

    @Test("an old fix that is fetched again doesn't become fresh by it (P2, U12)")
    func oldFix() {
        let fetchedAt = utc(2026, 9, 16, 14, 40)
        let sample = SampleSnapshot(fetchedAt: fetchedAt, symbols: [fix]).made()
        #expect(policy.freshness(of: fix, in: sample, age: .zero) == .late)
        #expect(policy.lifetime(of: fix, in: sample) == .zero)
    }

    @Test("a change of class ages the symbol by its new class at once, and back (U13)")
    func classFlip() {
        let daily = SymbolRate.sample("EUR", .ecbDaily, at: utc(2026, 9, 15, 14))
        let snapshot = SampleSnapshot(symbols: [daily]).made()
        #expect(policy.freshness(of: daily, in: snapshot, age: .seconds(3_600)) == .fresh)
        #expect(policy.freshness(of: live, in: snapshot, age: .seconds(3_600)) == .expired)
    }

    @Test("a kept value is never fresh and ends by its own time, whenever it is fetched again (U11, C026)")
    func keptSymbols() {
        let own = utc(2026, 9, 15, 14, 30)
        let kept = SymbolRate.sample("EUR", .live, at: own, kept: .missing)
        let keptFix = SymbolRate.sample("BGN", .ecbDaily, at: utc(2025, 12, 31, 15), kept: .missing)
        let sample = SampleSnapshot(fetchedAt: utc(2026, 9, 15, 14, 32), symbols: [kept, keptFix])
        let snapshot = sample.made()
        #expect(policy.freshness(of: kept, in: snapshot, age: .zero) == .stale)
        #expect(policy.lifetime(of: kept, in: snapshot) == .zero)
        #expect(policy.servedUntil(of: kept, in: snapshot) == own + .seconds(970))
        #expect(policy.freshness(of: kept, in: snapshot, age: .seconds(849)) == .stale)
        #expect(policy.freshness(of: kept, in: snapshot, age: .seconds(850)) == .expired)
        #expect(policy.freshness(of: keptFix, in: snapshot, age: .zero) == .expired)
        // BGN was last fixed on 31 December 2025; next publication 2 January, then 4 days.
        #expect(policy.servedUntil(of: keptFix, in: snapshot) == utc(2026, 1, 6, 15, 30))
    }

    @Test("C2: live rates of a shut market are as fresh as any: the session sets no lifetime (C061, C070)")
    func weekend() {
        var sample = SampleSnapshot(dataTime: utc(2026, 3, 6, 21), symbols: [live])
        sample.fetchedAt = utc(2026, 3, 8, 12)
        #expect(policy.freshness(of: live, in: sample.made(), age: .seconds(30)) == .fresh)
        #expect(policy.nextRefresh(of: sample.made()) == sample.fetchedAt + .seconds(60))
    }

    @Test("a data time in the future makes no live rate fresh for longer (C075, U12)")
    func futureData() {
        let ahead = SymbolRate.sample("EUR", .live, at: utc(2031, 1, 1))
        let sample = SampleSnapshot(symbols: [ahead]).made()
        #expect(policy.lifetime(of: ahead, in: sample) == .seconds(70))
    }

    @Test(
        "the store keeps a snapshot through lifetime and stale window of its longest-lived class (R20)",
        arguments: [
            1, 60, 270, 3_600, 86_400, 30 * 86_400,
        ])
    func keptInStore(intervalSeconds: Int64) {
        let windows = [Duration.zero, .seconds(900), .seconds(30 * 86_400)]
        for window in windows {
            let policy = TierPolicy(liveMaxStale: window, dailyMaxStale: window)
            for entries in [[live], [unknown], [fix], [fred], [live, unknown, fix, fred], []] {
                for source in [Source.live, .ecbDaily, .fredDaily, .unknown("x")] {
                    let snapshot = SampleSnapshot(
                        source: source, interval: .seconds(intervalSeconds), symbols: entries
                    ).made()
                    let keepFor = policy.keepFor(snapshot)
                    for entry in entries.map(Optional.some) + [nil] {
                        let source = entry?.source ?? source
                        let needed = policy.lifetime(of: entry, in: snapshot) + policy.staleWindow(of: source)
                        #expect(keepFor >= needed)
                        #expect(policy.freshness(of: entry, in: snapshot, age: keepFor) == .expired)
                    }
                    #expect(keepFor >= .milliseconds(1))
                }
            }
        }
    }

    @Test("the store keeps even what nobody may see any more for a millisecond")
    func keptAtLeast() {
        var sample = SampleSnapshot(source: .ecbDaily, dataTime: utc(2020, 1, 1), symbols: [])
        sample.fetchedAt = utc(2026, 9, 15)
        #expect(policy.keepFor(sample.made()) == .milliseconds(1))
    }
}
