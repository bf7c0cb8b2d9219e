import EventLoop
import HTTPEngine

/// Answers by route rules like those of a rates service, and lets a test see and steer what happens.
final class RouteApplication: HTTPApplication {
    /// What tests look at; shared by the applications of all loops.
    final class Log: Sendable {
        private let state = Locked(State())

        struct State {
            var parked: [ConnectionID] = []
            var streams: [ConnectionID] = []
            var abandoned: [ConnectionID] = []
            /// Why, in the same order.
            var reasons: [Abandonment] = []
            var bodies: [[UInt8]] = []
            var drainings = 0
        }

        func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
        var now: State { state.withLock { $0 } }
    }

    let log: Log

    init(log: Log) { self.log = log }

    func takesBody(_ request: HTTPRequest) -> Bool {
        request.method == .post
            && (request.path.elementsEqual("/v1/convert".utf8) || request.path.elementsEqual("/park".utf8))
    }

    func respond(to request: HTTPRequest, writer: ResponseWriter) -> HTTPDisposition {
        let path = String(decoding: request.path, as: UTF8.self)
        let isRead = request.method == .get || request.method == .head
        switch path {
        case "/v1/convert" where request.method == .post:
            log.change { $0.bodies.append(Array(request.body)) }
            return answer(200, Array(request.body), writer)
        case "/v1/convert", "/healthz", "/v1/latest/USD", "/v1/latest/EUR":
            guard isRead else { return answer(405, [], writer) }
            return answer(200, Array(path.utf8), writer)
        case "/park":
            log.change { $0.parked.append(request.connection) }
            return .parked
        case "/stream":
            log.change { $0.streams.append(request.connection) }
            writer.begin(status: 200)
            writer.field("Content-Type", "text/event-stream")
            writer.stream()
            return .answered
        case "/dump": return answer(200, dump(request), writer)
        case "/abort":
            writer.abort()
            return .answered
        case "/large":
            return answer(200, [UInt8](repeating: 0x78, count: 1_000_000), writer)
        default: return answer(request.method == .options ? 204 : 404, [], writer)
        }
    }

    func respond(toFault fault: HTTPFault, writer: ResponseWriter) {
        writer.begin(status: fault.status)
        writer.field("Content-Type", "application/problem+json")
        writer.end(body: "{\"detail\":\"\(fault.explanation)\"}")
    }

    func abandoned(_ id: ConnectionID, _ why: Abandonment) {
        log.change {
            $0.abandoned.append(id)
            $0.reasons.append(why)
        }
    }

    func draining() { log.change { $0.drainings += 1 } }

    private func answer(_ status: Int, _ body: [UInt8], _ writer: ResponseWriter) -> HTTPDisposition {
        writer.begin(status: status)
        writer.field("Content-Type", "text/plain")
        writer.end(body: body)
        return .answered
    }

    /// What the engine makes of a request, as text.
    private func dump(_ request: HTTPRequest) -> [UInt8] {
        var text = "target=\(String(decoding: request.target, as: UTF8.self))"
        text += " query=\(request.query.map { String(decoding: $0, as: UTF8.self) } ?? "nil")"
        text += " id=\(request.requestID) peer=\(request.peerAddress)"
        request.forEachField { name, value in
            text += " [\(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))]"
        }
        text += " x=\(request.header(named: "x-test").map { String(decoding: $0, as: UTF8.self) } ?? "nil")"
        text += " n=\(request.headerCount(named: "x-test"))"
        return Array(text.utf8)
    }
}
