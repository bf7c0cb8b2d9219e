/// A point in time as the simulated upstream sees it: milliseconds since 1970-01-01T00:00:00Z.
package struct SimulatedTime: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    init(day: CalendarDay, hour: Int, minute: Int = 0) {
        milliseconds = Int64(day.number) * 86_400_000 + Int64(hour * 3_600_000 + minute * 60_000)
    }

    /// Reads `2026-06-16T10:00:00Z`; seconds and their fraction may be left out.
    ///
    /// Only UTC: a zone that is guessed wrong moves a publication to another day.
    package init?(parsing text: String) {
        guard text.hasSuffix("Z"), let split = text.firstIndex(of: "T"),
            let day = CalendarDay(parsing: text[..<split])
        else { return nil }
        let clock = text[text.index(after: split)...].dropLast()
            .split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2 || clock.count == 3, let hour = Self.twoDigits(clock[0], below: 24),
            let minute = Self.twoDigits(clock[1], below: 60)
        else { return nil }
        self.init(day: day, hour: hour, minute: minute)
        guard clock.count == 3 else { return }
        let parts = clock[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let second = Self.twoDigits(parts[0], below: 60) else { return nil }
        milliseconds += Int64(second) * 1_000
        guard parts.count == 2 else { return }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
            let fraction = Int64((parts[1] + "00").prefix(3))
        else { return nil }
        milliseconds += fraction
    }

    /// Whole seconds, rounded down.
    var seconds: Int64 { (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000 }

    /// The UTC day.
    var day: CalendarDay {
        let remainder = (milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        return CalendarDay(number: Int((milliseconds - remainder) / 86_400_000))
    }

    /// Milliseconds since the UTC day began.
    var millisecondsOfDay: Int64 { milliseconds - Int64(day.number) * 86_400_000 }

    /// ISO 8601 in UTC with whole seconds: `2026-06-16T10:00:00Z`.
    package var text: String {
        let second = Int(millisecondsOfDay / 1_000)
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
        return "\(day.text)T\(clock.joined(separator: ":"))Z"
    }

    package static func < (left: SimulatedTime, right: SimulatedTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    private static func twoDigits(_ text: Substring, below limit: Int) -> Int? {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(text),
            value < limit
        else { return nil }
        return value
    }
}
