/// When the European Central Bank publishes: 16:00 Europe/Berlin on the days on which TARGET is open.
///
/// TARGET closes on Saturdays, Sundays, 1 January, Good Friday, Easter Monday, 1 May, 25 and 26 December
/// (the rules in force since 2002).
enum PublicationCalendar {
    static func isClosed(_ day: CalendarDay) -> Bool {
        if day.isWeekend { return true }
        let (year, month, dayOfMonth) = day.parts
        switch (month, dayOfMonth) {
        case (1, 1), (5, 1), (12, 25), (12, 26): return true
        case (3, _), (4, _):
            let easter = easterSunday(of: year)
            return day == easter - 2 || day == easter + 1
        default: return false
        }
    }

    /// 16:00 Berlin time of `day`: 14:00 UTC in summer time, else 15:00.
    static func publication(on day: CalendarDay) -> SimulatedTime {
        SimulatedTime(day: day, hour: isSummerAfternoon(day) ? 14 : 15)
    }

    /// The newest day whose publication is at or before `time`.
    static func latestPublicationDay(at time: SimulatedTime) -> CalendarDay {
        var day = time.day
        if time < publication(on: day) { day = day - 1 }
        while isClosed(day) { day = day - 1 }
        return day
    }

    /// Sunday of Easter in the Gregorian calendar (Gauss's rule as Meeus and Butcher give it).
    static func easterSunday(of year: Int) -> CalendarDay {
        let golden = year % 19
        let century = year / 100
        let rest = year % 100
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let toSunday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let late = (golden + 11 * epact + 22 * toSunday) / 451
        let sum = epact + toSunday - 7 * late + 114
        return CalendarDay(year: year, month: sum / 31, day: sum % 31 + 1)
    }

    /// Whether Berlin keeps summer time in the afternoon of `day`: from the last Sunday of March to the day before the
    /// last one of October, as in the whole European Union since 1996.
    private static func isSummerAfternoon(_ day: CalendarDay) -> Bool {
        let year = day.parts.year
        return day >= lastSunday(of: 3, in: year) && day < lastSunday(of: 10, in: year)
    }

    /// For the months of 31 days.
    private static func lastSunday(of month: Int, in year: Int) -> CalendarDay {
        let last = CalendarDay(year: year, month: month, day: 31)
        return last - (last.weekday + 1) % 7
    }
}
