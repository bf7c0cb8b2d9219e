import CacheLayer

/// Tables and snapshots to answer from.
enum SampleTable {
    /// Tuesday, 16 June 2026, 14:02:03 UTC.
    static let fetchedAt = UnixMilliseconds(1_781_618_523_000)
    /// Twelve seconds before.
    static let dataTime = Timestamp(text: "2026-06-16T14:01:51Z", instant: fetchedAt + .seconds(-12))
    /// Monday's fix.
    static let fixTime = Timestamp(text: "2026-06-15T14:00:00Z", instant: fetchedAt + .seconds(-86_523))

    /// A live rate.
    static func live(_ code: String, _ text: String) -> SymbolRate {
        SymbolRate(currency: .sample(code), rate: rate(text), source: .live, effectiveAt: dataTime)
    }

    /// Monday's fix of a currency.
    static func fix(_ code: String, _ text: String) -> SymbolRate {
        SymbolRate(currency: .sample(code), rate: rate(text), source: .ecbDaily, effectiveAt: fixTime)
    }

    static func rate(_ text: String) -> Rate {
        guard let rate = try? Rate(json: text) else { preconditionFailure("\(text) is no rate") }
        return rate
    }

    /// The table that most tests ask: USD with live and daily rates.
    static let usd = table(
        "USD",
        [
            live("EUR", "0.85214"), live("GBP", "0.73907"), live("JPY", "149.985"), live("INR", "95.569"),
            fix("ISK", "122.38"), fix("RON", "4.3127"),
        ])

    static func table(
        _ base: String, _ symbols: [SymbolRate], source: Source = .live, session: String? = "open",
        extras: [RateTable.Extra] = []
    ) -> RateTable {
        RateTable(
            base: .sample(base), source: source, marketSession: session, timestamp: "2026-06-16T14:02:02Z",
            dataTime: dataTime, symbols: symbols, hasSources: true, hasEffectiveAt: true,
            notice: "Indicative rates, not for settlement.", extras: extras)
    }

    /// A table as upstream's plain form: no class or time of each symbol.
    static func plain(_ base: String, _ rates: [(code: String, text: String)]) -> RateTable {
        RateTable(
            base: .sample(base), source: .live, marketSession: "open", timestamp: nil, dataTime: dataTime,
            symbols: rates.map { SymbolRate(currency: .sample($0.code), rate: rate($0.text), source: .live) },
            hasSources: false, hasEffectiveAt: false, notice: nil)
    }

    /// A snapshot with a lifetime of 70 s for what is live, unless its interval is another one.
    static func snapshot(
        _ table: RateTable, token: Int64 = 1, fetchedAt: UnixMilliseconds = fetchedAt,
        digest: [UInt8] = [1, 2, 3, 4], interval: Duration = .seconds(60)
    ) -> RateSnapshot {
        RateSnapshot(
            id: SnapshotID(fetchedAt: fetchedAt, digest: digest), resource: .latest(base: table.base),
            token: FencingToken(token), fetchedAt: fetchedAt, interval: interval, table: table)
    }
}
