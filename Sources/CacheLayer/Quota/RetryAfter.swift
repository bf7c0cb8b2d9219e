/// A `Retry-After` field (RFC 9110, section 10.2.3): a number of seconds or a date.
package enum RetryAfter: Hashable, Sendable {
    /// Delta-seconds, cut at 10^11.
    case seconds(Int64)
    case date(UnixMilliseconds)

    /// Reads the field, which may be several joined by commas: the longest wait of those that can be read.
    ///
    /// Nil if none can: negative numbers, decimals, words, impossible dates.
    ///
    /// - Parameters:
    ///   - field: the raw value; blanks around it don't matter.
    ///   - now: what dates are compared with.
    package init?(_ field: some StringProtocol, now: UnixMilliseconds) {
        let values = Self.values(in: field).compactMap { Self.read($0, now: now) }
        guard let longest = values.max(by: { $0.wait(from: now) < $1.wait(from: now) }) else { return nil }
        self = longest
    }

    /// How long to wait from `now`; negative for a date that has passed.
    package func wait(from now: UnixMilliseconds) -> Duration {
        switch self {
        case .seconds(let seconds): .seconds(seconds)
        case .date(let date): date - now
        }
    }

    private static func read(_ value: [UInt8], now: UnixMilliseconds) -> RetryAfter? {
        if let seconds = RetryFieldText.number(value) { return .seconds(seconds) }
        return HTTPDate.instant(of: value, now: now).map { .date($0) }
    }

    /// The single values of a joined field; a comma behind a day's name belongs to the date.
    private static func values(in field: some StringProtocol) -> [[UInt8]] {
        var values: [[UInt8]] = []
        var weekday: [UInt8]?
        for part in field.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let value = RetryFieldText.trimmed(part)
            if DateNames.weekdays.contains(value) || DateNames.longWeekdays.contains(value) {
                weekday = value
            } else {
                values.append((weekday.map { $0 + Array(", ".utf8) } ?? []) + value)
                weekday = nil
            }
        }
        return values
    }
}
