import Foundation

/// When the European Central Bank publishes its reference rates: 16:00 in Frankfurt on every TARGET day.
///
/// By the time zone database's rule for Europe/Berlin, never by an offset, so 15:00Z in winter and 14:00Z in
/// summer. The TARGET closing days are those in force since 2002; before that the days are only nearly right.
/// A pure value: about a microsecond a question, nothing is kept between two of them. Safe from any thread.
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
        while !Self.isTargetDay(day) || publication(on: day) <= instant { day = day.advanced(by: 1) }
        return publication(on: day)
    }

    /// The publication after the one that a data time speaks of.
    package func next(afterFix dataTime: UnixMilliseconds) -> UnixMilliseconds {
        next(after: fix(at: dataTime))
    }

    /// The last publication that isn't later than an instant.
    package func last(atOrBefore instant: UnixMilliseconds) -> UnixMilliseconds {
        let instant = Self.clamped(instant)
        var day = localDay(of: instant)
        while !Self.isTargetDay(day) || publication(on: day) > instant { day = day.advanced(by: -1) }
        return publication(on: day)
    }

    /// The publication that a data time means.
    ///
    /// Midnight UTC to the millisecond is a date without a time of day: on a TARGET day it stands for that day's fix, which
    /// came out in the afternoon. Any other instant stands for itself.
    package func fix(at dataTime: UnixMilliseconds) -> UnixMilliseconds {
        let instant = Self.clamped(dataTime)
        let day = instant.date
        guard instant == UnixMilliseconds(day, secondOfDay: 0), Self.isTargetDay(day) else { return dataTime }
        return publication(on: day)
    }

    /// Whether the day that an instant falls on in Frankfurt is a TARGET day.
    package func isTargetDay(at instant: UnixMilliseconds) -> Bool {
        Self.isTargetDay(localDay(of: Self.clamped(instant)))
    }

    // MARK: Zone

    /// 1 January 1 to 17 December 9999: what a time stamp can say, less the days that a search needs before
    /// the calendar ends.
    private static func clamped(_ instant: UnixMilliseconds) -> UnixMilliseconds {
        min(max(instant, UnixMilliseconds(-62_135_596_800_000)), UnixMilliseconds(253_401_091_199_999))
    }

    /// Seconds by which Frankfurt is ahead of UTC at an instant (seconds since 1970).
    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
    }

    /// The civil day in Frankfurt.
    private func localDay(of instant: UnixMilliseconds) -> CivilDate {
        let seconds = (instant.value - (instant.value < 0 ? 999 : 0)) / 1_000
        return UnixMilliseconds((seconds + offset(at: seconds)) * 1_000).date
    }

    /// 16:00 in Frankfurt: an hour that every day has once, since the clocks change in the night.
    package func publication(on day: CivilDate) -> UnixMilliseconds {
        let wall = UnixMilliseconds(day, secondOfDay: 16 * 3_600).value / 1_000
        let guess = wall - offset(at: wall)
        return UnixMilliseconds((wall - offset(at: guess)) * 1_000)
    }

    // MARK: TARGET days

    /// Whether TARGET is open: not on Saturdays, Sundays, 1 January, Good Friday, Easter Monday, 1 May, 25
    /// and 26 December (ECB, long-term calendar for TARGET closing days).
    static func isTargetDay(_ day: CivilDate) -> Bool {
        guard (1...5).contains(day.weekday) else { return false }
        switch (day.month, day.day) {
        case (1, 1), (5, 1), (12, 25), (12, 26): return false
        // Easter Sunday is between 22 March and 25 April.
        case (3, _), (4, _):
            let distance = day.daysSince1970 - easterSunday(of: day.year).daysSince1970
            return distance != -2 && distance != 1
        default: return true
        }
    }

    /// Easter Sunday of the Gregorian calendar.
    ///
    /// The anonymous algorithm of 1876, as in J. Meeus, Astronomical Algorithms, chapter 8.
    static func easterSunday(of year: Int) -> CivilDate {
        let golden = year % 19
        let (century, rest) = year.quotientAndRemainder(dividingBy: 100)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let late = (golden + 11 * epact + 22 * weekday) / 451
        let position = epact + weekday - 7 * late + 114
        guard let easter = CivilDate(year: year, month: position / 31, day: position % 31 + 1) else {
            preconditionFailure("Easter is between 22 March and 25 April of any year from 0 to 9999")
        }
        return easter
    }
}
