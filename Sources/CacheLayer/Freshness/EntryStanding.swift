/// How one entry of a table stands at an age of its snapshot.
package struct EntryStanding: Hashable, Sendable {
    package let state: Freshness
    /// The end of the lifetime by the store's clock; fetched-at for what never was fresh.
    package let freshUntil: UnixMilliseconds
    /// The end of the stale window.
    package let servedUntil: UnixMilliseconds
    /// Why it isn't fresh though its lifetime hasn't passed; nil otherwise.
    package let ownReason: StaleReason?

    /// A live feed of an open market whose data time is this far behind the answer is standing still.
    package static let stall = Duration.seconds(600)
    /// Upstream's word for a market in which live rates have to move. In every other session, known or not, they may
    /// stand: `weekend`, `interbank_closed`, `interbank-closed`, `closed` …
    private static let movingSession = "open"

    /// Judges an entry, nil for the base itself, at a time since fetched-at.
    ///
    /// Pure: the same on all instances.
    package init(
        of entry: SymbolRate?, in snapshot: RateSnapshot, age: Duration, policy: TierPolicy
    ) {
        let span = policy.span(of: entry, in: snapshot)
        let byAge = policy.freshness(of: entry, in: snapshot, span, age: age)
        ownReason = Self.ownReason(of: entry, in: snapshot)
        state = ownReason == nil ? byAge : max(byAge, .stale)
        let lifetime = policy.lifetime(of: entry, in: snapshot, until: span.freshUntil)
        freshUntil = ownReason == nil ? snapshot.fetchedAt + lifetime : snapshot.fetchedAt
        servedUntil = span.servedUntil
    }

    private static func ownReason(of entry: SymbolRate?, in snapshot: RateSnapshot) -> StaleReason? {
        switch entry?.kept {
        case .quarantine: return .quarantine
        case .missing: return .upstreamError
        case nil: break
        }
        guard (entry?.source ?? snapshot.table.source) == .live,
            snapshot.table.marketSession == movingSession
        else { return nil }
        let dataTime = (entry?.effectiveAt ?? snapshot.table.dataTime).instant
        return snapshot.fetchedAt - dataTime >= stall ? .sourceStalled : nil
    }
}
