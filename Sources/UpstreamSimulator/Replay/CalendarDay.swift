/// A day of the proleptic Gregorian calendar, without zone or time.
struct CalendarDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    let number: Int

    init(number: Int) { self.number = number }

    /// - Precondition: month 1…12; a day beyond the month's end runs on into the next one.
    init(year: Int, month: Int, day: Int) {
        // Years that begin on 1 March put the leap day last, so that month lengths follow one formula.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// Reads `YYYY-MM-DD` and nothing else; nil for a day that doesn't exist.
    init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for index in range {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
                value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            year > 0, (1...12).contains(month), day > 0
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard parts == (year, month, day) else { return nil }
    }

    /// Year, month and day of the month.
    var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let position = (5 * dayOfYear + 2) / 153
        let month = position < 10 ? position + 3 : position - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * position + 2) / 5 + 1
        )
    }

    /// 0 is Monday, 6 is Sunday.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    var isWeekend: Bool { weekday >= 5 }

    /// `YYYY-MM-DD`.
    var text: String {
        let (year, month, day) = parts
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }
    static func + (day: CalendarDay, days: Int) -> CalendarDay { CalendarDay(number: day.number + days) }
    static func - (day: CalendarDay, days: Int) -> CalendarDay { CalendarDay(number: day.number - days) }
    static func - (left: CalendarDay, right: CalendarDay) -> Int { left.number - right.number }
}

/// The decimal digits of a value that isn't negative, with zeros in front.
func padded(_ value: Int, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
