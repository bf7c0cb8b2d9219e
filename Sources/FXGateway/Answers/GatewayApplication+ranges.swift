import CacheLayer
import HTTPEngine

/// `/v1/range`.
extension GatewayApplication {
    /// The most values of a range in one piece: some 40 ms of a loop's time at 1.2 µs a value, in which it answers nobody else.
    private static let mostValues = 30_000
    /// More currencies than upstream lists, those that it lists no more among them.
    private static let mostSymbols = 45

    func answerRange(
        _ query: RangeQuery, _ parsed: Route.Parsed, _ request: HTTPRequest, _ writer: ResponseWriter,
        at now: Int64, arrival: Arrival?
    ) throws(Problem) -> HTTPDisposition {
        try checkSize(of: query, at: now)
        let selection = Selection.range(query)
        let rendered: RenderedAnswer
        if let known = history.find(selection, at: now) {
            rendered = known
        } else {
            switch table.page(of: query, at: now, today: today(at: now)) {
            case .page(let page):
                rendered = render(page, at: now)
                history.insert(rendered, for: selection)
            case .cold(let resources):
                // All of them, so that they come also when this client has left by then.
                for resource in resources {
                    seams.wanted(resource, .cold)
                    noteWait(for: resource, at: now)
                }
                return try park(request, writer, for: resources[0], as: .range, isTooOld: false, at: now)
            case .tooOld(let resource):
                return try park(request, writer, for: resource, as: .range, isTooOld: true, at: now)
            case .refused(let problem): throw problem
            }
        }
        try check(rendered, parsed.wish, at: now)
        let since = waiting.entry(request.connection)?.since
        waiting.remove(request.connection)
        return deliver(rendered, to: request, writer, at: now, arrival: arrival, since: since)
    }

    /// The day in UTC, by the store's clock where the pivot's table tells it.
    func today(at now: Int64) -> CivilDate {
        guard let pivot = table.holding(of: .latest(base: table.pivot)) else {
            return seams.clock.wall().date
        }
        return (pivot.snapshot.fetchedAt + .milliseconds(pivot.age(at: now))).date
    }

    private func render(_ page: RangePage, at now: Int64) -> RenderedAnswer {
        for year in page.years {
            let resource = year.snapshot.resource
            if let demand = demand(for: resource).use(at: now, isWanting: false) {
                seams.wanted(resource, demand)
            }
        }
        let isCSV = page.query.format == .csv
        return RenderedAnswer(
            page: page, body: isCSV ? HistoryRenderer.csv(page) : HistoryRenderer.json(page),
            contentType: isCSV ? "text/csv" : "application/json", visibility: settings.visibility,
            demand: demand(for: page.worst.snapshot.resource))
    }

    /// Refuses what would keep the loop for long: a range in one piece has no other bound.
    private func checkSize(of query: RangeQuery, at now: Int64) throws(Problem) {
        guard query.format == .csv else { return }
        let (start, end) = (max(query.start, YearSpan.firstDay), min(query.end, today(at: now)))
        let days = end.daysSince1970 - start.daysSince1970 + 1
        let values = max(0, days) * 5 / 7 * (query.symbols?.codes.count ?? Self.mostSymbols)
        guard values <= Self.mostValues else {
            throw Problem(
                .invalidRequest,
                "format: csv comes in one piece, and \(values) values are more than \(Self.mostValues): "
                    + "ask for fewer symbols or days, or for json, which comes in pages.")
        }
    }
}
