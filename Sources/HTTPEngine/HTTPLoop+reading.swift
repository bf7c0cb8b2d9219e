import EventLoop
import Glibc

/// From readable bytes to requests.
extension HTTPLoop {
    /// Reads once; whatever is left in the kernel is told again by the watch.
    func readable(_ connection: HTTPConnection) {
        guard connection.phase != .closed else { return }
        let count = recv(connection.descriptor, inputBuffer.baseAddress, Self.inputSize, 0)
        if count <= 0 {
            if count == 0 {
                peerEnded(connection)
            } else if errno != EAGAIN, errno != EINTR {
                drop(connection, telling: errno == ETIMEDOUT ? .tooSlow : .left)
            }
            return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: inputBuffer[0..<count])
        switch connection.phase {
        case .open: batch(connection) { take(bytes, for: connection) }
        case .parked, .streaming:
            connection.input.append(bytes)
            updateWatches(connection)
        case .lingering:
            connection.dropped += count
            if connection.dropped > configuration.lingerLimit { drop(connection) }
        case .closing, .closed: break
        }
    }

    /// The client has closed its half, or the whole connection; which of both can't be told.
    ///
    /// Its earlier requests were answered before this was read. One that still waits is given up: a client that closes
    /// its half early and waits for an answer is far rarer than one that has gone.
    func peerEnded(_ connection: HTTPConnection) {
        drop(connection)
    }

    /// Answers what `connection` holds back, once it may go on.
    func proceed(_ connection: HTTPConnection) {
        guard connection.phase == .open, connection.unsent.isEmpty, !connection.input.isEmpty else { return }
        let taken = advance(connection, connection.input.bytes)
        connection.input.removeFirst(taken)
    }

    private func take(_ bytes: UnsafeRawBufferPointer, for connection: HTTPConnection) {
        guard connection.input.isEmpty else {
            connection.input.append(bytes)
            proceed(connection)
            return
        }
        let taken = advance(connection, bytes)
        guard taken < bytes.count, connection.phase.keepsInput else { return }
        connection.input.append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    }

    /// Answers the requests in `bytes` in their order, until one must wait.
    ///
    /// - Returns: how many bytes were taken.
    private func advance(_ connection: HTTPConnection, _ bytes: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while taken < bytes.count, connection.phase == .open, connection.unsent.isEmpty {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            if let body = connection.body {
                taken += read(body, of: connection, from: rest)
            } else {
                switch connection.headGuard.check(rest, limits: limits) {
                case .incomplete:
                    if connection.headGuard.holdsOnlyEmptyLines(of: rest.count) {
                        connection.headGuard.dropEmptyLines()
                        return bytes.count
                    }
                    if !connection.hasHeadDeadline {
                        connection.hasHeadDeadline = true
                        startDeadline(connection, after: ticks.head)
                    }
                    return taken
                case .refused(let fault):
                    refuse(connection, fault)
                    return bytes.count
                case .complete(let start, let end):
                    connection.headGuard = HeadGuard()
                    connection.hasHeadDeadline = false
                    taken += end
                    let head = UnsafeRawBufferPointer(rebasing: rest[start..<end])
                    taken += begin(connection, head, rest: UnsafeRawBufferPointer(rebasing: rest[end...]))
                }
            }
            if output.count >= Self.flushSize { flush(connection) }
        }
        if connection.phase == .closing, taken < bytes.count { connection.lingers = true }
        return taken
    }

    /// Takes up the request whose head is complete.
    ///
    /// - Returns: how many bytes of `rest` belong to it.
    private func begin(
        _ connection: HTTPConnection, _ head: UnsafeRawBufferPointer, rest: UnsafeRawBufferPointer
    ) -> Int {
        let request = request
        if let fault = parser.parse(head, into: request) {
            refuse(connection, fault)
            return rest.count
        }
        request.serial = nextSerial()
        request.connection = connection.id
        request.descriptor = connection.descriptor
        if let fault = MessageRules.apply(to: request) ?? bodyFault(of: request) {
            refuse(connection, fault, request: request)
            return rest.count
        }
        guard request.isChunked || request.contentLength > 0 else {
            dispatch(request, for: connection)
            return 0
        }
        // A client that has begun to send doesn't wait for leave.
        if request.expectsContinue, rest.isEmpty { output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        detach(request)
        connection.body = BodyReader(request: request, after: parser.state, limit: configuration.bodyLimit)
        startDeadline(connection, after: ticks.body)
        return 0
    }

    /// Why the body that a request announces isn't read.
    private func bodyFault(of request: HTTPRequest) -> HTTPFault? {
        guard request.isChunked || request.contentLength > 0 else { return nil }
        if request.contentLength > UInt64(configuration.bodyLimit) { return .bodyTooLarge }
        let isTaken = request.method.mayBringBody && application.takesBody(request)
        return isTaken ? nil : .bodyNotTaken
    }

    private func read(
        _ body: BodyReader, of connection: HTTPConnection, from bytes: UnsafeRawBufferPointer
    ) -> Int {
        switch body.take(bytes) {
        case .incomplete: return bytes.count
        case .complete(let taken):
            connection.body = nil
            dispatch(body.request, for: connection)
            return taken
        case .refused(let fault):
            connection.body = nil
            refuse(connection, fault, request: body.request)
            recycle(body.request)
            return bytes.count
        }
    }
}

extension HTTPConnection.Phase {
    /// Whether input that came in is still of use.
    fileprivate var keepsInput: Bool {
        switch self {
        case .open, .parked, .streaming: true
        case .closing, .lingering, .closed: false
        }
    }
}
