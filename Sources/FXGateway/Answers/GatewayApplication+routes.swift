import CacheLayer
import HTTPEngine
import Telemetry

/// From a request that isn't known by its target to an answer.
extension GatewayApplication {
    /// Understands a request and answers, refuses or parks it: the one place where problems become answers.
    ///
    /// `arrival` is nil at the first time; for a parked one that is tried again, it is what has come.
    func understand(
        _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64, arrival: Arrival?
    ) -> HTTPDisposition {
        var name = RouteName.none
        // Who has waited was admitted when the wait began.
        let (entry, replay) = (waiting.entry(request.connection), replays.entry(request.connection))
        let draft = ranges.waiting.entry(request.connection)
        let since = entry?.since ?? replay?.since ?? draft?.since
        let admitted = entry?.caller ?? replay?.caller ?? draft?.caller
        caller = admitted ?? .nobody
        do throws(Problem) {
            if isAsterisk(request) { return answerOptions(.none, request, writer) }
            let path = try path(of: request, at: now)
            name = path.name
            switch request.method {
            case .options: return answerOptions(name, request, writer)
            case .get, .head, .post, .delete, .put, .patch, .other:
                guard name.allows(request.method) else { throw notAllowed }
            }
            if name.isForClients, admitted == nil { caller = try gate.admit(request, at: now) }
            let parsed = try Route.parse(path, query: request.query)
            switch parsed.route {
            case .snapshot(let id, let symbols, let form):
                return answerPinned(.table(symbols, form), .snapshot(id), request, writer, at: now)
            case .selection(.range(let range)):
                return try answerRange(range, parsed, request, writer, at: now, arrival: arrival)
            case .selection(let selection):
                if let pin = parsed.pin {
                    return answerPinned(.selection(selection), pin, request, writer, at: now)
                }
                return try answer(selection, parsed, request, writer, at: now, arrival: arrival)
            case .convertBatch(let options):
                if let pin = parsed.pin {
                    let order = try ConversionOrder(parsing: Array(request.body))
                    return answerPinned(.batch(order, options), pin, request, writer, at: now)
                }
                return try answerBatch(
                    options, options.date == nil ? parsed.wish.completed(by: caller.wish) : parsed.wish,
                    isExplained: parsed.isExplained, request, writer, at: now, arrival: arrival)
            case .currencies(let kind):
                return try answerCurrencies(kind, parsed, request, writer, at: now, arrival: arrival)
            case .account:
                return send(try seams.account().get(), "application/json", on: name, request, writer)
            case .stream(let query): return try answerStream(query, request, writer, at: now)
            case .explain(let selection):
                return try answerExplanation(of: selection, request, writer, at: now)
            case .status: return send(seams.status(), "application/json", on: name, request, writer)
            case .sources: return send(seams.sources(), "application/json", on: name, request, writer)
            case .quota: return send(seams.quota(), "application/json", on: name, request, writer)
            case .events: return send(seams.events(), "application/json", on: name, request, writer)
            case .healthz:
                return send(Array("ok\n".utf8), "text/plain; charset=utf-8", on: name, request, writer)
            case .readyz: return answerReadiness(request, writer)
            case .metrics: return send(seams.metrics(), Self.metricsType, on: name, request, writer)
            case .openapi: return sendDocument(.shipped, request, writer)
            case .dashboard: return sendDashboard(request, writer)
            case .adminRefresh(let resource, let force):
                return try startRefresh(of: resource, force: force, request, writer)
            case .adminLift(let scopes): return try startOrder(.lift(scopes), on: name, request, writer)
            case .adminPurge: return try startOrder(.purge, on: name, request, writer)
            case .adminAccept(let target):
                return try startOrder(.accept(target), on: name, request, writer)
            }
        } catch {
            waiting.remove(request.connection)
            ranges.remove(request.connection)
            refuse(error, on: name, request, writer, since: since)
            return .answered
        }
    }

    /// The route of a request; with a clients file, what isn't there under `/v1` is told to clients alone.
    private func path(of request: HTTPRequest, at now: Int64) throws(Problem) -> RoutePath {
        do throws(Problem) {
            return try RoutePath(request.path)
        } catch {
            if gate.isGuarded, request.path.starts(with: "/v1/".utf8), request.method != .options {
                caller = try gate.admit(request, at: now)
            }
            throw error
        }
    }

