/// How much longer intervals are after upstream's rate limit was met: slower, not only later.
///
/// Each strike doubles the interval (at most eightfold); an hour after the pause it halves back, and again each hour. No
/// interval is lengthened by more than what is left of that time.
struct SlowDown: Hashable, Sendable {
    /// Doublings at `since`, 1 to `highest`.
    private(set) var level: Int64
    /// From when on it decays: the end of the cooldown that the strike began.
    private(set) var since: Int64

    static let highest: Int64 = 3
    /// The time after which one doubling goes.
    static let halfLife: Int64 = 3_600_000

    /// The doublings that hold at an instant, 0 to `highest`.
    func level(at now: Int64) -> Int64 {
        guard now > since else { return level }
        return max(0, level - (now - since) / Self.halfLife)
    }

    /// How long some doubling still holds, in milliseconds; zero if none does.
    func rest(at now: Int64) -> Int64 { max(0, since + level * Self.halfLife - now) }

    /// An interval as it is slowed down: by no more than the time that the slow-down lasts, so that what is asked for once
    /// a day isn't put off for days after it.
    func lengthened(_ interval: Int64, at now: Int64) -> Int64 {
        min(interval << level(at: now), interval + rest(at: now))
    }

    /// After one more strike at `now`, whose pause ends at `end`.
    static func afterStrike(_ before: SlowDown?, at now: Int64, end: Int64) -> SlowDown {
        SlowDown(level: min(highest, (before?.level(at: now) ?? 0) + 1), since: end)
    }

    /// Brings a `since` that a jump of the clock has put too far ahead back to the farthest possible.
    mutating func cut(to farthest: Int64) { since = min(since, farthest) }
}
