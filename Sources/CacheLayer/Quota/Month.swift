/// A calendar month in UTC: what the ledger counts by.
///
/// Whole-number arithmetic in the proleptic Gregorian calendar, the same as in the scripts, so that both stores agree on
/// every millisecond. For the years 1 to 9999.
package struct Month: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Months since March of the year 0: years that begin in March have their leap day at the end.
    private let index: Int64

    /// 1970-01-01 in days since 0000-03-01.
    private static let epochDay: Int64 = 719_468
    private static let dayLength: Int64 = 86_400_000

    private init(index: Int64) { self.index = index }

    /// The month in which an instant lies; its first millisecond belongs to it.
    package init(containing instant: UnixMilliseconds) {
        let day = Self.floored(instant.value, Self.dayLength)
        // 4,800 months are 146,097 days: the guess is off by one at most.
        var guess = Self.floored((day + Self.epochDay) * 4_800, 146_097)
        while Self.firstDay(guess) > day { guess -= 1 }
        while Self.firstDay(guess + 1) <= day { guess += 1 }
        index = guess
    }

    /// Reads `YYYY-MM`; nil for anything else.
    package init?(text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[4] == UInt8(ascii: "-") else { return nil }
        let isDigits = (bytes[..<4] + bytes[5...]).allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard isDigits, let year = Int64(text.prefix(4)), let month = Int64(text.suffix(2)) else {
            return nil
        }
        guard (1...12).contains(month) else { return nil }
        index = year * 12 + month - 3
    }

    package static func < (left: Month, right: Month) -> Bool { left.index < right.index }

    /// The month after this one.
    package var next: Month { Month(index: index + 1) }

    /// 00:00 UTC on the 1st.
    package var start: UnixMilliseconds { UnixMilliseconds(Self.firstDay(index) * Self.dayLength) }

    /// `YYYY-MM`.
    package var description: String {
        let (year, month) = (Self.floored(index + 2, 12), index + 2 - Self.floored(index + 2, 12) * 12 + 1)
        let years = String(year)
        return String(repeating: "0", count: max(0, 4 - years.count)) + years + (month < 10 ? "-0" : "-")
            + String(month)
    }

    /// The first day of a month, in days since 1970-01-01.
    private static func firstDay(_ index: Int64) -> Int64 {
        let year = floored(index, 12)
        let leapDays = floored(year, 4) - floored(year, 100) + floored(year, 400)
        // Counted from March, five months have 153 days, again and again.
        return 365 * year + leapDays + floored(153 * (index - 12 * year) + 2, 5) - epochDay
    }

    /// The quotient rounded down, also for what is below zero.
    private static func floored(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
