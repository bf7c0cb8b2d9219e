import CacheLayer

extension SelectionPlan {
    /// What is to be said from a snapshot that was asked for by name: the same on every instance, at any time and under any
    /// configuration.
    init(pinned snapshot: RateSnapshot, base: Currency, served: [PairQuote], unknown: [Currency]) {
        resource = snapshot.resource
        self.snapshot = snapshot
        self.base = base
        self.served = served.map { QuoteStanding(pinned: $0, in: snapshot) }
        self.unknown = unknown
        expired = []
        state = .fresh
        reason = nil
        timeReason = .refreshing
        freshUntil = snapshot.fetchedAt
        servedUntil = snapshot.fetchedAt
        changesAt = snapshot.fetchedAt
        nextRefresh = snapshot.fetchedAt
        isSettled = false
        isPinned = true
    }

    /// The state's word in an answer: what is pinned is neither fresh nor stale, whatever its age.
    var stateName: String { isPinned ? Self.pinnedName : state.name }

    /// The word for what was asked for by name.
    static let pinnedName = "pinned"
}
