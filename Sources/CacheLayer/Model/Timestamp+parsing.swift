extension Timestamp {
    /// Reads a time as RFC 3339, section 5.6, has it; the text is kept as it came.
    ///
    /// `2026-03-10T14:00:00Z`, one to nine decimals of a second (what is below a millisecond is cut), offsets such as
    /// `+09:00`. A date alone (`2026-03-10`) is midnight UTC, as upstream's dates are days in UTC. No zone, no blank, nothing
    /// behind. A leap second counts as the second after it, and only at the end of a month.
    ///
    /// - Throws: `.malformed`, `.noZone`, `.impossible`. Never a guess at the zone.
    package init(rfc3339 text: some StringProtocol) throws(TimestampError) {
        // The longest form is 35 bytes.
        guard text.utf8.count <= 40 else { throw .malformed }
        var cursor = ByteCursor(text.utf8)
        guard let year = cursor.takeNumber(digits: 4), cursor.take("-"),
            let month = cursor.takeNumber(digits: 2), cursor.take("-"),
            let day = cursor.takeNumber(digits: 2)
        else { throw .malformed }
        let date = CivilDate(year: year, month: month, day: day)
        if cursor.isAtEnd {
            guard let date else { throw .impossible }
            self.init(text: String(text), instant: UnixMilliseconds(date))
            return
        }
        guard cursor.take("T") || cursor.take("t"),
            let hour = cursor.takeNumber(digits: 2), cursor.take(":"),
            let minute = cursor.takeNumber(digits: 2), cursor.take(":"),
            let second = cursor.takeNumber(digits: 2)
        else { throw .malformed }
        guard let millisecond = Self.takeMilliseconds(from: &cursor) else { throw .malformed }
        if cursor.isAtEnd { throw .noZone }
        let offset = try Self.takeOffset(from: &cursor)
        guard cursor.isAtEnd else { throw .malformed }
        guard let date, hour < 24, minute < 60, second <= 60 else { throw .impossible }
        let instant = UnixMilliseconds(
            date, secondOfDay: (hour * 60 + minute - offset) * 60 + second,
            millisecond: second == 60 ? 0 : millisecond)
        guard second < 60 || (instant.secondOfDay == 0 && instant.date.day == 1) else { throw .impossible }
        self.init(text: String(text), instant: instant)
    }

    /// Reads an integer as a Unix time, told apart by its size: up to 11 digits are seconds, 13 are
    /// milliseconds.
    ///
    /// The text becomes the same instant in RFC 3339, rounded down to the second: clients expect a date there.
    ///
    /// - Throws: `.malformed` for anything else: zero, signs, zeros in front, decimals, 12 digits, more than 13.
    package init(epoch digits: some StringProtocol) throws(TimestampError) {
        let count = digits.utf8.count
        guard count <= 13, let value = Int64(digits), value > 0, digits.utf8.first != UInt8(ascii: "0"),
            digits.utf8.first != UInt8(ascii: "+")
        else { throw .malformed }
        let instant =
            switch count {
            case ...11: UnixMilliseconds(value * 1_000)
            case 13: UnixMilliseconds(value)
            default: throw .malformed
            }
        self.init(text: instant.rfc3339, instant: instant)
    }

    /// Takes `.` and one to nine digits if they are there; nil for a point with none or more.
    private static func takeMilliseconds(from cursor: inout ByteCursor) -> Int? {
        guard cursor.take(".") else { return 0 }
        let count = cursor.digitsAhead
        guard (1...9).contains(count), let value = cursor.takeNumber(digits: count) else { return nil }
        return (count..<9).reduce(value) { scaled, _ in scaled * 10 } / 1_000_000
    }

    /// Takes `Z` or `±hh:mm`; the offset in minutes.
    private static func takeOffset(from cursor: inout ByteCursor) throws(TimestampError) -> Int {
        if cursor.take("Z") || cursor.take("z") { return 0 }
        let isEast = cursor.take("+")
        guard isEast || cursor.take("-"), let hours = cursor.takeNumber(digits: 2), cursor.take(":"),
            let minutes = cursor.takeNumber(digits: 2)
        else { throw .malformed }
        guard hours < 24, minutes < 60 else { throw .impossible }
        return isEast ? hours * 60 + minutes : -(hours * 60 + minutes)
    }
}
