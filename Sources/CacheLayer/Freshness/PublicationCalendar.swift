import Foundation

/// When the European Central Bank publishes its reference rates: 16:00 in Frankfurt on every TARGET day.
///
/// By the time zone database's rule for Europe/Berlin, never by an offset, so 15:00Z in winter and 14:00Z in summer. The
/// TARGET closing days are those in force since 2002; before that the days are only nearly right. A pure value: some
/// hundred nanoseconds a question, nothing is kept between two of them. Safe from any thread.
package struct PublicationCalendar: Hashable, Sendable {
    private let zone: TimeZone

    package static let ecb = PublicationCalendar()

    private init() {
        // The zone rules come with Foundation's own data, not from the machine's: they are always there.
        guard let zone = TimeZone(identifier: "Europe/Berlin") else {
            preconditionFailure("Foundation comes without the time zone Europe/Berlin")
        }
        self.zone = zone
    }

    /// The first publication later than an instant.
    package func next(after instant: UnixMilliseconds) -> UnixMilliseconds {
        let instant = Self.clamped(instant)
        var day = localDay(of: instant)
        while !Self.isTargetDay(day) || publication(on: day) <= instant { day += 1 }
        return publication(on: day)
    }

    /// The last publication that isn't later than an instant.
    package func last(atOrBefore instant: UnixMilliseconds) -> UnixMilliseconds {
        let instant = Self.clamped(instant)
        var day = localDay(of: instant)
        while !Self.isTargetDay(day) || publication(on: day) > instant { day -= 1 }
        return publication(on: day)
    }

    /// Whether the day that an instant falls on in Frankfurt is a TARGET day.
    package func isTargetDay(_ instant: UnixMilliseconds) -> Bool {
        Self.isTargetDay(localDay(of: Self.clamped(instant)))
    }

    // MARK: Zone

    /// 1 January 1 to the end of 9999: what a time stamp can say; keeps the arithmetic from running over.
    private static func clamped(_ instant: UnixMilliseconds) -> UnixMilliseconds {
        min(max(instant, UnixMilliseconds(-62_135_596_800_000)), UnixMilliseconds(253_402_300_799_999))
    }

    /// Seconds by which Frankfurt is ahead of UTC at an instant (seconds since 1970).
    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
    }

    /// The civil day in Frankfurt, in days since 1970-01-01.
    private func localDay(of instant: UnixMilliseconds) -> Int64 {
        let seconds = Self.floorDivide(instant.value, 1_000)
        return Self.floorDivide(seconds + offset(at: seconds), 86_400)
    }

    /// 16:00 in Frankfurt: an hour that every day has once, since the clocks change in the night.
    private func publication(on day: Int64) -> UnixMilliseconds {
        let wall = day * 86_400 + 16 * 3_600
        let guess = wall - offset(at: wall)
        return UnixMilliseconds((wall - offset(at: guess)) * 1_000)
    }

    // MARK: TARGET days

    /// Whether TARGET is open: not on Saturdays, Sundays, 1 January, Good Friday, Easter Monday, 1 May, 25 and 26
    /// December (ECB, long-term calendar for TARGET closing days).
    ///
    /// The day counts from 1970-01-01, a Thursday.
    static func isTargetDay(_ day: Int64) -> Bool {
        guard (0...4).contains(floorModulo(day + 3, 7)) else { return false }
        let (year, month, dayOfMonth) = civil(day)
        switch (month, dayOfMonth) {
        case (1, 1), (5, 1), (12, 25), (12, 26): return false
        default: break
        }
        let easter = easterSunday(of: year)
        return day != easter - 2 && day != easter + 1
    }

    /// Easter Sunday of the Gregorian calendar, in days since 1970-01-01.
    ///
    /// The anonymous algorithm of 1876, as in J. Meeus, Astronomical Algorithms, chapter 8.
    static func easterSunday(of year: Int64) -> Int64 {
        let golden = year % 19
        let (century, rest) = year.quotientAndRemainder(dividingBy: 100)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let late = (golden + 11 * epact + 22 * weekday) / 451
        let position = epact + weekday - 7 * late + 114
        return days(year: year, month: position / 31, day: position % 31 + 1)
    }

    // MARK: Days

    /// Days since 1970-01-01 of a date in the Gregorian calendar, by counting from 1 March, so that the leap
    /// day comes last.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        return 365 * shifted + floorDivide(shifted, 4) - floorDivide(shifted, 100) + floorDivide(shifted, 400)
            + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }

    /// The date of a day since 1970-01-01: the reverse of `days`.
    static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let fromMarchOfYear0 = day + 719_468
        let era = floorDivide(fromMarchOfYear0, 146_097)
        let dayOfEra = fromMarchOfYear0 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        value - floorDivide(value, divisor) * divisor
    }
}
