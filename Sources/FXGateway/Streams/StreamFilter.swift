import CacheLayer

/// What a stream is told of: streams with the same filter share every event.
struct StreamFilter: Hashable, Sendable {
    let base: Currency
    /// Nil is all of them.
    let symbols: SymbolList?
    let numbers: NumberForm
    let kinds: Set<StreamKind>

    /// The table that each of its snapshots is told as.
    var selection: Selection { .latest(base: base, symbols: symbols, numbers: numbers) }
}