    private var notAllowed: Problem {
        Problem(.methodNotAllowed, "The method is not allowed here: see Allow.")
    }

    private static let metricsType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

    private func isAsterisk(_ request: HTTPRequest) -> Bool {
        request.method == .options && request.path.count == 1 && request.path.first == UInt8(ascii: "*")
    }

    // MARK: - Rates

    private func answer(
        _ selection: Selection, _ parsed: Route.Parsed, _ request: HTTPRequest, _ writer: ResponseWriter,
        at now: Int64, arrival: Arrival?
    ) throws(Problem) -> HTTPDisposition {
        let shelf = Self.shelf(of: selection)
        let rendered: RenderedAnswer
        if let known = self[keyPath: shelf].find(selection, at: now) {
            rendered = known
        } else {
            switch table.plan(selection, at: now, today: today(at: now)) {
            case .answer(let plan, let holding, let wanted):
                rendered = try render(selection, plan, holding, wanted)
                self[keyPath: shelf].insert(rendered, for: selection)
            case .cold(let resource):
                return try park(
                    request, writer, for: resource, as: selection.routeName, isTooOld: false, at: now)
            case .tooOld(let resource):
                return try park(
                    request, writer, for: resource, as: selection.routeName, isTooOld: true, at: now)
            case .unknown(let problem): throw problem
            }
        }
        // What a client wants of every answer is meant of the rates of now.
        let isPast = selection.date != nil
        try check(rendered, isPast ? parsed.wish : parsed.wish.completed(by: caller.wish), at: now)
        if parsed.isCanonical, !isPast {
            if Self.isConversion(request.target) {
                conversionAliases.insert(request.target, rendered)
            } else {
                aliases.insert(request.target, rendered)
            }
        }
        let since = waiting.entry(request.connection)?.since
        waiting.remove(request.connection)
        if parsed.isExplained {
            return try deliver(
                rendered, explaining: selection.base, SnapshotTable.Wish(selection), to: request, writer,
                at: now, arrival: arrival, since: since)
        }
        return deliver(rendered, to: request, writer, at: now, arrival: arrival, since: since)
    }

    /// Where the answer to a selection is kept.
    private static func shelf(of selection: Selection) -> ReferenceWritableKeyPath<
        GatewayApplication, AnswerCache
    > {
        switch selection {
        case .latest, .rate: \.answers
        case .convert: \.conversions
        case .day, .range: \.history
        }
    }

    private func render(
        _ selection: Selection, _ plan: SelectionPlan, _ holding: Holding, _ wanted: Resource
    ) throws(Problem) -> RenderedAnswer {
        RenderedAnswer(
            route: selection.routeName, plan: plan, holding: holding, wanted: wanted,
            body: try body(of: selection, plan), visibility: settings.visibility, demand: demand(for: wanted))
    }

    /// The body of an answer to `selection` that says what `plan` has.
    func body(of selection: Selection, _ plan: SelectionPlan) throws(Problem) -> [UInt8] {
        switch selection {
        case .latest(_, _, let form): BodyRenderer.latest(plan, form)
        case .day(_, _, _, let form): BodyRenderer.day(plan, form)
        case .range(let range): preconditionFailure("a range has no plan: \(range)")
        case .rate(_, _, let form): BodyRenderer.rate(plan, plan.served[0].quote, form)
        case .convert(_, _, let amount, let options):
            BodyRenderer.conversion(
                plan, try convert(amount, plan.served[0].quote, plan, options), options.numbers)
        }
    }

    /// Seconds until it makes sense to ask again for what won't change: a day, since every 503 says something.
    private static let settledWait = 86_400

