import CacheLayer
import EventLoop
import HTTPEngine

/// `/v1/range`.
extension GatewayApplication {
    /// The most values of a range in one piece: some 40 ms of a processor's time at 1.2 µs a value.
    private static let mostValues = 30_000

    /// Answers, refuses or parks a request for a range; a page that takes long is made beside the loop.
    func answerRange(
        _ query: RangeQuery, _ parsed: Route.Parsed, _ request: HTTPRequest, _ writer: ResponseWriter,
        at now: Int64, arrival: Arrival?
    ) throws(Problem) -> HTTPDisposition {
        try checkSize(of: query, at: now)
        let selection = Selection.range(query)
        let since =
            waiting.entry(request.connection)?.since ?? ranges.waiting.entry(request.connection)?.since
        let rendered: RenderedAnswer
        if let known = history.find(selection, at: now) {
            ranges.remove(request.connection)
            rendered = known
        } else {
            guard let made = try made(query, request, writer, at: now, arrival: arrival) else {
                return .parked
            }
            ranges.remove(request.connection)
            switch made.outcome {
            case .page(let page):
                rendered = render(page, made, at: now)
                // What was made of years that are others by now is true of the moment in which it was asked for.
                if ranges.made.map({ $0.edition == ranges.edition }) ?? true {
                    history.insert(rendered, for: selection)
                }
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
        waiting.remove(request.connection)
        return deliver(rendered, to: request, writer, at: now, arrival: arrival, since: since)
    }

    // MARK: - Making

    /// The page of a range; nil if the request now waits for it.
    private func made(
        _ query: RangeQuery, _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64,
        arrival: Arrival?
    ) throws(Problem) -> MadeRange? {
        if let made = ranges.made, made.query == query { return made.range }
        switch table.draft(of: query, at: now, today: today(at: now)) {
        case .closed(let outcome): return MadeRange(outcome: outcome)
        case .draft(let draft):
            guard draft.isLong else { return draft.made() }
            try wait(for: draft, request, writer, at: now, after: arrival)
            return nil
        }
    }

    /// Has a page made on another thread, once for all who ask for it meanwhile.
    ///
    /// Without a limit in time of its own: it depends on nobody but the processor. Who waits for a year beside keeps the place
    /// and the time in which that has to come.
    private func wait(
        for draft: RangeDraft, _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64,
        after arrival: Arrival?
    ) throws(Problem) {
        guard ranges.waiting.entry(request.connection) == nil else { return }
        guard writer.mayPark, !ranges.waiting.isFull, ranges.hasRoom(for: draft.query) else {
            throw Problem(.overloaded, "Too many long ranges are being put together.", retryAfter: 1)
        }
        let since = waiting.entry(request.connection)?.since ?? now
        ranges.add(
            request.connection,
            WaitingList.Entry(awaited: draft.query, deadline: .max, since: since, caller: caller),
            after: arrival)
        guard ranges.begin(draft.query) else { return }
        let edition = ranges.edition
        seams.aside { [self, loop] in
            let made = draft.made()
            loop.post { self.land(draft.query, made, of: edition) }
        }
    }

    /// Answers those who waited for this page.
    private func land(_ query: RangeQuery, _ made: MadeRange, of edition: Int) {
        ranges.land(query, made, of: edition)
        for id in ranges.waiting.waiting(for: query) {
            let arrival = ranges.arrival(for: id)
            server?.resumeNow(id) { [unowned self] request, writer in
                understand(request, writer, at: seams.clock.milliseconds(), arrival: arrival)
            }
        }
        ranges.clear()
    }

    /// The day in UTC, by the store's clock where the pivot's table tells it.
    func today(at now: Int64) -> CivilDate {
        guard let pivot = table.holding(of: .latest(base: table.pivot)) else {
            return seams.clock.wall().date
        }
        return (pivot.snapshot.fetchedAt + .milliseconds(pivot.age(at: now))).date
    }

    private func render(_ page: RangePage, _ made: MadeRange, at now: Int64) -> RenderedAnswer {
        for year in page.years {
            let resource = year.snapshot.resource
            if let demand = demand(for: resource).use(at: now, isWanting: false) {
                seams.wanted(resource, demand)
            }
        }
        return RenderedAnswer(
            page: page, body: made.body, etag: made.etag,
            contentType: page.query.format == .csv ? "text/csv" : "application/json",
            visibility: settings.visibility, demand: demand(for: page.worst.snapshot.resource))
    }

    /// Refuses what would take a processor for long: a range in one piece has no other bound.
    private func checkSize(of query: RangeQuery, at now: Int64) throws(Problem) {
        guard query.format == .csv else { return }
        let (start, end) = (max(query.start, YearSpan.firstDay), min(query.end, today(at: now)))
        let values = RangeDraft.values(of: query, from: start, through: end)
        guard values <= Self.mostValues else {
            throw Problem(
                .invalidRequest,
                "format: csv comes in one piece, and \(values) values are more than \(Self.mostValues): "
                    + "ask for fewer symbols or days, or for json, which comes in pages.")
        }
    }
}
