import CacheLayer
import EventLoop
import HTTPEngine
import Telemetry

/// The admin routes: an operator's refresh, the end of a cooldown, the end of all that is held.
extension GatewayApplication {
    func startRefresh(
        of resource: Resource, force: Bool, _ request: HTTPRequest, _ writer: ResponseWriter
    ) throws(Problem) -> HTTPDisposition {
        try checkOperator(request)
        if case .latest(let base) = resource, !settings.bases.contains(base) {
            throw Problem(
                .unsupportedBase, "\(base) is not fetched by itself: it is derived from \(table.pivot).")
        }
        let id = try parkOperator(request, writer)
        seams.refresh(resource, force) { [self, loop] landing in
            loop.post { self.finishRefresh(of: resource, id, landing, isForced: force) }
        }
        return .parked
    }

    func startOrder(
        _ order: AdminOrder, on route: RouteName, _ request: HTTPRequest, _ writer: ResponseWriter
    ) throws(Problem) -> HTTPDisposition {
        try checkOperator(request)
        let id = try parkOperator(request, writer)
        seams.operate(order) { [self, loop] outcome in
            loop.post { self.finishOrder(id, outcome, on: route) }
        }
        return .parked
    }

    private func checkOperator(_ request: HTTPRequest) throws(Problem) {
        guard let token = seams.adminToken() else {
            // As if there were no such route: off is off.
            throw Problem(.notFound, "There is nothing at \(SafeText.quoted(bytes: request.path)).")
        }
        try BearerToken.check(request, against: token)
    }

    private func parkOperator(
        _ request: HTTPRequest, _ writer: ResponseWriter
    ) throws(Problem) -> ConnectionID {
        guard writer.mayPark else {
            throw Problem(.overloaded, "Too many requests are waiting.", retryAfter: 1)
        }
        refreshes[request.connection] = seams.clock.milliseconds()
        return request.connection
    }

    private func finishOrder(_ id: ConnectionID, _ outcome: AdminOutcome, on route: RouteName) {
        guard let since = refreshes.removeValue(forKey: id) else { return }
        caller = .nobody
        server?.resumeNow(id) { [unowned self] request, writer in
            do throws(Problem) {
                let body = try outcome.body()
                noteOperator(request, on: route, status: 200)
                return send(body, "application/json", on: route, request, writer, since: since)
            } catch {
                noteOperator(request, on: route, status: error.kind.status)
                refuse(error, on: route, request, writer, since: since)
                return .answered
            }
        }
    }

    private func finishRefresh(
        of resource: Resource, _ id: ConnectionID, _ landing: RefreshLanding, isForced: Bool
    ) {
        guard let since = refreshes.removeValue(forKey: id) else { return }
        caller = .nobody
        server?.resumeNow(id) { [unowned self] request, writer in
            switch landing {
            case .fetched(let snapshot), .shared(let snapshot):
                let body = RefreshReport.body(of: snapshot, landing)
                noteOperator(request, on: .adminRefresh, status: 200)
                return send(body, "application/json", on: .adminRefresh, request, writer, since: since)
            case .refused(let condition):
                let problem = RefreshReport.refusal(
                    of: resource, condition, isForced: isForced, wall: seams.clock.wall())
                noteOperator(request, on: .adminRefresh, status: problem.kind.status)
                refuse(problem, on: .adminRefresh, request, writer, since: since)
                return .answered
            }
        }
    }

    /// Who did what is known afterwards, also where the access log is off.
    private func noteOperator(_ request: HTTPRequest, on route: RouteName, status: Int) {
        let fields: [Logger.Field] = [(.route, route.label), (.status, String(status))]
        seams.logger.logEach(
            .notice, "an operator's order was answered", fields + RequestMark(request).fields)
    }
}
