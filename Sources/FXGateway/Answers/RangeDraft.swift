import CacheLayer

/// All that a page of a range is made of, taken from a loop's years at one instant.
///
/// Immutable: the page can be made on any thread.
struct RangeDraft: Sendable {
    let query: RangeQuery
    let pivot: Currency
    let policy: TierPolicy
    /// On the loop's clock.
    let now: Int64
    /// In UTC.
    let today: CivilDate
    /// The first day that the page may have.
    let first: CivilDate
    /// The last one; a page of JSON may end before.
    let last: CivilDate
    /// What is held of the years from `first` to `last`, in their order; nil where a year isn't.
    let years: [(Holding, YearTable)?]

    /// More currencies than upstream lists, those that it lists no more among them.
    static let mostSymbols = 45
    /// With so many values a page takes a millisecond, and may as well be made where it is asked for.
    private static let fewValues = 800

    /// The most values that a page of these days can have: one for each weekday and symbol.
    static func values(of query: RangeQuery, from first: CivilDate, through last: CivilDate) -> Int {
        let days = max(0, last.daysSince1970 - first.daysSince1970 + 1)
        let rows = (days * 5 + 6) / 7
        let most = query.format == .csv ? rows : min(rows, RangePage.mostRows)
        return most * (query.symbols?.codes.count ?? mostSymbols)
    }

    /// Whether its page would keep a loop for longer than others should wait.
    var isLong: Bool { Self.values(of: query, from: first, through: last) > Self.fewValues }

    /// The page with its body, or why there is none.
    func made() -> MadeRange {
        let outcome = page()
        guard case .page(let page) = outcome else { return MadeRange(outcome: outcome) }
        return MadeRange(page)
    }

    private func page() -> RangeOutcome {
        var builder = RangeBuilder(query: query, pivot: pivot, policy: policy, now: now)
        for (number, held) in zip(first.year..., years) where !builder.isFull {
            guard let (holding, year) = held else { return .cold([.year(base: pivot, year: number)]) }
            builder.add(holding, year, from: first, through: last)
        }
        return builder.close(through: last, today: today)
    }
}
