import CacheLayer
import HTTPEngine

/// Explanations: from what the loop and the refresher know already, so that none costs a call or a question to the store.
extension GatewayApplication {
    /// `/v1/explain`.
    ///
    /// No use of the rates: who asks why something isn't fetched must not be the reason that it is.
    func answerExplanation(
        of selection: Selection, _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64
    ) throws(Problem) -> HTTPDisposition {
        let text = try explanation(of: selection.base, SnapshotTable.Wish(selection), at: now)
        return send(text.page, "application/json", on: .explain, request, writer)
    }

    /// Sends an answer that explains itself: a use like any other, but for nobody to keep or to ask for again by its tag.
    func deliver(
        _ answer: RenderedAnswer, explaining base: Currency, _ wish: SnapshotTable.Wish,
        to request: HTTPRequest, _ writer: ResponseWriter, at now: Int64, arrival: Arrival?, since: Int64?
    ) throws(Problem) -> HTTPDisposition {
        let body = try explanation(of: base, wish, at: now).added(to: answer.body)
        writer.begin(status: 200)
        writer.field("Cache-Control", "no-store")
        writer.raw(Array(answer.lines[answer.labelsStart...]))
        writer.field("Content-Type", answer.contentType)
        addMovingFields(of: answer, at: now, arrival, writer)
        if !settings.corsOrigins.isEmpty { CORS.addFields(settings.corsOrigins, request, writer) }
        writer.end(body: body)
        counters.count(answer.route, status: 200, RequestCounters.State(answer.state))
        noteUse(of: answer, at: now)
        log.note(request, answer.route, 200, since.map { now - $0 } ?? 0, client: caller.number)
        return .answered
    }

    private func explanation(
        of base: Currency, _ wish: SnapshotTable.Wish, at now: Int64
    ) throws(Problem) -> ExplanationText {
        ExplanationText(
            explanation: try Explanation(
                base: base, wish, by: table, waitLimit: settings.waitLimit, at: now),
            fleet: seams.fleet(), now: seams.clock.now(), wall: seams.clock.wall())
    }
}
