import CacheLayer

/// What is asked for of a span of days, in canonical form.
struct RangeQuery: Hashable, Sendable {
    let base: Currency
    /// Nil is all of them.
    let symbols: SymbolList?
    let start: CivilDate
    /// Not before the start.
    let end: CivilDate
    /// The last day of the page before; nil for the first page.
    let after: CivilDate?
    let format: RangeFormat
    let numbers: NumberForm
}
