/// Whether the foreign exchange day is running.
enum MarketSession: String, Sendable {
    case open
    case weekend

    /// The weekend runs from Friday 22:00 UTC to Sunday 22:00 UTC.
    ///
    /// The upstream's own examples end it on Sunday 22:00 UTC; its other bounds are not published.
    init(at time: SimulatedTime) {
        let minute = time.millisecondsOfDay / 60_000
        switch time.day.weekday {
        case 4: self = minute >= 22 * 60 ? .weekend : .open
        case 5: self = .weekend
        case 6: self = minute >= 22 * 60 ? .open : .weekend
        default: self = .open
        }
    }
}
