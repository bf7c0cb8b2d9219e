import HTTPEngine
import Telemetry

/// The page for people.
extension GatewayApplication {
    /// Sends the page, or 304 if the client has it.
    ///
    /// Anybody may see it, so with a clients file nothing is in it that needs a token. What is held changes, so no cache
    /// may give it without asking: it is small, and most answers are 304.
    func sendDashboard(_ request: HTTPRequest, _ writer: ResponseWriter) -> HTTPDisposition {
        let document = DashboardDocument.shipped
        let plain = gate.isGuarded ? PlainForm.guarded : PlainForm.markup(of: seams.plainFacts())
        let (body, etag) = document.filled(needsToken: gate.isGuarded, plain: plain)
        let isKnown = Precondition.isNamed(request, etag)
        let status = isKnown ? 304 : 200
        writer.begin(status: status)
        if !isKnown { writer.field("Content-Type", "text/html; charset=utf-8") }
        writer.field("Cache-Control", "private, no-cache")
        etag.withUnsafeBytes { writer.field("ETag", $0) }
        writer.field("Content-Security-Policy", document.policy)
        writer.field("Referrer-Policy", "no-referrer")
        writer.field("Cross-Origin-Resource-Policy", "same-origin")
        writer.field("X-Frame-Options", "DENY")
        if isKnown { writer.end() } else { writer.end(body: body) }
        counters.count(.dashboard, status: status, .none)
        log.note(request, .dashboard, status, 0, client: caller.number)
        return .answered
    }
}