    /// Refuses what is held if it isn't what the caller can use.
    func check(_ answer: RenderedAnswer, _ wish: FreshnessWish, at now: Int64) throws(Problem) {
        guard wish != .any else { return }
        let age = Duration.milliseconds(max(0, now - answer.oldestData))
        guard let shortfall = wish.shortfall(age: age, sources: answer.sources, state: answer.state) else {
            return
        }
        // It is a use all the same.
        noteUse(of: answer, at: now)
        guard !answer.isSettled else {
            throw Problem(
                .freshnessUnavailable,
                "\(shortfall) The snapshot is \(answer.snapshot.id), of days that won't change any more.",
                retryAfter: Self.settledWait)
        }
        let wait = answer.nextRefresh.value - (answer.snapshot.fetchedAt.value + (now - answer.born))
        throw Problem(
            .freshnessUnavailable,
            "\(shortfall) The snapshot is \(answer.snapshot.id); the next refresh is due at \(answer.nextRefresh.rfc3339).",
            retryAfter: Int(clamping: (wait + 999) / 1_000))
    }

    /// Converts; can't fail for amounts and rates that were let in, but a number out of range is never a trap.
    func convert(
        _ amount: WrittenAmount, _ quote: PairQuote, _ plan: SelectionPlan, _ options: ConvertOptions
    ) throws(Problem) -> Conversion {
        do throws(ExactNumberError) {
            return try Conversion(
                of: amount.amount, at: quote, minorUnits: plan.snapshot.table.decimals(of: quote.quote),
                rounding: options.rounding)
        } catch {
            throw Problem(.invalidAmount, "The amount is too large to be converted exactly.")
        }
    }

    /// The note on who was told of a resource; one for each, whatever snapshots come and go.
    func demand(for resource: Resource) -> DemandNote {
        if let note = demands[resource] { return note }
        let note = DemandNote()
        demands[resource] = note
        return note
    }

    // MARK: - Operations

    /// Sends a body that is made anew each time.
    func send(
        _ body: [UInt8], _ type: StaticString, status: Int = 200, on route: RouteName, _ request: HTTPRequest,
        _ writer: ResponseWriter, since: Int64? = nil
    ) -> HTTPDisposition {
        writer.begin(status: status)
        writer.field("Content-Type", type)
        writer.field("Cache-Control", "no-store")
        addBalance(caller.balance, writer)
        if !settings.corsOrigins.isEmpty { CORS.addFields(settings.corsOrigins, request, writer) }
        writer.end(body: body)
        counters.count(route, status: status, .none)
        log.note(
            request, route, status, since.map { seams.clock.milliseconds() - $0 } ?? 0, client: caller.number)
        return .answered
    }

    /// Sends the description of the interface, or 304 if the client has it.
    private func sendDocument(
        _ document: OpenAPIDocument, _ request: HTTPRequest, _ writer: ResponseWriter
    ) -> HTTPDisposition {
        let isKnown = Precondition.isNamed(request, document.etag)
        let status = isKnown ? 304 : 200
        writer.begin(status: status)
        if !isKnown { writer.field("Content-Type", "application/json") }
        writer.field("Cache-Control", OpenAPIDocument.cacheControl)
        document.etag.withUnsafeBytes { writer.field("ETag", $0) }
        if !settings.corsOrigins.isEmpty { CORS.addFields(settings.corsOrigins, request, writer) }
        if isKnown { writer.end() } else { writer.end(body: document.body) }
        counters.count(.openapi, status: status, .none)
        log.note(request, .openapi, status, 0, client: caller.number)
        return .answered
    }

    private func answerReadiness(_ request: HTTPRequest, _ writer: ResponseWriter) -> HTTPDisposition {
        let readiness = seams.readiness()
        return send(
            readiness.body, "application/json", status: readiness.takesTraffic ? 200 : 503, on: .readyz,
            request,
            writer)
    }

    private func answerOptions(
        _ route: RouteName, _ request: HTTPRequest, _ writer: ResponseWriter
    ) -> HTTPDisposition {
        writer.begin(status: 204)
        writer.field("Allow", route.allow)
        if !settings.corsOrigins.isEmpty {
            CORS.addFields(settings.corsOrigins, request, writer)
            CORS.addPreflight(route, writer)
        }
        writer.end()
        counters.count(route, status: 204, .none)
        log.note(request, route, 204, 0, client: caller.number)
        return .answered
    }
}
