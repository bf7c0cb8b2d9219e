import CacheLayer

/// Puts a page together, year by year.
struct RangeBuilder {
    let query: RangeQuery
    let pivot: Currency
    let policy: TierPolicy
    /// On the loop's clock.
    let now: Int64

    private var rows: [RangePage.Row] = []
    private var years: [(holding: Holding, table: YearTable)] = []
    /// The columns that are needed, in their order; nil for all.
    private let legs: [Currency]?
    private let limit: Int

    init(query: RangeQuery, pivot: Currency, policy: TierPolicy, now: Int64) {
        self.query = query
        self.pivot = pivot
        self.policy = policy
        self.now = now
        legs = query.symbols.map { Set($0.codes + [query.base]).subtracting([pivot]).sorted() }
        limit = query.format == .csv ? Int.max : RangePage.mostRows
    }

    /// Whether there is a row more than the page has room for.
    var isFull: Bool { rows.count > limit }

    /// Adds the rows of a year that lie in the span, until the page is full.
    mutating func add(
        _ holding: Holding, _ year: YearTable, from first: CivilDate, through last: CivilDate
    ) {
        years.append((holding, year))
        for row in year.rows(from: first, through: last) where row.date.year == year.year {
            guard !isFull else { return }
            let table = year.table(of: row, only: legs)
            let quotes = quotes(in: table)
            guard !quotes.isEmpty else { continue }
            rows.append(
                RangePage.Row(
                    date: row.date, source: row.source, isForwardFilled: row.isForwardFilled,
                    dataTime: row.dataTime, quotes: quotes))
        }
    }

    /// The pairs that the day has; none where it doesn't have the base.
    private func quotes(in table: RateTable) -> [PairQuote] {
        let codes =
            query.symbols?.codes
            ?? (table.symbols.map(\.currency) + [pivot]).filter { $0 != query.base }.sorted()
        return codes.compactMap { try? PairQuote(query.base, $0, in: table) }
    }

    /// The page, or why its years can't be shown as they are.
    func close(through last: CivilDate, today: CivilDate) -> RangeOutcome {
        let shown = Array(rows.prefix(limit))
        let next = rows.count > limit ? shown.last?.date : nil
        let end = next ?? last
        var standings: [Standing] = []
        for (holding, year) in years where year.year <= end.year {
            let day = min(end, CivilDate(year: year.year, month: 12, day: 31) ?? end)
            let over = min(day, today.advanced(by: -1))
            if let row = year.row(onOrBefore: day), holding.lacks(over, after: row, at: now) {
                return .tooOld(holding.snapshot.resource)
            }
            let standing = Standing(holding.on(day, holding.snapshot.table), year, policy, now)
            guard standing.state != .expired else { return .tooOld(holding.snapshot.resource) }
            standings.append(standing)
        }
        guard
            let worst = standings.max(by: { ($0.state, $1.freshUntil) < ($1.state, $0.freshUntil) })
        else { return .refused(SnapshotTable.noData(end.text)) }
        let served = Set(shown.flatMap { $0.quotes.map(\.quote) })
        return .page(
            RangePage(
                query: query, rows: shown, next: next,
                unavailable: query.symbols?.codes.filter { !served.contains($0) } ?? [],
                years: standings.map(\.holding), worst: worst.holding,
                isSettled: standings.allSatisfy(\.isSettled), state: worst.state,
                reason: worst.state == .fresh ? nil : worst.holding.view.condition.staleReason,
                freshUntil: worst.freshUntil, servedUntil: worst.servedUntil,
                changesAt: standings.map(\.changesAt).min() ?? worst.freshUntil,
                nextRefresh: worst.holding.nextRefresh))
    }

    /// How the part of a page that is of one year stands.
    private struct Standing {
        let holding: Holding
        let isSettled: Bool
        let state: Freshness
        let freshUntil: UnixMilliseconds
        let servedUntil: UnixMilliseconds
        let changesAt: UnixMilliseconds

        init(_ holding: Holding, _ year: YearTable, _ policy: TierPolicy, _ now: Int64) {
            let snapshot = holding.snapshot
            let age = Duration.milliseconds(holding.age(at: now))
            self.holding = holding
            isSettled = policy.isSettled(year, in: snapshot)
            state = policy.freshness(of: nil, in: snapshot, age: age)
            freshUntil = policy.freshUntil(of: nil, in: snapshot)
            servedUntil = policy.servedUntil(of: nil, in: snapshot)
            let present = snapshot.fetchedAt + age
            let ends = [freshUntil, servedUntil] + (isSettled ? [] : [present.nextMidnight])
            changesAt = ends.filter { $0 > present }.min() ?? present + .milliseconds(1)
        }
    }
}

extension UnixMilliseconds {
    /// The next 00:00 UTC.
    var nextMidnight: UnixMilliseconds { UnixMilliseconds(date.advanced(by: 1)) }
}
