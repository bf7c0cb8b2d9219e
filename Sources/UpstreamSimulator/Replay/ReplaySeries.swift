/// The true reference rates on a calendar that is moved by whole weeks.
///
/// The whole calendar moves: history is shifted by the same number of weeks as the latest day. A shown day that is a
/// closing day of TARGET has no fix of its own and carries the one before. A shown publication day whose true
/// counterpart was a holiday repeats the digits of the row before it and is marked as filled.
///
/// Past the newest row the series turns round and walks back through the rows, one for each publication day: no jump,
/// real digits, and a clock that runs on never meets the end. With the true file (`.weeks(0)`) it stops there.
struct ReplaySeries: Sendable {
    let rates: ECBRates
    let shiftWeeks: Int
    private let turnsRound: Bool

    init(rates: ECBRates, shift: ReplayShift, startingAt time: SimulatedTime) {
        self.rates = rates
        shiftWeeks = shift.weeks(newest: rates.day(ofRow: 0), at: time)
        turnsRound = shift != .weeks(0)
    }

    /// The first day that has rates.
    var firstDay: CalendarDay { shown(rates.day(ofRow: rates.rowCount - 1)) }
    /// The day on which the newest row of the file is shown.
    var newestDay: CalendarDay { shown(rates.day(ofRow: 0)) }

    /// The newest fix that is out at `time`; nil before the first.
    func latestFix(at time: SimulatedTime) -> ReplayFix? { fix(on: time.day, at: time) }

    /// The fix of `day` as it is known at `time`: that day's own, else the one carried to it.
    ///
    /// - Returns: nil before the first day and for days after today.
    func fix(on day: CalendarDay, at time: SimulatedTime) -> ReplayFix? {
        guard day <= time.day else { return nil }
        let isOut = PublicationCalendar.publication(on: day) <= time
        return fix(shownBy: isOut ? day : day - 1, askedFor: day)
    }

    /// Whether `day` is a row of a range: the weekdays since the first day, today's once its fix is out.
    func isRow(_ day: CalendarDay, at time: SimulatedTime) -> Bool {
        !day.isWeekend && day >= firstDay && PublicationCalendar.publication(on: day) <= time
    }

    private func fix(shownBy limit: CalendarDay, askedFor day: CalendarDay) -> ReplayFix? {
        var candidate = turnsRound ? limit : min(limit, newestDay)
        while candidate >= firstDay, !isPublicationDay(candidate) { candidate = candidate - 1 }
        guard candidate >= firstDay else { return nil }
        let trueDay = candidate - shiftWeeks * 7
        if trueDay <= rates.day(ofRow: 0) {
            guard let row = rates.row(onOrBefore: trueDay) else { return nil }
            let rowDay = rates.day(ofRow: row)
            return ReplayFix(
                row: row, trueDay: rowDay, shownDay: candidate,
                isForwardFilled: candidate != day || rowDay != trueDay)
        }
        let row = min(publicationDays(after: newestDay, through: candidate), rates.rowCount - 1)
        return ReplayFix(
            row: row, trueDay: rates.day(ofRow: row), shownDay: candidate, isForwardFilled: candidate != day)
    }

    private func isPublicationDay(_ day: CalendarDay) -> Bool {
        guard shiftWeeks == 0, day <= newestDay else { return !PublicationCalendar.isClosed(day) }
        // The true file knows better than the rules, which are younger than its first years.
        guard let row = rates.row(onOrBefore: day) else { return false }
        return rates.day(ofRow: row) == day
    }

    private func publicationDays(after start: CalendarDay, through end: CalendarDay) -> Int {
        var count = 0
        var day = start + 1
        while day <= end {
            if !PublicationCalendar.isClosed(day) { count += 1 }
            day = day + 1
        }
        return count
    }

    private func shown(_ trueDay: CalendarDay) -> CalendarDay { trueDay + shiftWeeks * 7 }
}
