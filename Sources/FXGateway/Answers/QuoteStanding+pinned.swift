import CacheLayer

extension QuoteStanding {
    /// A pair of a table that is asked for by name: no clock says how it stands, only whether it was an earlier value that
    /// the table kept.
    init(pinned quote: PairQuote, in snapshot: RateSnapshot) {
        self.quote = quote
        state = quote.kept == nil ? .fresh : .stale
        freshUntil = snapshot.fetchedAt
        servedUntil = snapshot.fetchedAt
        ownReason = nil
    }
}
