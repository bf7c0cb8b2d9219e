import EventLoop

/// From requests to answers.
extension HTTPLoop {
    /// Has the application answer a request.
    func dispatch(_ request: HTTPRequest, for connection: HTTPConnection) {
        counters.countRequest()
        prepare(for: request)
        let disposition = application.respond(to: request, writer: writer)
        conclude(disposition, request, for: connection)
    }

    /// Has the application answer a fault, after which nothing more is read as a request.
    func refuse(_ connection: HTTPConnection, _ fault: HTTPFault, request: HTTPRequest? = nil) {
        counters.count(fault)
        writer.prepare(
            for: request, idPrefix: idPrefix, serial: request?.serial ?? nextSerial(), keepsAlive: false,
            mayPark: false)
        application.respond(toFault: fault, writer: writer)
        if writer.stage != .ended(.whole) {
            assertionFailure("the answer to a fault is written at once")
            writer.rollBack()
        }
        if let body = connection.body {
            connection.body = nil
            recycle(body.request)
        }
        connection.hasHeadDeadline = false
        connection.phase = .closing
        connection.lingers = true
    }

    /// Answers a parked request now, on this loop's thread, or right after the batch that is being answered.
    func resume(_ id: ConnectionID, _ body: @escaping (HTTPRequest, ResponseWriter) -> HTTPDisposition) {
        if isBusy {
            postpone { [unowned self] in resume(id, body) }
            return
        }
        guard let connection = table[id], connection.phase == .parked, let request = connection.request else {
            return
        }
        batch(connection) {
            unpark(connection)
            prepare(for: request)
            conclude(body(request, writer), request, for: connection)
            // Its turn is over, unless it waits again.
            if !connection.isWaiting, connection.phase != .closed { table.renew(connection) }
            proceed(connection)
        }
    }

    private func prepare(for request: HTTPRequest) {
        writer.prepare(
            for: request, idPrefix: idPrefix, serial: request.serial,
            keepsAlive: request.keepsAlive && !isDraining,
            mayPark: counters.parkedNow < configuration.maxParkedPerLoop)
    }

    private func conclude(
        _ disposition: HTTPDisposition, _ request: HTTPRequest, for connection: HTTPConnection
    ) {
        switch (disposition, writer.stage) {
        case (.answered, .ended(let ending)): conclude(ending, request, for: connection)
        case (.parked, .untouched) where writer.mayPark: park(request, for: connection)
        case (.parked, .untouched):
            // Refused without closing: the connection did nothing wrong.
            let id = connection.id
            counters.count(.tooManyParked)
            prepare(for: request)
            application.respond(toFault: .tooManyParked, writer: writer)
            application.abandoned(id, .left)
            table.renew(connection)
            conclude(.answered, request, for: connection)
        default:
            assertionFailure("an answered request has a finished writer, a parked one an untouched one")
            writer.rollBack()
            connection.phase = .closing
            connection.lingers = true
            recycle(request)
        }
    }

    private func conclude(
        _ ending: ResponseWriter.Ending, _ request: HTTPRequest, for connection: HTTPConnection
    ) {
        let isAsked = !request.keepsAlive
        recycle(request)
        switch ending {
        case .whole:
            guard !writer.keepsAlive else { return }
            connection.phase = .closing
            // A client that asked for the end sends no more; any other may be sending its next request.
            connection.lingers = !isAsked
        case .stream(let framing):
            connection.phase = .streaming
            connection.framing = framing
            connection.keepsAlive = writer.keepsAlive
            limitWaiting(on: connection)
            counters.countStreaming(1)
        case .abort:
            flush(connection)
            reset(connection)
        }
    }

    // MARK: - Parking

    private func park(_ request: HTTPRequest, for connection: HTTPConnection) {
        detach(request)
        connection.request = request
        connection.phase = .parked
        counters.countParked(1)
    }

    private func unpark(_ connection: HTTPConnection) {
        connection.request = nil
        connection.phase = .open
        counters.countParked(-1)
    }
}
