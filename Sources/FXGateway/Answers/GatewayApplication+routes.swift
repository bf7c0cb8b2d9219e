import CacheLayer
import HTTPEngine
import Telemetry

/// From a request that isn't known by its target to an answer.
extension GatewayApplication {
    /// Understands a request and answers, refuses or parks it: the one place where problems become answers.
    ///
    /// - Parameter arrival: nil at the first time; for a parked one that is tried again, what has come.
    func understand(
        _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64, arrival: Arrival?
    ) -> HTTPDisposition {
        var name = RouteName.none
        let since = waiting.entry(request.connection)?.since
        do throws(Problem) {
            if isAsterisk(request) { return answerOptions(.none, request, writer) }
            let path = try RoutePath(request.path)
            name = path.name
            switch request.method {
            case .options: return answerOptions(name, request, writer)
            case .get, .head: guard name != .convertBatch, name != .adminRefresh else { throw notAllowed }
            case .post: guard name == .convertBatch || name == .adminRefresh else { throw notAllowed }
            case .delete, .put, .patch, .other: throw notAllowed
            }
            let parsed = try Route.parse(path, query: request.query, pivot: table.pivot)
            switch parsed.route {
            case .selection(let selection):
                return try answer(
                    selection, isCanonical: parsed.isCanonical, request, writer, at: now, arrival: arrival)
            case .convertBatch(let options):
                return try answerBatch(options, request, writer, at: now, arrival: arrival)
            case .status: return send(seams.status(), "application/json", on: name, request, writer)
            case .healthz:
                return send(Array("ok\n".utf8), "text/plain; charset=utf-8", on: name, request, writer)
            case .readyz: return answerReadiness(request, writer)
            case .metrics: return send(seams.metrics(), Self.metricsType, on: name, request, writer)
            case .adminRefresh(let base, let force):
                return try startRefresh(of: base, force: force, request, writer)
            }
        } catch {
            waiting.remove(request.connection)
            refuse(error, on: name, request, writer, since: since)
            return .answered
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
        _ selection: Selection, isCanonical: Bool, _ request: HTTPRequest, _ writer: ResponseWriter,
        at now: Int64,
        arrival: Arrival?
    ) throws(Problem) -> HTTPDisposition {
        let isConversion = selection.routeName == .convert
        let known = isConversion ? conversions.find(selection, at: now) : answers.find(selection, at: now)
        let rendered: RenderedAnswer
        if let known {
            rendered = known
        } else {
            switch table.plan(selection, at: now) {
            case .answer(let plan, let holding, let wanted):
                rendered = try render(selection, plan, holding, wanted)
                if isConversion {
                    conversions.insert(rendered, for: selection)
                } else {
                    answers.insert(rendered, for: selection)
                }
            case .cold(let resource):
                return try park(
                    request, writer, for: resource, as: selection.routeName, isTooOld: false, at: now)
            case .tooOld(let resource):
                return try park(
                    request, writer, for: resource, as: selection.routeName, isTooOld: true, at: now)
            case .unknown(let problem): throw problem
            }
        }
        if isCanonical {
            if Self.isConversion(request.target) {
                conversionAliases.insert(request.target, rendered)
            } else {
                aliases.insert(request.target, rendered)
            }
        }
        let since = waiting.entry(request.connection)?.since
        waiting.remove(request.connection)
        return deliver(rendered, to: request, writer, at: now, arrival: arrival, since: since)
    }

    private func render(
        _ selection: Selection, _ plan: SelectionPlan, _ holding: Holding, _ wanted: Resource
    ) throws(Problem) -> RenderedAnswer {
        let body: [UInt8] =
            switch selection {
            case .latest(_, _, let form): BodyRenderer.latest(plan, form)
            case .rate(_, _, let form): BodyRenderer.rate(plan, plan.served[0].quote, form)
            case .convert(_, _, let amount, let options):
                BodyRenderer.conversion(
                    plan, try convert(amount, plan.served[0].quote, options), options.numbers)
            }
        return RenderedAnswer(
            route: selection.routeName, plan: plan, holding: holding, wanted: wanted, body: body,
            visibility: settings.visibility, demand: demand(for: wanted))
    }

    /// Converts; can't fail for amounts and rates that were let in, but a number out of range is never a trap.
    func convert(
        _ amount: WrittenAmount, _ quote: PairQuote, _ options: ConvertOptions
    ) throws(Problem) -> Conversion {
        do throws(ExactNumberError) {
            return try Conversion(
                of: amount.amount, at: quote, minorUnits: MinorUnits.decimals(of: quote.quote),
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
        _ writer: ResponseWriter
    ) -> HTTPDisposition {
        writer.begin(status: status)
        writer.field("Content-Type", type)
        writer.field("Cache-Control", "no-store")
        if !settings.corsOrigins.isEmpty { CORS.addFields(settings.corsOrigins, request, writer) }
        writer.end(body: body)
        counters.count(route, status: status, .none)
        log.note(request, route, status, 0)
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
        log.note(request, route, 204, 0)
        return .answered
    }
}
