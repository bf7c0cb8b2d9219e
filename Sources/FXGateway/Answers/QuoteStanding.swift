import CacheLayer

/// One rate of an answer, and how it stands at an age of its snapshot.
struct QuoteStanding {
    let quote: PairQuote
    /// The worst of its legs.
    let state: Freshness
    /// The end of the lifetime by the store's clock: the first of its legs to go, fetched-at for what never was fresh.
    let freshUntil: UnixMilliseconds
    /// The end of the stale window: the first of its legs to go.
    let servedUntil: UnixMilliseconds
    /// Why it isn't fresh though its lifetime hasn't passed; nil otherwise.
    let ownReason: StaleReason?

    /// Judges a pair by the entries that it was computed from, at an age of so many milliseconds since fetched-at.
    init(_ quote: PairQuote, in snapshot: RateSnapshot, age: Int64, policy: TierPolicy) {
        var state = Freshness.fresh
        var freshUntil: UnixMilliseconds?
        var servedUntil: UnixMilliseconds?
        var ownReason: StaleReason?
        for entry in Self.entries(of: quote, in: snapshot.table) {
            let own = EntryStanding(of: entry, in: snapshot, age: .milliseconds(age), policy: policy)
            if let reason = own.ownReason { ownReason = ownReason == .quarantine ? ownReason : reason }
            state = max(state, own.state)
            freshUntil = min(freshUntil ?? own.freshUntil, own.freshUntil)
            servedUntil = min(servedUntil ?? own.servedUntil, own.servedUntil)
        }
        self.quote = quote
        self.state = state
        self.freshUntil = freshUntil ?? snapshot.fetchedAt
        self.servedUntil = servedUntil ?? snapshot.fetchedAt
        self.ownReason = ownReason
    }

    /// Whether it is an earlier value that was kept: stale on its own, whatever the rest of the table is.
    var isKept: Bool { quote.kept != nil }

    /// Whether it is the base in itself, which has no class or time of its own.
    var isIdentity: Bool { quote.derivation == .identity }

    /// The entries that the pair stands on; nil is the table's base.
    private static func entries(of quote: PairQuote, in table: RateTable) -> [SymbolRate?] {
        switch quote.derivation {
        case .identity: [quote.base == table.base ? nil : table.entry(of: quote.base)]
        case .direct: [table.entry(of: quote.quote)]
        case .inverse: [table.entry(of: quote.base)]
        case .cross: [table.entry(of: quote.base), table.entry(of: quote.quote)]
        }
    }
}
