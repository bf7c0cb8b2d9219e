/// Which days a calendar year of history is asked for: the year itself, and the days before it that its first ones carry.
package struct YearSpan: Hashable, Sendable {
    package let first: CivilDate
    package let last: CivilDate

    /// The first day that upstream has rates of.
    package static let firstDay = CivilDate(daysSince1970: 10_595)

    /// 24 December of the year before: whatever is closed around the New Year, there is a fix between it and then.
    private static let leadMonth = 12
    private static let leadDay = 24

    /// What is still to be asked for of a year on a day; nil if there is nothing.
    ///
    /// `held` are the pages that have come: the rest is asked for by its first day and not by upstream's cursor, whose life
    /// nobody has promised.
    package init?(year: Int, held: YearTable?, today: CivilDate) {
        guard let lead = CivilDate(year: year - 1, month: Self.leadMonth, day: Self.leadDay),
            let end = CivilDate(year: year, month: 12, day: 31)
        else { return nil }
        var first = max(lead, Self.firstDay)
        if let held, !held.isComplete, let newest = held.rows.last {
            first = newest.date.advanced(by: 1)
        }
        last = min(end, today)
        self.first = first
        guard first <= last else { return nil }
    }
}
