import CacheLayer
import EventLoop
import HTTPEngine

/// `POST /admin/refresh/{base}`: an operator's refresh.
extension GatewayApplication {
    func startRefresh(
        of base: Currency, force: Bool, _ request: HTTPRequest, _ writer: ResponseWriter
    ) throws(Problem) -> HTTPDisposition {
        guard let token = seams.adminToken() else {
            // As if there were no such route: off is off.
            throw Problem(.notFound, "There is nothing at \(SafeText.quoted(bytes: request.path)).")
        }
        try BearerToken.check(request, against: token)
        guard settings.bases.contains(base) else {
            throw Problem(
                .unsupportedBase, "\(base) is not fetched by itself: it is derived from \(table.pivot).")
        }
        guard writer.mayPark else {
            throw Problem(.overloaded, "Too many requests are waiting.", retryAfter: 1)
        }
        let id = request.connection
        refreshes[id] = seams.clock.milliseconds()
        seams.refresh(.latest(base: base), force) { [self, loop] landing in
            loop.post { self.finishRefresh(id, landing) }
        }
        return .parked
    }

    private func finishRefresh(_ id: ConnectionID, _ landing: RefreshLanding) {
        guard let since = refreshes.removeValue(forKey: id) else { return }
        server?.resumeNow(id) { [unowned self] request, writer in
            switch landing {
            case .fetched(let snapshot), .shared(let snapshot):
                let body = RefreshReport.body(of: snapshot, landing)
                return send(body, "application/json", on: .adminRefresh, request, writer, since: since)
            case .refused(let condition):
                let problem = RefreshReport.refusal(condition, wall: seams.clock.wall())
                refuse(problem, on: .adminRefresh, request, writer, since: since)
                return .answered
            }
        }
    }
}
