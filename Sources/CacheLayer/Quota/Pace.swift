/// How far apart fetches have to be so that the budget lasts to the month's end.
///
/// Whole milliseconds, rounded up: spending is never faster than the budget.
package enum Pace {
    /// The time to the reset divided by the share of what is left that may be spent; nil if nothing is
    /// left.
    ///
    /// `left` are the calls left this month, `permille` is the share of them to spread, 1 to 1000.
    package static func interval(at now: UnixMilliseconds, left: Int64, permille: Int64) -> Duration? {
        guard left > 0 else { return nil }
        let rest = (Month(containing: now).next.start - now).milliseconds
        let share = left * permille
        return .milliseconds((rest * 1_000 + share - 1) / share)
    }

    /// What a month's plan has to be taken for at an instant when nobody knows what was spent: the
    /// elapsed part, by whole seconds, rounded down.
    package static func blankShare(at now: UnixMilliseconds, plan: Int64) -> Int64 {
        let month = Month(containing: now)
        let elapsed = (now - month.start).milliseconds / 1_000
        return plan * elapsed / ((month.next.start - month.start).milliseconds / 1_000)
    }

    /// The pause after so many failures in a row: 1 s, doubling, at most `limit`, and up to a twentieth
    /// on top.
    ///
    /// The jitter comes from the token's last digits: everybody who computes it gets the same.
    static func backOff(strikes: Int64, limit: Int64, token: Int64) -> Int64 {
        let pause = min(1_000 << min(max(strikes, 1) - 1, 30), max(limit, 1_000))
        return pause + pause * (token % 51) / 1_000
    }
}
