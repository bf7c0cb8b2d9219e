/// When the days of a year of history are settled, and when its table is due for a refresh.
///
/// Pure functions of days and instants by the store's clock; the same on all instances.
package enum YearSchedule {
    /// After so many days no correction of a day is waited for.
    static let settlingDays = 14
    /// As long as anybody keeps anything.
    static let forever = Duration.seconds(100 * 366 * 86_400)
    /// How long the store keeps a settled year after it was last written.
    ///
    /// Their number is that of the years since 1999: they need no other bound.
    static let settledKept = Duration.seconds(10 * 366 * 86_400)

    /// Whether a day was settled when its year was fetched: what was said of it then holds for good.
    package static func isSettled(_ day: CivilDate, by fetchedAt: UnixMilliseconds) -> Bool {
        UnixMilliseconds(day.advanced(by: settlingDays + 1)) <= fetchedAt
    }

    /// When the last day of a year is settled.
    static func settles(_ year: Int) -> UnixMilliseconds {
        let end = CivilDate(year: year, month: 12, day: 31) ?? CivilDate(daysSince1970: 0)
        return UnixMilliseconds(end.advanced(by: settlingDays + 1))
    }

    /// What a year's table is waiting for: the first publication after its newest row, or, when there are no more of them in
    /// the year, the day on which it is settled.
    static func awaits(_ year: YearTable, after dataTime: UnixMilliseconds) -> UnixMilliseconds {
        let next = PublicationCalendar.ecb.next(afterFix: dataTime)
        return next.date.year > year.year ? settles(year.year) : next
    }

    /// Whether a day that is over may have a row which was not there when its year was fetched, and is there by now.
    ///
    /// Carrying the last row over to it would give another value than the day has.
    package static func mayLack(
        _ day: CivilDate, after row: YearTable.Row, fetchedAt: UnixMilliseconds, now: UnixMilliseconds
    ) -> Bool {
        guard !isSettled(day, by: fetchedAt), row.date < day, day < now.date else { return false }
        let due = PublicationCalendar.ecb.next(afterFix: row.dataTime) + TierPolicy.publicationGrace
        return due < UnixMilliseconds(day.advanced(by: 1)) && fetchedAt < due && due <= now
    }
}
