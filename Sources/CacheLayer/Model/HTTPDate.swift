/// A date in an HTTP field: IMF-fixdate and the two obsolete forms, RFC 850 and asctime.
///
/// Strict by RFC 9110, section 5.6.7: exact letter case and blanks, GMT only. Impossible dates are refused. The day of the
/// week must be one, and isn't compared with the date. A leap second is the second after it.
package enum HTTPDate {
    /// The instant a field's text means.
    ///
    /// - Parameters:
    ///   - text: the field's value without blanks around it.
    ///   - now: decides the century of RFC 850's two-digit year: the one within 50 years of now.
    /// - Returns: nil if the text isn't exactly one HTTP date.
    package static func instant(
        of text: some Sequence<UInt8>, now: UnixMilliseconds
    ) -> UnixMilliseconds? {
        let cursor = ByteCursor(text)
        return fixdate(cursor) ?? rfc850(cursor, now: now) ?? asctime(cursor)
    }

    /// `Tue, 10 Mar 2026 14:02:00 GMT`.
    private static func fixdate(_ start: ByteCursor) -> UnixMilliseconds? {
        var cursor = start
        guard cursor.take(oneOf: DateNames.weekdays) != nil, cursor.take(", ") else { return nil }
        guard let day = cursor.takeNumber(digits: 2), cursor.take(" ") else { return nil }
        guard let month = cursor.take(oneOf: DateNames.months), cursor.take(" ") else { return nil }
        guard let year = cursor.takeNumber(digits: 4), cursor.take(" ") else { return nil }
        guard let second = cursor.takeTime(), cursor.take(" GMT"), cursor.isAtEnd else { return nil }
        return instant(year, month + 1, day, second)
    }

    /// `Tuesday, 10-Mar-26 14:02:00 GMT`.
    private static func rfc850(_ start: ByteCursor, now: UnixMilliseconds) -> UnixMilliseconds? {
        var cursor = start
        guard cursor.take(oneOf: DateNames.longWeekdays) != nil, cursor.take(", ") else { return nil }
        guard let day = cursor.takeNumber(digits: 2), cursor.take("-") else { return nil }
        guard let month = cursor.take(oneOf: DateNames.months), cursor.take("-") else { return nil }
        guard let shortYear = cursor.takeNumber(digits: 2), cursor.take(" ") else { return nil }
        guard let second = cursor.takeTime(), cursor.take(" GMT"), cursor.isAtEnd else { return nil }
        let thisYear = now.date.year
        var year = thisYear - thisYear % 100 + shortYear
        if year > thisYear + 50 { year -= 100 }
        if year <= thisYear - 50 { year += 100 }
        return instant(year, month + 1, day, second)
    }

    /// `Tue Mar 10 14:02:00 2026`; a day below 10 has a blank in front.
    private static func asctime(_ start: ByteCursor) -> UnixMilliseconds? {
        var cursor = start
        guard cursor.take(oneOf: DateNames.weekdays) != nil, cursor.take(" ") else { return nil }
        guard let month = cursor.take(oneOf: DateNames.months), cursor.take(" ") else { return nil }
        guard let day = cursor.takeNumber(digits: cursor.take(" ") ? 1 : 2), cursor.take(" ") else {
            return nil
        }
        guard let second = cursor.takeTime(), cursor.take(" ") else { return nil }
        guard let year = cursor.takeNumber(digits: 4), cursor.isAtEnd else { return nil }
        return instant(year, month + 1, day, second)
    }

    private static func instant(_ year: Int, _ month: Int, _ day: Int, _ second: Int) -> UnixMilliseconds? {
        CivilDate(year: year, month: month, day: day).map { UnixMilliseconds($0, secondOfDay: second) }
    }
}
