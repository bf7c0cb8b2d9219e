/// How the refreshing of one resource stands, as far as this instance knows.
///
/// Instants are by the wall clock, for people and for `Retry-After`.
package enum RefreshCondition: Hashable, Sendable {
    /// Nothing is in the way; it is fetched when it is due and in demand.
    case idle
    /// This instance or another one is fetching it.
    case refreshing
    /// Years of history that were asked for earlier go first; its turn comes about then.
    case queued(until: UnixMilliseconds)
    /// The control has just been made or rebuilt: nothing is fetched before that.
    case warmingUp(until: UnixMilliseconds)
    /// The last fetch failed; the next one is allowed then.
    case failing(until: UnixMilliseconds)
    /// Upstream calls are paused by its rate limit.
    case cooldown(until: UnixMilliseconds)
    /// The pace spreads the budget: not due before that.
    case paced(until: UnixMilliseconds)
    /// The month's plan is used up.
    case quotaSpent(until: UnixMilliseconds)
    /// Upstream refuses the key; it is probed then.
    case keyRejected(until: UnixMilliseconds)
    /// Upstream refuses this kind of resource to the key; it is tried again then.
    case forbidden(until: UnixMilliseconds)
    /// The store's clock and this instance's disagree: nobody calls upstream by either.
    case clockDisputed(until: UnixMilliseconds)
    /// The store can't be asked, so nobody may call upstream.
    case storeAway(until: UnixMilliseconds)

    /// The word for it in a stale answer's `reason`.
    package var staleReason: StaleReason {
        switch self {
        case .idle, .refreshing, .queued, .warmingUp: .refreshing
        case .failing, .forbidden: .upstreamError
        case .cooldown: .cooldown
        case .paced: .paced
        case .quotaSpent: .quota
        case .keyRejected: .keyRejected
        case .storeAway: .storeDown
        case .clockDisputed: .clockDisputed
        }
    }

    /// The same for a snapshot that is held: while nothing is in the way, its pace may still put the next fetch off.
    package func staleReason(
        of snapshot: RateSnapshot, at now: UnixMilliseconds, _ policy: TierPolicy
    ) -> StaleReason {
        guard self == .idle else { return staleReason }
        return policy.waitReason(of: snapshot, at: now) ?? staleReason
    }

    /// When it may change for the better; nil where that is any moment.
    package var until: UnixMilliseconds? {
        switch self {
        case .idle, .refreshing: nil
        case .queued(let until), .warmingUp(let until), .failing(let until), .cooldown(let until),
            .paced(let until),
            .quotaSpent(let until), .keyRejected(let until), .forbidden(let until),
            .clockDisputed(let until), .storeAway(let until):
            until
        }
    }

    /// When a refresh that is due then may be expected: at that time, or when what stands in the way may be gone, if that is
    /// later.
    package func delaying(_ due: UnixMilliseconds) -> UnixMilliseconds { max(due, until ?? due) }

    /// Whether it is an answer of its own: not just "wait a moment".
    package var isDefinite: Bool {
        switch self {
        case .idle, .refreshing, .queued, .warmingUp: false
        case .failing, .cooldown, .paced, .quotaSpent, .keyRejected, .forbidden, .clockDisputed, .storeAway:
            true
        }
    }
}
