/// Calendar arithmetic and digits of RFC 3339, free of locale, zone and platform.
enum CivilTime {
    /// The days of a month.
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from 1970-01-01, after "chrono-compatible low-level date algorithms" by Howard Hinnant.
    static func daysSince1970(_ day: Day) -> Int {
        // The year begins in March, so that the leap day is its last.
        let year = day.month <= 2 ? day.year - 1 : day.year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (day.month + (day.month > 2 ? -3 : 9)) + 2) / 5 + day.day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day that many days from 1970-01-01; nil outside the years 1 to 9999.
    static func day(daysSince1970 days: Int) -> Day? {
        let shifted = days + 719_468
        guard shifted >= 0 else { return nil }
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return Day(year: year, month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Reads ten bytes `YYYY-MM-DD`.
    static func day(_ bytes: ArraySlice<UInt8>) -> Day? {
        let start = bytes.startIndex
        guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            let year = number(bytes[start..<start + 4]), let month = number(bytes[start + 5..<start + 7]),
            let day = number(bytes[start + 8..<start + 10])
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    /// Reads ASCII digits only, at most 18 of them, and nothing that an `Int` doesn't hold (it has 32 bits on older watches).
    static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard (1...18).contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(exactly: bytes.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) })
    }

    /// Writes a number with leading zeros.
    static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
