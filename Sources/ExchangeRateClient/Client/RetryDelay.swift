import Foundation

/// How long `Retry-After` asks to wait; RFC 9110 §10.2.3.
enum RetryDelay {
    /// Bounds of every wait: nobody should come back at once, and no month is longer than 31 days.
    static let bounds = Duration.seconds(1)...Duration.seconds(31 * 86_400)

    /// Reads seconds or an IMF-fixdate; nil for everything else, negative numbers and the obsolete dates included.
    ///
    /// - Parameters:
    ///   - text: the value of `Retry-After`.
    ///   - date: the value of `Date` in the same answer; a date is measured against it, as our clock may be off.
    ///   - now: our clock, where the answer has no usable `Date`.
    /// - Returns: the wait, brought into `bounds`.
    static func read(_ text: String?, date: String?, now: Date) -> Duration? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        if !bytes.isEmpty, bytes.allSatisfy({ (48...57).contains($0) }) {
            // More digits than fit say "very long", not "nothing".
            return clamped(CivilTime.number(bytes[...]).map { Int64($0) } ?? .max)
        }
        guard let end = secondsSince1970(text) else { return nil }
        return clamped(end - (date.flatMap(secondsSince1970) ?? Int64(now.timeIntervalSince1970)))
    }

    private static func clamped(_ seconds: Int64) -> Duration {
        min(max(.seconds(seconds), bounds.lowerBound), bounds.upperBound)
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; the name of the weekday isn't compared with the day.
    private static func secondsSince1970(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2])),
            let dayOfMonth = number(parts[1], digits: 2), let year = number(parts[3], digits: 4),
            let day = Day(year: year, month: month + 1, day: dayOfMonth)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], digits: 2), hour < 24,
            let minute = number(clock[1], digits: 2), minute < 60,
            let second = number(clock[2], digits: 2), second <= 60
        else { return nil }
        return Int64(CivilTime.daysSince1970(day)) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits ? CivilTime.number(Array(text.utf8)[...]) : nil
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
