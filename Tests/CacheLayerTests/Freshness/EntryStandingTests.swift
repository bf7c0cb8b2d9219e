import Testing

@testable import CacheLayer

@Suite("How one entry stands") struct EntryStandingTests {
    private let fetched = utc(2026, 9, 15, 14, 32, 11)
    private let policy = TierPolicy()

    private func standing(
        behind: Duration, session: String?, source: Source = .live, age: Duration = .zero
    ) -> EntryStanding {
        let entry = SymbolRate.sample("EUR", source, at: fetched + (.zero - behind))
        let table = RateTable(
            base: .sample("USD"), source: source, marketSession: session, timestamp: nil,
            dataTime: Timestamp(text: "", instant: fetched), symbols: [entry], hasSources: true,
            hasEffectiveAt: true, notice: nil)
        let snapshot = SampleSnapshot(source: source, fetchedAt: fetched).made(with: table)
        return EntryStanding(of: entry, in: snapshot, age: age, policy: policy)
    }

    @Test("U12: a live rate of an open market stands still at ten minutes, not a millisecond before")
    func stall() {
        let moving = standing(behind: .milliseconds(599_999), session: "open")
        #expect(moving.state == .fresh && moving.ownReason == nil)
        #expect(moving.freshUntil == fetched + .seconds(70))
        let still = standing(behind: .seconds(600), session: "open")
        #expect(still.state == .stale && still.ownReason == .sourceStalled)
        #expect(still.freshUntil == fetched)
        // It is served as long as any other stale one.
        #expect(still.servedUntil == fetched + .seconds(970))
        #expect(standing(behind: .seconds(600), session: "open", age: .seconds(970)).state == .expired)
    }

    @Test(
        "in no other session does a standing feed mean anything",
        arguments: [
            "closed", "weekend", "interbank_closed", "interbank-closed", "OPEN", "holiday", "", nil,
        ] as [String?])
    func otherSessions(session: String?) {
        let calm = standing(behind: .seconds(86_400), session: session)
        #expect(calm.state == .fresh && calm.ownReason == nil)
    }

    @Test("only live feeds can stand still", arguments: [Source.ecbDaily, .fredDaily, .unknown("test-feed")])
    func otherClasses(source: Source) {
        let daily = standing(behind: .seconds(1_800), session: "open", source: source)
        #expect(daily.state == .fresh && daily.ownReason == nil)
    }

    @Test("the base itself stands still by the table's own class and time")
    func base() {
        let table = RateTable(
            base: .sample("USD"), source: .live, marketSession: "open", timestamp: nil,
            dataTime: Timestamp(text: "", instant: fetched + .seconds(-600)),
            symbols: [.sample("EUR", .live, at: fetched)], hasSources: true, hasEffectiveAt: true, notice: nil
        )
        let snapshot = SampleSnapshot(fetchedAt: fetched).made(with: table)
        let own = EntryStanding(of: nil, in: snapshot, age: .zero, policy: policy)
        #expect(own.ownReason == .sourceStalled)
        let euro = EntryStanding(of: table.symbols[0], in: snapshot, age: .zero, policy: policy)
        #expect(euro.state == .fresh)
    }
}
