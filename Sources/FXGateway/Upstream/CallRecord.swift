import CacheLayer

/// How one call to upstream ended.
///
/// Nothing secret: words of closed lists, numbers, times.
struct CallRecord: Hashable, Sendable {
    /// When it ended, by this instance's wall clock.
    let at: UnixMilliseconds
    let result: RefreshCounters.UpstreamResult
    /// The answer's status; nil where there was no answer.
    let status: Int?
    /// Upstream's own code, if it is a known one.
    let code: UpstreamProblem?
    /// Why nothing was taken, in a word of our own.
    let reason: String?
    let duration: Duration
}
