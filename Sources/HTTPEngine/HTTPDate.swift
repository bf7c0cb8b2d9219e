import Glibc

/// The bytes of a Date field (RFC 9110 section 5.6.7), kept for the current second.
///
/// Holds them inside of the run of header bytes that every answer has, so that one copy writes them all. Loop's thread
/// only.
final class HTTPDate {
    /// `Date: …` and the constant fields behind it, up to the value of X-Request-Id.
    private(set) var lines: UnsafeMutableRawBufferPointer
    private var second: Int = -1

    private static let before: StaticString = "Date: "
    private static let after: StaticString = "\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: "
    private static let dateCount = 29

    init() {
        let count = Self.before.utf8CodeUnitCount + Self.dateCount + Self.after.utf8CodeUnitCount
        lines = .allocate(byteCount: count, alignment: 1)
        lines.baseAddress?.copyMemory(from: Self.before.utf8Start, byteCount: Self.before.utf8CodeUnitCount)
        let tail = Self.before.utf8CodeUnitCount + Self.dateCount
        for index in 0..<Self.after.utf8CodeUnitCount { lines[tail + index] = Self.after.utf8Start[index] }
        refresh()
    }

    deinit { lines.deallocate() }

    /// The 29 bytes of the date itself.
    var date: UnsafeRawBufferPointer {
        let start = Self.before.utf8CodeUnitCount
        return UnsafeRawBufferPointer(rebasing: lines[start..<(start + Self.dateCount)])
    }

    /// Looks at the clock; rewrites the bytes only when its second has changed.
    func refresh() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        if now.tv_sec != second { write(second: now.tv_sec) }
    }

    /// Writes the date of a Unix time, from 1970 to 9999.
    func write(second: Int) {
        self.second = second
        let days = second / 86_400
        let clock = second % 86_400
        let (year, month, day) = Self.civil(days: days)
        put(Self.weekdays, item: (days + 4) % 7, at: 0)
        put(", ", at: 3)
        put(day, at: 5)
        put(" ", at: 7)
        put(Self.months, item: month - 1, at: 8)
        put(" ", at: 11)
        put(year / 100, at: 12)
        put(year % 100, at: 14)
        put(" ", at: 16)
        put(clock / 3600, at: 17)
        put(":", at: 19)
        put(clock / 60 % 60, at: 20)
        put(":", at: 22)
        put(clock % 60, at: 23)
        put(" GMT", at: 25)
    }

    private static let weekdays: StaticString = "SunMonTueWedThuFriSat"
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    private func put(_ text: StaticString, at offset: Int) {
        let start = Self.before.utf8CodeUnitCount + offset
        for index in 0..<text.utf8CodeUnitCount { lines[start + index] = text.utf8Start[index] }
    }

    private func put(_ names: StaticString, item: Int, at offset: Int) {
        let start = Self.before.utf8CodeUnitCount + offset
        for index in 0..<3 { lines[start + index] = names.utf8Start[item * 3 + index] }
    }

    private func put(_ twoDigits: Int, at offset: Int) {
        let start = Self.before.utf8CodeUnitCount + offset
        lines[start] = UInt8(twoDigits / 10 + 48)
        lines[start + 1] = UInt8(twoDigits % 10 + 48)
    }

    /// The proleptic Gregorian date of a day counted from 1970-01-01, by eras of 400 years that begin in March.
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
