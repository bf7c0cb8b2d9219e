import CacheLayer

/// A pause of upstream calls, as streams are told of it.
struct StreamPause: Equatable {
    let reason: StaleReason
    let until: UnixMilliseconds

    /// Nil where the refreshing doesn't stand still for a limit, a spent month or a key.
    init?(_ condition: RefreshCondition) {
        switch condition {
        case .cooldown(let until), .quotaSpent(let until), .keyRejected(let until):
            reason = condition.staleReason
            self.until = until
        case .idle, .refreshing, .queued, .warmingUp, .failing, .paced, .forbidden, .clockDisputed, .storeAway:
            return nil
        }
    }

    /// Each look at the store computes the end anew: less than this is no news.
    private static let tolerance = Duration.seconds(1)

    /// Whether a change of the refreshing is a change of the pause that has to be told.
    static func isNews(from earlier: RefreshCondition, to later: RefreshCondition) -> Bool {
        switch (StreamPause(earlier), StreamPause(later)) {
        case (nil, nil): return false
        case (nil, _?), (_?, nil): return true
        case (let earlier?, let later?):
            let (first, last) = (min(earlier.until, later.until), max(earlier.until, later.until))
            return earlier.reason != later.reason || last - first > tolerance
        }
    }
}
