import EventLoop
import Glibc

/// From answers to the kernel, and the ends of connections.
extension HTTPLoop {
    /// Sends the loop's output on `connection`; what the kernel doesn't take is kept by the connection.
    func flush(_ connection: HTTPConnection) {
        guard output.count > 0 else { return }
        defer { output.removeAll() }
        guard connection.phase != .closed else { return }
        deliver(output.bytes, on: connection)
    }

    /// Sends bytes behind all that the connection holds back; what the kernel doesn't take is kept, with the write deadline
    /// running.
    func deliver(_ bytes: UnsafeRawBufferPointer, on connection: HTTPConnection) {
        var taken = 0
        if connection.unsent.isEmpty {
            taken = transmit(connection, bytes)
            guard taken >= 0 else {
                drop(connection)
                return
            }
            if taken == bytes.count { return }
            connection.progress = 0
            startDeadline(connection, after: ticks.write)
        }
        connection.unsent.append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    }

    /// Sends what a connection holds back; drops it if that fails.
    func sendUnsent(_ connection: HTTPConnection) {
        let taken = transmit(connection, connection.unsent.bytes)
        guard taken >= 0 else {
            drop(connection)
            return
        }
        connection.unsent.removeFirst(taken)
        if connection.unsent.isEmpty {
            connection.unsent.release()
            connection.progress = 0
            return
        }
        connection.progress += taken
        // A first delay, or enough taken since the last one: a trickle doesn't count.
        guard !connection.sideKinds.contains(.writable) || connection.progress >= Self.progressSize else {
            return
        }
        connection.progress = 0
        startDeadline(connection, after: ticks.write)
    }

    /// What a client that is behind must take within the write timeout.
    private static let progressSize = 16 * 1024

    /// - Returns: bytes that the kernel took; negative if the connection is broken.
    private func transmit(_ connection: HTTPConnection, _ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count = send(connection.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return count }
            if errno == EINTR { continue }
            return errno == EAGAIN ? 0 : -1
        }
    }

    // MARK: - Watches

    /// Has reported what the connection waits for, and nothing else.
    func updateWatches(_ connection: HTTPConnection) {
        let isBehind = !connection.unsent.isEmpty
        let isReading =
            switch connection.phase {
            case .open: !isBehind
            case .parked, .streaming: !isBehind && connection.input.count < configuration.headLimit
            case .lingering: true
            case .closing, .closed: false
            }
        if isReading != connection.isReading {
            connection.isReading = isReading
            if isReading { connection.readWatch?.resume() } else { connection.readWatch?.pause() }
        }
        // While input isn't read, the client's end is told by the kernel apart from it.
        let kinds = EventKinds(writable: isBehind, closed: connection.isWaiting && !isReading)
        guard kinds != connection.sideKinds else { return }
        connection.sideKinds = kinds
        connection.sideWatch?.cancel()
        connection.sideWatch = nil
        guard !kinds.isEmpty else { return }
        connection.sideWatch = try? loop.watch(descriptor: connection.descriptor, kinds) {
            [unowned self, connection] in sideEvent(connection, $0)
        }
        guard let watch = connection.sideWatch else {
            drop(connection)
            return
        }
        watch.resume()
    }

    private func sideEvent(_ connection: HTTPConnection, _ kinds: EventKinds) {
        if kinds.contains(.closed) {
            peerEnded(connection)
        } else if kinds.contains(.writable) {
            sendUnsent(connection)
            guard connection.phase != .closed else { return }
            if connection.unsent.isEmpty {
                batch(connection) { proceed(connection) }
            }
        }
    }

    // MARK: - Ends

    /// Ends the connection's output once all of it is with the kernel: half-closes, or closes at once if the client
    /// can't be sending any more (RFC 9112 section 9.6).
    func endOutput(_ connection: HTTPConnection) {
        guard connection.lingers else {
            drop(connection)
            return
        }
        connection.input.release()
        connection.phase = .lingering
        guard shutdown(connection.descriptor, Int32(SHUT_WR)) == 0 else {
            drop(connection)
            return
        }
        startDeadline(connection, after: ticks.linger)
    }

    /// Closes with a reset instead of an end.
    func reset(_ connection: HTTPConnection) {
        guard connection.phase != .closed else { return }
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            connection.descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        drop(connection, telling: nil)
    }

    /// Closes at once and forgets the connection.
    ///
    /// The application is told why if an answer of its own has nobody who waits for it any more; nil if it knows.
    func drop(_ connection: HTTPConnection, telling why: Abandonment? = .left) {
        guard connection.phase != .closed else { return }
        let id = connection.id
        let wasWaiting = connection.isWaiting
        switch connection.phase {
        case .parked: counters.countParked(-1)
        case .streaming: counters.countStreaming(-1)
        case .open, .closing, .lingering, .closed: break
        }
        connection.phase = .closed
        connection.readWatch?.cancel()
        connection.readWatch = nil
        connection.sideWatch?.cancel()
        connection.sideWatch = nil
        connection.sideKinds = []
        if let request = connection.request ?? connection.body?.request { recycle(request) }
        connection.request = nil
        connection.body = nil
        wheel.remove(id.slot)
        table.remove(connection)
        close(connection.descriptor)
        if connection.isRefused {
            refusedNow -= 1
        } else {
            counters.countClosed()
            gauge.leave()
        }
        if wasWaiting, let why { application.abandoned(id, why) }
        if isDraining, table.isEmpty { drain?.end(in: self) }
    }
}
