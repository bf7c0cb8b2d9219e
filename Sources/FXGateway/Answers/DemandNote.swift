import CacheLayer

/// When a loop has last told the refresher of one resource: so that a thousand requests are one word.
///
/// Only for its loop's thread.
final class DemandNote {
    /// From this instant on a fresh use is told again.
    private var nextAsked = Int64.min
    /// From this instant on a stale use is told again.
    private var nextStale = Int64.min

    /// Demand counts for an hour: a minute's delay changes nothing.
    private static let askedEvery: Int64 = 60_000
    /// A refresh takes longer than this.
    private static let staleEvery: Int64 = 250

    /// What is to be told of a use at `now`; nil if it was told a moment ago.
    @inline(__always)
    func use(at now: Int64, isWanting: Bool) -> Demand? {
        if isWanting {
            guard now >= nextStale else { return nil }
            nextStale = now + Self.staleEvery
            nextAsked = now + Self.askedEvery
            return .stale
        }
        guard now >= nextAsked else { return nil }
        nextAsked = now + Self.askedEvery
        return .asked
    }
}
