import CacheLayer

/// Spans of days, from the pivot's years.
extension SnapshotTable {
    /// A page holds the rows of at most so many days: 366 of them, five a week.
    private static let daysOfPage = 513

    /// What an answer for a range would be made of at an instant of the loop's clock; `today` is the day in UTC.
    func draft(of query: RangeQuery, at now: Int64, today: CivilDate) -> RangeOpening {
        guard query.end >= YearSpan.firstDay, query.start <= today else {
            return .closed(.refused(Self.noData("\(query.start.text) to \(query.end.text)")))
        }
        if let refusal = refusal(of: query.base, Wish(.range(query))) {
            return .closed(.refused(refusal))
        }
        let first = max(query.start, YearSpan.firstDay, query.after?.advanced(by: 1) ?? query.start)
        let last = min(query.end, today)
        // Only a cursor that nobody here has made begins behind the last day.
        guard first <= last else {
            return .closed(.refused(Self.noData("\(first.text) to \(last.text)")))
        }
        if let missing = missing(from: first, through: last, query) { return .closed(.cold(missing)) }
        return .draft(
            RangeDraft(
                query: query, pivot: pivot, policy: policy, now: now, today: today, first: first, last: last,
                years: (first.year...last.year).map(year)))
    }

    /// The years that the page needs and that aren't held; nil if there is none.
    private func missing(
        from first: CivilDate, through last: CivilDate, _ query: RangeQuery
    ) -> [Resource]? {
        let end = query.format == .csv ? last : min(last, first.advanced(by: Self.daysOfPage))
        let years = (first.year...end.year).filter { year($0) == nil }
        guard !years.isEmpty else { return nil }
        guard hasCodes else { return [.latest(base: pivot)] }
        return years.map { .year(base: pivot, year: $0) }
    }
}
