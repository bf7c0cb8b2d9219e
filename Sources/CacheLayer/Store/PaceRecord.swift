/// When a resource may be fetched next, and how its last fetches went.
struct PaceRecord: Hashable, Sendable {
    /// By the store's clock.
    var nextAt: Int64 = 0
    /// Failures in a row.
    var strikes: Int64 = 0
    /// The newest token drawn for it.
    var token: Int64 = 0
    /// The newest token whose failure is among the strikes: none counts twice.
    var failed: Int64 = 0

    /// Counts the failure of a fetch at `end`, unless a newer one was begun or it was counted before;
    /// whether it did.
    ///
    /// `limit` is the longest pause, in milliseconds.
    mutating func noteFailure(of failedToken: Int64, at end: Int64, limit: Int64) -> Bool {
        guard failedToken >= token, failedToken > failed else { return false }
        strikes += 1
        token = failedToken
        failed = failedToken
        nextAt = end + Pace.backOff(strikes: strikes, limit: limit, token: failedToken)
        return true
    }
}
