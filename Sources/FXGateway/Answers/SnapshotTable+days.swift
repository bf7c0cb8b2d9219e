import CacheLayer

/// Past days, from the pivot's years.
extension SnapshotTable {
    /// What an answer for a day would say at an instant of the loop's clock; `today` is the day in UTC.
    func plan(
        on date: CivilDate, base: Currency, wish: Wish, at now: Int64, today: CivilDate
    ) -> PlanOutcome {
        guard date >= YearSpan.firstDay, date <= today else { return .unknown(Self.noData(date.text)) }
        if let refusal = refusal(of: base, wish) { return .unknown(refusal) }
        let resource = Resource.year(base: pivot, year: date.year)
        guard let (holding, year) = year(date.year) else { return .cold(wanted(for: resource)) }
        guard let row = year.row(onOrBefore: date) else { return .unknown(Self.noData(date.text)) }
        guard !holding.lacks(date, after: row, at: now) else { return .tooOld(resource) }
        let day = holding.on(date, year.table(of: row))
        switch Self.judge(day, base: base, wish: wish, policy: policy, at: now) {
        case .served(let plan): return .answer(plan, holding: day, wanted: resource)
        case .tooOld: return .tooOld(resource)
        case .unknown(let problem):
            // A code that there is, or was, but not on that day.
            guard hasCodes else { return .unknown(problem) }
            let codes = [base] + (wish.codes ?? [])
            let lacking = codes.first { $0 != pivot && day.snapshot.table.entry(of: $0) == nil } ?? base
            return .unknown(Self.noData("\(date.text): that day has no rate of \(lacking)"))
        }
    }

    /// A year that is held with all its pages.
    func year(_ year: Int) -> (Holding, YearTable)? {
        guard let holding = holding(of: .year(base: pivot, year: year)), let table = holding.snapshot.year,
            table.isComplete
        else { return nil }
        return (holding, table)
    }

    /// The year, once it is known which codes there are: before that nothing is fetched for them.
    func wanted(for year: Resource) -> Resource { hasCodes ? year : .latest(base: pivot) }

    /// Whether the pivot's table says which codes there are.
    var hasCodes: Bool { holding(of: .latest(base: pivot)) != nil }

    /// Why there can be no answer whatever the day is; nil where there may be one, or nothing is known yet.
    func refusal(of base: Currency, _ wish: Wish) -> Problem? {
        guard hasCodes else { return nil }
        guard isKnown(base) else {
            return Self.noBase(base)
        }
        switch wish {
        case .all: return nil
        case .named(let codes):
            guard !codes.contains(where: isKnown) else { return nil }
            return codes.first.map { Self.refusal(base, $0) }
        case .each(let codes): return codes.first { !isKnown($0) }.map { Self.refusal(base, $0) }
        }
    }

    private func isKnown(_ code: Currency) -> Bool {
        code == pivot || RetiredCurrencies.contains(code)
            || holding(of: .latest(base: pivot))?.snapshot.table.entry(of: code) != nil
    }

    static func noData(_ what: String) -> Problem {
        Problem(.noDataForDate, "There is no data for \(what).")
    }
}
