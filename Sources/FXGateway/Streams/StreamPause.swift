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
        case .idle, .refreshing, .queued, .warmingUp, .failing, .paced, .forbidden, .storeAway: return nil
        }
    }

    /// Each look at the store computes the end anew: less than this is no news.
    private static let tolerance = Duration.seconds(1)

    /// Whether it has to be told to who knows another one.
    func isNews(after earlier: StreamPause?) -> Bool {
        guard let earlier, earlier.reason == reason else { return true }
        return max(until, earlier.until) - min(until, earlier.until) > Self.tolerance
    }
}
