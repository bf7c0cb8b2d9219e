@testable import CacheLayer

/// A snapshot of a few symbols for tests of the policy: only classes and times matter.
struct SampleSnapshot {
    var source = Source.live
    var dataTime = utc(2026, 9, 15, 14, 31, 46)
    var fetchedAt = utc(2026, 9, 15, 14, 32, 11)
    var interval = Duration.seconds(60)
    var symbols: [SymbolRate] = []

    func made() -> RateSnapshot {
        RateSnapshot(
            id: SnapshotID(fetchedAt: fetchedAt, digest: [1, 2, 3, 4]),
            resource: .latest(base: .sample("USD")),
            token: FencingToken(7), fetchedAt: fetchedAt, interval: interval, table: table)
    }

    var table: RateTable {
        RateTable(
            base: .sample("USD"), source: source, marketSession: nil, timestamp: nil,
            dataTime: Timestamp(text: "", instant: dataTime), symbols: symbols, hasSources: true,
            hasEffectiveAt: true, notice: nil)
    }
}

extension Currency {
    /// A code that a test knows to be one.
    static func sample(_ code: String) -> Currency {
        guard let currency = Currency(code) else { preconditionFailure("\(code) is no code") }
        return currency
    }
}

extension SymbolRate {
    /// A rate of 1, of a class and a time.
    static func sample(
        _ code: String, _ source: Source, at instant: UnixMilliseconds? = nil, kept: Kept? = nil
    ) -> SymbolRate {
        SymbolRate(
            currency: .sample(code), rate: .one, source: source,
            effectiveAt: instant.map { Timestamp(text: "", instant: $0) }, kept: kept)
    }
}
