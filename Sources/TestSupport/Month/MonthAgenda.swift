import CacheLayer

/// The events to come, in the order of their instants; those of one instant in the order in which they were added.
struct MonthAgenda: Sendable {
    private struct Entry: Sendable {
        let instant: UnixMilliseconds
        let event: MonthEvent
    }

    /// The latest first, so that the next one is cheap to take.
    private var entries: [Entry] = []

    var next: UnixMilliseconds? { entries.last?.instant }

    mutating func add(_ event: MonthEvent, at instant: UnixMilliseconds) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].instant > instant { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(instant: instant, event: event), at: low)
    }

    /// The next event if its time has come.
    mutating func take(until now: UnixMilliseconds) -> MonthEvent? {
        guard let last = entries.last, last.instant <= now else { return nil }
        return entries.removeLast().event
    }
}
