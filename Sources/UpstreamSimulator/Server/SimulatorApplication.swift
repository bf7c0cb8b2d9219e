import EventLoop
import HTTPEngine

/// The simulator's HTTP face on one loop: requests in, planned answers out at their own pace.
///
/// Only the loop's thread touches it.
final class SimulatorApplication: HTTPApplication {
    private let core: SimulatorCore
    private let loop: EventLoop
    private unowned var server: HTTPServer?
    /// Calls whose answer isn't out yet: parked until their delay is over, streamed, or held for ever.
    private var unfinished: [ConnectionID: Unfinished] = [:]

    private struct Unfinished {
        let ticket: CallLog.Ticket
        var timer: EventWatch?
    }

    init(core: SimulatorCore, loop: EventLoop) {
        self.core = core
        self.loop = loop
    }

    func attached(to server: HTTPServer, loop: Int) { self.server = server }

    func takesBody(_ request: HTTPRequest) -> Bool { true }

    func respond(to request: HTTPRequest, writer: ResponseWriter) -> HTTPDisposition {
        let copy = UpstreamRequest(request)
        if copy.path.hasPrefix("/control/") {
            control(copy, writer)
            return .answered
        }
        guard copy.path.hasPrefix("/v1/") else {
            send(PlannedAnswer(status: 404, body: UpstreamBody().error(.notFound)), writer)
            return .answered
        }
        let (ticket, answer) = core.withState { state, reading in state.receive(copy, reading: reading) }
        if answer.delay > .zero {
            let id = request.connection
            unfinished[id] = Unfinished(ticket: ticket)
            after(answer.delay, id) { [unowned self] in
                server?.resumeNow(id) { [unowned self] _, writer in
                    unfinished[id] = nil
                    return deliver(answer, ticket, id, writer)
                }
            }
            return .parked
        }
        return deliver(answer, ticket, request.connection, writer)
    }

    func respond(toFault fault: HTTPFault, writer: ResponseWriter) {
        writer.begin(status: fault.status)
        writer.field("Content-Type", "text/plain")
        writer.end(body: "\(fault.explanation)\n")
    }

    func abandoned(_ id: ConnectionID, _: Abandonment) { forget(id) }

    // MARK: - Control

    private func control(_ request: UpstreamRequest, _ writer: ResponseWriter) {
        guard request.isFromThisMachine else {
            send(
                PlannedAnswer(status: 403, body: "{\"error\":\"control is for this machine only\"}"), writer)
            return
        }
        let answer = core.withState { state, reading in
            ControlRoutes.answer(request, state: &state, reading: reading)
        }
        send(answer, writer)
    }

    // MARK: - Delivery

    private func send(_ answer: PlannedAnswer, _ writer: ResponseWriter) {
        let wire = WireAnswer(answer, now: core.now)
        writer.rawResponse(wire.head + wire.body, thenClose: wire.closes)
    }

    /// Sends an answer whose delay is over.
    private func deliver(
        _ answer: PlannedAnswer, _ ticket: CallLog.Ticket, _ id: ConnectionID, _ writer: ResponseWriter
    ) -> HTTPDisposition {
        if answer.isSilent { return keepSilent(answer, ticket, id, writer) }
        let isPlain = answer.drip == nil && (answer.ending == nil || answer.ending == .close)
        if isPlain {
            send(answer, writer)
            end(ticket)
            return .answered
        }
        stream(answer, ticket, id, writer)
        return .answered
    }

    private func keepSilent(
        _ answer: PlannedAnswer, _ ticket: CallLog.Ticket, _ id: ConnectionID, _ writer: ResponseWriter
    ) -> HTTPDisposition {
        switch answer.ending {
        case .hang:
            unfinished[id] = Unfinished(ticket: ticket)
            return .parked
        case .reset: writer.abort()
        case .close, nil: writer.rawResponse([], thenClose: true)
        }
        end(ticket)
        return .answered
    }

    /// Sends an answer bit by bit, or up to an unusual end.
    private func stream(
        _ answer: PlannedAnswer, _ ticket: CallLog.Ticket, _ id: ConnectionID, _ writer: ResponseWriter
    ) {
        let wire = WireAnswer(answer, now: core.now)
        writer.rawStream(thenClose: wire.closes || answer.ending == .close)
        let atOnce: [UInt8]
        let slowly: [UInt8]
        switch (answer.drip, answer.dripsHead) {
        case (nil, _): (atOnce, slowly) = (wire.head + wire.body, [])
        case (_, true): (atOnce, slowly) = ([], wire.head + wire.body)
        case (_, false): (atOnce, slowly) = (wire.head, wire.body)
        }
        unfinished[id] = Unfinished(ticket: ticket)
        // A stream takes bytes only once the call that began it has returned.
        after(.zero, id) { [unowned self] in
            guard server?.write(id, atOnce) == true else {
                forget(id)
                return
            }
            drip(slowly[...], answer, id)
        }
    }

    private func drip(_ rest: ArraySlice<UInt8>, _ answer: PlannedAnswer, _ id: ConnectionID) {
        guard let drip = answer.drip, !rest.isEmpty else {
            finish(answer, id)
            return
        }
        after(drip.every, id) { [unowned self] in
            guard server?.write(id, Array(rest.prefix(drip.bytes))) == true else {
                forget(id)
                return
            }
            self.drip(rest.dropFirst(drip.bytes), answer, id)
        }
    }

    private func finish(_ answer: PlannedAnswer, _ id: ConnectionID) {
        switch answer.ending {
        case .hang: return  // until the client leaves
        case .reset:
            // Given to the network first: a reset throws away what the kernel still holds.
            after(.milliseconds(20), id) { [unowned self] in
                server?.abort(id)
                forget(id)
            }
        case .close, nil:
            server?.finish(id)
            forget(id)
        }
    }

    // MARK: - Unfinished calls

    /// Runs `body` after `delay` unless the client has gone by then.
    private func after(_ delay: Duration, _ id: ConnectionID, _ body: @escaping () -> Void) {
        // Without a timer the call is kept until its client leaves: nothing better is left to do.
        unfinished[id]?.timer = try? loop.schedule(after: delay, body)
    }

    private func forget(_ id: ConnectionID) {
        guard let call = unfinished.removeValue(forKey: id) else { return }
        end(call.ticket)
    }

    private func end(_ ticket: CallLog.Ticket) { core.withState { state, _ in state.end(ticket) } }
}

extension UpstreamRequest {
    /// Copies out of a request that is only lent.
    init(_ request: HTTPRequest) {
        self.init(target: String(decoding: request.target, as: UTF8.self))
        method = Self.name(of: request.method)
        authorization = request.header(named: "authorization").map { String(decoding: $0, as: UTF8.self) }
        apiKey = request.header(named: "x-api-key").map { String(decoding: $0, as: UTF8.self) }
        body = Array(request.body)
        peer = request.peerAddress
        // The slot in the loop's table: kept as long as the connection lives, then used again.
        connection = request.connection.rawValue & 0xFF_FFFF
    }

    var isFromThisMachine: Bool {
        peer.hasPrefix("127.") || peer == "::1" || peer == "unix" || peer.hasPrefix("::ffff:127.")
    }

    private static func name(of method: HTTPMethod) -> String {
        switch method {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .options: "OPTIONS"
        case .delete: "DELETE"
        case .put: "PUT"
        case .patch: "PATCH"
        case .other: "OTHER"
        }
    }
}
