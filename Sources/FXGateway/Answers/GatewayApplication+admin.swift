import CacheLayer
import EventLoop
import HTTPEngine
import Telemetry

/// The admin routes: an operator's refresh, the end of a cooldown, the end of all that is held.
extension GatewayApplication {
    func startRefresh(
        of resource: Resource, force: Bool, _ request: HTTPRequest, _ writer: ResponseWriter
    ) throws(Problem) -> HTTPDisposition {
        try checkOperator(request, on: .adminRefresh)
        if case .latest(let base) = resource, !settings.bases.contains(base) {
            throw Problem(
                .unsupportedBase, "\(base) is not fetched by itself: it is derived from \(table.pivot).")
        }
        let id = try parkOperator(request, writer)
        let mark = RequestMark(request)
        seams.refresh(resource, force) { [self, loop] landing in
            loop.post { self.finishRefresh(of: resource, id, landing, isForced: force, by: mark) }
        }
        return .parked
    }

    func startOrder(
        _ order: AdminOrder, on route: RouteName, _ request: HTTPRequest, _ writer: ResponseWriter
    ) throws(Problem) -> HTTPDisposition {
        try checkOperator(request, on: route)
        let id = try parkOperator(request, writer)
        let mark = RequestMark(request)
        seams.operate(order) { [self, loop] outcome in
            loop.post { self.finishOrder(id, outcome, on: route, by: mark) }
        }
        return .parked
    }

    private func checkOperator(_ request: HTTPRequest, on route: RouteName) throws(Problem) {
        guard let token = seams.adminToken() else {
            // As if there were no such route: off is off.
            throw Problem(.notFound, "There is nothing at \(SafeText.quoted(bytes: request.path)).")
        }
        do throws(Problem) {
            try BearerToken.check(request, against: token)
        } catch {
            seams.logger.log(
                .warning, "an operator's token was refused",
                [.route: route.label, .status: String(error.kind.status)])
            throw error
        }
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

    private func finishOrder(
        _ id: ConnectionID, _ outcome: AdminOutcome, on route: RouteName, by mark: RequestMark
    ) {
        let answer = Result { () throws(Problem) in try outcome.body() }
        noteOperator(mark, on: route, answer)
        finish(id, answer, on: route)
    }

    private func finishRefresh(
        of resource: Resource, _ id: ConnectionID, _ landing: RefreshLanding, isForced: Bool,
        by mark: RequestMark
    ) {
        let answer: Result<[UInt8], Problem>
        switch landing {
        case .fetched(let snapshot), .shared(let snapshot):
            answer = .success(RefreshReport.body(of: snapshot, landing))
        case .refused(let condition):
            answer = .failure(
                RefreshReport.refusal(
                    of: resource, condition, isForced: isForced, wall: seams.clock.wall()))
        }
        noteOperator(mark, on: .adminRefresh, answer)
        finish(id, answer, on: .adminRefresh)
    }

    /// Answers an operator who is still there.
    private func finish(_ id: ConnectionID, _ answer: Result<[UInt8], Problem>, on route: RouteName) {
        guard let since = refreshes.removeValue(forKey: id) else { return }
        caller = .nobody
        server?.resumeNow(id) { [unowned self] request, writer in
            switch answer {
            case .success(let body):
                return send(body, "application/json", on: route, request, writer, since: since)
            case .failure(let problem):
                refuse(problem, on: route, request, writer, since: since)
                return .answered
            }
        }
    }

    /// Who did what is known afterwards, also where the access log is off, or the operator didn't wait for the answer.
    private func noteOperator(
        _ mark: RequestMark, on route: RouteName, _ answer: Result<[UInt8], Problem>
    ) {
        let status = if case .failure(let problem) = answer { problem.kind.status } else { 200 }
        let fields: [Logger.Field] = [(.route, route.label), (.status, String(status))]
        seams.logger.logEach(.notice, "an operator's order was carried out", fields + mark.fields)
    }
}
