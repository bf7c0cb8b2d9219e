import Testing

@testable import CacheLayer

@Suite("A symbol that the newest answer has no usable rate for") struct KeptSymbolTests {
    /// A table with EUR and PKR live and CZK a fix, at 14:31:46Z.
    private func held() throws -> RateTable {
        var body = SampleBody()
        body.rates = "{\"EUR\":0.85,\"PKR\":281.5,\"CZK\":20.714}"
        body.sources = "{\"EUR\":\"live\",\"PKR\":\"live\",\"CZK\":\"ecb_daily\"}"
        body.effectiveAt = "{\"CZK\":\"2026-09-15T14:00:00Z\"}"
        return try body.ingested().table
    }

    /// The next answer, a minute later, with EUR alone beside what is given.
    private func next(_ rates: String = "", minutes: Int64 = 1) -> (body: SampleBody, now: UnixMilliseconds) {
        let time = utc(2026, 9, 15, 14, 31, 46) + .seconds(60 * minutes)
        var body = SampleBody()
        body.dataTime = "\(time.value / 1_000)"
        body.rates = "{\"EUR\":0.86\(rates)}"
        return (body, time + .seconds(26))
    }

    @Test(
        "keeps its last good value under its own class and time, the others are fresh (C054, C024, U11)",
        arguments: [
            (",\"PKR\":null", IngestNotes.MissingReason.notANumber), (",\"PKR\":0", .zero),
            (",\"PKR\":1e999", .outOfRange), ("", .vanished),
        ])
    func keeps(rates: String, reason: IngestNotes.MissingReason) throws {
        let held = try held()
        let (body, now) = next(rates)
        let ingested = try body.ingested(held: held, at: now)
        let table = ingested.table
        let pkr = try #require(table.entry(of: .sample("PKR")))
        #expect(pkr.rate.text == "281.5")
        #expect(pkr.source == .live)
        #expect(pkr.kept == .missing)
        #expect(pkr.effectiveAt == held.dataTime)
        let czk = try #require(table.entry(of: .sample("CZK")))
        #expect(czk.source == .ecbDaily && czk.kept == .missing)
        #expect(czk.effectiveAt?.text == "2026-09-15T14:00:00Z")
        #expect(table.entry(of: .sample("EUR"))?.kept == nil)
        #expect(table.entry(of: .sample("EUR"))?.rate.text == "0.86")
        #expect(
            ingested.notes.missing == [
                .init(currency: .sample("CZK"), reason: .vanished, isKept: true),
                .init(currency: .sample("PKR"), reason: reason, isKept: true),
            ])
        let snapshot = ingested.snapshot(
            of: .latest(base: .sample("USD")), token: FencingToken(1), fetchedAt: now, interval: .seconds(60))
        let policy = TierPolicy()
        #expect(policy.freshness(of: pkr, in: snapshot, age: .zero) == .stale)
        #expect(policy.freshness(of: czk, in: snapshot, age: .zero) == .stale)
        #expect(policy.freshness(of: table.entry(of: .sample("EUR")), in: snapshot, age: .zero) == .fresh)
    }

    @Test("is dropped once the stale window of its own time has passed (C024, C026, U11)")
    func drops() throws {
        var table = try held()
        // Each answer in turn lacks PKR: lifetime 70 s and stale window 900 s from 14:31:46Z on.
        for minutes in Int64(1)...20 {
            let (body, now) = next(minutes: minutes)
            table = try body.ingested(held: table, at: now).table
            let isServed = now < utc(2026, 9, 15, 14, 31, 46) + .seconds(970)
            #expect((table.entry(of: .sample("PKR")) != nil) == isServed, "\(minutes) min")
            #expect(table.entry(of: .sample("CZK"))?.kept == .missing)
        }
        #expect(table.entry(of: .sample("CZK"))?.effectiveAt?.instant == utc(2026, 9, 15, 14))
    }

    @Test("is current again as soon as an answer has it")
    func comesBack() throws {
        let (body, now) = next()
        let without = try body.ingested(held: held(), at: now).table
        let (again, later) = next(",\"PKR\":281.9", minutes: 2)
        let table = try again.ingested(held: without, at: later).table
        #expect(table.entry(of: .sample("PKR"))?.kept == nil)
        #expect(table.entry(of: .sample("PKR"))?.rate.text == "281.9")
    }

    @Test("that upstream retired is gone a month later, and the others are fresh throughout (C026)")
    func retired() throws {
        var body = SampleBody()
        (body.source, body.dataTime) = ("\"ecb_daily\"", "\"2025-12-31T15:00:00Z\"")
        body.rates = "{\"BGN\":1.95583,\"EUR\":0.85}"
        let held = try body.ingested(at: utc(2025, 12, 31, 15, 5)).table
        (body.dataTime, body.rates) = ("\"2026-01-02T15:00:00Z\"", "{\"EUR\":0.85}")
        let soon = try body.ingested(held: held, at: utc(2026, 1, 2, 15, 5)).table
        #expect(soon.entry(of: .sample("BGN"))?.effectiveAt?.text == "2025-12-31T15:00:00Z")
        (body.dataTime, body.rates) = ("\"2026-02-02T15:00:00Z\"", "{\"EUR\":0.85}")
        let late = try body.ingested(held: soon, at: utc(2026, 2, 2, 15, 5))
        #expect(late.table.symbols.map(\.currency.code) == ["EUR"])
        #expect(late.notes.missing == [.init(currency: .sample("BGN"), reason: .vanished, isKept: false)])
    }

    @Test("changes nothing for its successor: each has its own value and time (C029)")
    func redenominated() throws {
        var body = SampleBody()
        body.rates = "{\"VEF\":248521.0,\"EUR\":0.85}"
        let held = try body.ingested().table
        let (after, now) = next(",\"VES\":2.485")
        let table = try after.ingested(held: held, at: now).table
        #expect(table.entry(of: .sample("VES"))?.rate.text == "2.485")
        #expect(table.entry(of: .sample("VES"))?.kept == nil)
        #expect(table.entry(of: .sample("VEF"))?.rate.text == "248521.0")
        #expect(table.entry(of: .sample("VEF"))?.kept == .missing)
    }

    @Test("never stands in for a class that changed: the new class is taken over and told (U13)")
    func classChange() throws {
        let held = try held()
        let (plain, now) = next(",\"PKR\":280,\"CZK\":20.8")
        var body = plain
        body.sources = "{\"PKR\":\"ecb_daily\",\"CZK\":\"ecb_daily\"}"
        body.effectiveAt = "{\"PKR\":\"2026-09-14T14:00:00Z\"}"
        let ingested = try body.ingested(held: held, at: now)
        let pkr = try #require(ingested.table.entry(of: .sample("PKR")))
        #expect(pkr.source == .ecbDaily && pkr.kept == nil && pkr.rate.text == "280")
        #expect(
            ingested.notes.classChanges == [.init(currency: .sample("PKR"), from: .live, to: .ecbDaily)])
        let (back, later) = next(",\"PKR\":281,\"CZK\":20.8", minutes: 2)
        let again = try back.ingested(held: ingested.table, at: later)
        #expect(again.table.entry(of: .sample("PKR"))?.source == .live)
        #expect(
            again.notes.classChanges.contains(.init(currency: .sample("PKR"), from: .ecbDaily, to: .live)))
    }

    @Test("isn't kept for the base, nor beyond the limit of symbols")
    func bounds() throws {
        var body = SampleBody()
        body.rates = "{\"USD\":1,\"EUR\":0.85,\"PKR\":281.5,\"GBP\":0.73}"
        let held = try body.ingested().table
        let (after, now) = next()
        let table = try after.ingested(held: held, at: now, limits: IngestLimits(symbols: 2)).table
        #expect(table.symbols.map(\.currency.code) == ["EUR", "GBP"])
    }
}
