/// By how many whole weeks the true calendar is moved.
enum ReplayShift: Equatable, Sendable {
    /// The fewest weeks, never negative, that bring the newest row to the latest publication or past it.
    ///
    /// Chosen once at the start, so that a past day keeps its rates while the simulator runs. 0 as long as the
    /// true file reaches the clock.
    case automatic
    /// So many weeks; 0 replays the true file on its true days and stops at its end.
    case weeks(Int)

    /// The weeks to use for a replay that starts at `time`.
    func weeks(newest: CalendarDay, at time: SimulatedTime) -> Int {
        switch self {
        case .weeks(let weeks): return weeks
        case .automatic:
            let missing = PublicationCalendar.latestPublicationDay(at: time) - newest
            return max(0, (missing + 6) / 7)
        }
    }
}
