/// What a calendar month costs: calls by the pace, the calendar and the shares that the fleet itself goes by.
///
/// Pure and deterministic: a clock that jumps from call to call, nothing failing and everybody asking all the time.
package struct PlanForecast: Hashable, Sendable {
    /// When a table is fetched if there is budget enough.
    package enum Cadence: Hashable, Sendable {
        /// Rates that are fetched after an interval: live, of an unknown source, once a day for `fred_daily`.
        case every(Duration)
        /// The ECB's fixes: from the publication on every five minutes, so many polls until it is there, at least one.
        case fixes(polls: Int64)
    }

    /// Calls in the month, never more than the plan.
    package let calls: Int64
    /// On which day the plan was spent, that is, a call was wanted and none was left; nil if it lasts.
    package let spentOn: CivilDate?
    /// The shortest and the longest distance of two fetches of one table that is fetched after an interval; nil without.
    package let intervals: ClosedRange<Duration>?

    private static let accountInterval = Duration.seconds(86_400)

    /// Runs the month.
    ///
    /// - Parameters:
    ///   - plan: what may be spent.
    ///   - month: the calendar month, whole.
    ///   - tables: one for each base that is fetched; not empty.
    ///   - asksAccount: whether upstream's own count is asked for once a day, as with a key.
    ///   - isPaced: whether the pace holds calls back; without it the month shows what is wished for.
    package init(plan: QuotaPlan, month: Month, tables: [Cadence], asksAccount: Bool, isPaced: Bool) {
        precondition(!tables.isEmpty, "a forecast needs a table")
        var used: Int64 = 0
        var spentOn: CivilDate?
        var intervals: ClosedRange<Duration>?
        var rows = (tables + (asksAccount ? [.every(Self.accountInterval)] : [])).map { cadence in
            Row(cadence, from: month.start)
        }
        let end = month.next.start
        while let place = rows.indices.min(by: { rows[$0].due < rows[$1].due }), rows[place].due < end {
            let now = rows[place].due
            guard used < plan.monthly else {
                spentOn = now.date
                break
            }
            used += 1
            let own = rows[place].fetched(at: now)
            guard isPaced else {
                rows[place].due = now + own
                continue
            }
            let others = rows.indices.filter { $0 != place && $0 < tables.count }.map { rows[$0].interval }
            let wait = max(
                own, Self.pace(plan, left: plan.monthly - used, own: own, others, at: now) ?? (end - now))
            if case .every = rows[place].cadence, place < tables.count, now + wait < end {
                intervals =
                    intervals.map { min($0.lowerBound, wait)...max($0.upperBound, wait) } ?? wait...wait
            }
            rows[place].due = now + wait
        }
        calls = used
        self.spentOn = spentOn
        self.intervals = intervals
    }

    /// The interval that a table's share of the budget allows; nil where nothing is left.
    private static func pace(
        _ plan: QuotaPlan, left: Int64, own: Duration, _ others: [Duration], at now: UnixMilliseconds
    ) -> Duration? {
        let whole = Pace.interval(at: now, left: left, permille: plan.targetPermille)
        let share = PaceShare.permille(of: plan.targetPermille, pace: whole, own: own, others: others)
        return Pace.interval(at: now, left: left, permille: share).map { max($0, plan.gap) }
    }

    /// One resource on its way through the month.
    private struct Row {
        let cadence: Cadence
        var due: UnixMilliseconds
        private var polls: Int64 = 0

        init(_ cadence: Cadence, from start: UnixMilliseconds) {
            self.cadence = cadence
            due =
                switch cadence {
                case .every: start
                case .fixes: PublicationCalendar.ecb.next(after: start)
                }
        }

        /// What it asks for between two fetches, for the shares of the others.
        var interval: Duration {
            switch cadence {
            case .every(let interval): interval
            case .fixes(let polls): .seconds(86_400 / max(1, polls))
            }
        }

        /// Notes a fetch and says when the next one is wished for.
        mutating func fetched(at now: UnixMilliseconds) -> Duration {
            switch cadence {
            case .every(let interval): return interval
            case .fixes(let most):
                polls += 1
                let calendar = PublicationCalendar.ecb
                guard polls < most else {
                    polls = 0
                    return calendar.next(after: now) - now
                }
                return TierPolicy.wait(for: calendar.last(atOrBefore: now), now: now)
            }
        }
    }
}
