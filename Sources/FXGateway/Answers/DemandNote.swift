import CacheLayer

/// When a loop has last told of one resource, the refresher and the account of who asks: so that a thousand requests are
/// one word.
///
/// Only for its loop's thread.
final class DemandNote {
    /// From this instant on a fresh use is told again.
    private var nextAsked = Int64.min
    /// From this instant on a stale use is told again.
    private var nextStale = Int64.min
    /// From these instants on the clients' uses are told again, by their numbers.
    private var nextUses: [Int64] = []

    /// Demand counts for an hour: a minute's delay changes nothing.
    private static let askedEvery: Int64 = 60_000
    /// A refresh takes longer than this.
    private static let staleEvery: Int64 = 250

    /// Whether a client's use at `now` is to be told of.
    @inline(__always)
    func isNews(of client: Int, at now: Int64) -> Bool {
        if client < nextUses.count {
            guard now >= nextUses[client] else { return false }
        } else {
            nextUses += Array(repeating: .min, count: client + 1 - nextUses.count)
        }
        nextUses[client] = now + DemandBook.precision
        return true
    }

    /// Another interval has begun: every client's next use is told of.
    func begin() {
        for client in nextUses.indices { nextUses[client] = .min }
    }

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
