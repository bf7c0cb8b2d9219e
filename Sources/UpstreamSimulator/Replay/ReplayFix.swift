/// One fix as the simulator shows it: whose digits, and on which day.
struct ReplayFix: Equatable, Sendable {
    /// Row of the true file that lends its digits.
    let row: Int
    /// The day on which the bank published them.
    let trueDay: CalendarDay
    /// The day on which the simulator shows them as published.
    let shownDay: CalendarDay
    /// Whether the day that was asked for has no fix of its own.
    let isForwardFilled: Bool

    /// 16:00 Berlin time of the shown day.
    var publishedAt: SimulatedTime { PublicationCalendar.publication(on: shownDay) }

    /// How the shown day stands to the true one, in words: `shown 4 weeks later`; nil if it is the same.
    var shiftText: String? {
        let days = shownDay - trueDay
        guard days != 0 else { return nil }
        let (count, unit) = days % 7 == 0 ? (abs(days) / 7, "week") : (abs(days), "day")
        return "shown \(count) \(unit)\(count == 1 ? "" : "s") \(days > 0 ? "later" : "earlier")"
    }
}
