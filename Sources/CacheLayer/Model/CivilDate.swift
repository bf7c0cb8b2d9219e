/// A day of the Gregorian calendar in UTC, years 0 to 9999.
///
/// The one place for calendar arithmetic: proleptic, by days since 1970-01-01, without Foundation. Safe from any thread.
package struct CivilDate: Hashable, Comparable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    package static let years = 0...9_999

    /// The day, or nil if there is no such one: 2026-02-30, month 13, year 10000.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month) else { return nil }
        guard day >= 1, day <= Self.length(ofMonth: month, in: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that lies `days` after 1970-01-01 (before it, if negative).
    ///
    /// Days outside the years 0 to 9999 are taken for the first or the last one within.
    package init(daysSince1970 days: Int) {
        // Years are counted from 1 March, so that a leap day comes last, in eras of 400 years.
        let shifted = min(max(days, Self.firstDay), Self.lastDay) + Self.daysBefore1970
        let era = Self.floored(shifted, Self.daysOfEra)
        let dayOfEra = shifted - era * Self.daysOfEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// Reads `2026-03-10`, and nothing else: four, two and two digits of a day that there is.
    package init?(parsing bytes: some Sequence<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard let year = cursor.takeNumber(digits: 4), cursor.take("-"),
            let month = cursor.takeNumber(digits: 2), cursor.take("-"),
            let day = cursor.takeNumber(digits: 2), cursor.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `2026-03-10`.
    package var text: String {
        var bytes: [UInt8] = []
        DecimalText.appendFour(year, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        DecimalText.appendTwo(month, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        DecimalText.appendTwo(day, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The day that lies so many days after this one; before it, if negative.
    package func advanced(by days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }

    /// Days from 1970-01-01 to this day; negative before it.
    package var daysSince1970: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = Self.floored(yearFromMarch, 400)
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOfEra + dayOfEra - Self.daysBefore1970
    }

    /// 0 for Sunday to 6 for Saturday.
    package var weekday: Int {
        let days = daysSince1970 + 4
        return days - 7 * Self.floored(days, 7)
    }

    /// Days from 1970-01-01 to the first of the next month.
    package var nextMonthSince1970: Int {
        daysSince1970 - day + 1 + Self.length(ofMonth: month, in: year)
    }

    /// The number of days of a month, 1 to 12.
    package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static let daysOfEra = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysBefore1970 = 719_468
    /// 0000-01-01 and 9999-12-31.
    private static let firstDay = -719_528
    private static let lastDay = 2_932_896

    private static func floored(_ value: Int, _ divisor: Int) -> Int {
        (value >= 0 ? value : value - divisor + 1) / divisor
    }
}
