import EventLoop
import Glibc

/// Answers whose bodies come bit by bit.
extension HTTPLoop {
    /// Adds to a stream's body.
    ///
    /// - Returns: false if the stream is unknown, has ended, or was dropped since its reader is too far behind.
    func write(_ id: ConnectionID, _ piece: StreamPiece) -> Bool {
        guard let connection = table[id], connection.phase == .streaming else { return false }
        return piece.withBytes(in: connection.framing) { bytes in
            guard connection.unsent.count + bytes.count <= configuration.maxOutput else {
                drop(connection, telling: nil)
                return false
            }
            deliver(bytes, on: connection)
            guard connection.phase != .closed else { return false }
            updateWatches(connection)
            return connection.phase != .closed
        }
    }

    /// Whether that is a stream that runs.
    func hasStream(_ id: ConnectionID) -> Bool { table[id]?.phase == .streaming }

    /// Ends a stream; an unknown one is passed over.
    func finish(_ id: ConnectionID) {
        if isBusy {
            postpone { [unowned self] in finish(id) }
            return
        }
        guard let connection = table[id], connection.phase == .streaming else { return }
        if connection.framing == .chunked { connection.unsent.append("0\r\n\r\n") }
        counters.countStreaming(-1)
        table.renew(connection)
        if connection.keepsAlive, !isDraining {
            connection.phase = .open
        } else {
            connection.phase = .closing
            connection.lingers = true
        }
        batch(connection) {
            if !connection.unsent.isEmpty { sendUnsent(connection) }
            proceed(connection)
        }
        // A reader that was behind already must not hold up the end of the service.
        if isDraining, connection.phase == .closing { startDeadline(connection, after: ticks.linger) }
    }

    /// Resets a connection whose request is parked or streamed; an unknown one is passed over.
    func abort(_ id: ConnectionID) {
        guard let connection = table[id], connection.isWaiting else { return }
        reset(connection)
    }

    /// Has the kernel hold no more of a stream than is configured, and no longer, for a reader that doesn't read.
    ///
    /// For the rest of the connection's life: what was set can't be given back to the kernel's own judgement.
    func limitWaiting(on connection: HTTPConnection) {
        let size = socklen_t(MemoryLayout<Int32>.size)
        if var bytes = configuration.streamSendBuffer.map({ Int32(clamping: $0) }) {
            setsockopt(connection.descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, size)
        }
        if var milliseconds = configuration.streamTimeout.map({
            Int32(clamping: $0.wholeNanoseconds / 1_000_000)
        }) {
            setsockopt(connection.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
        }
    }
}
