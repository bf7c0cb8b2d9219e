import EventLoop
import Glibc

/// From the listener to open connections.
extension HTTPLoop {
    /// Refused connections that are being closed in good order at a time.
    private static let refusedLimit = 64

    /// Begins to take connections from `descriptor`; `deal` hands each to a loop, nil keeps them all.
    func listen(on descriptor: Int32, dealingBy deal: ((Int32) -> Bool)?) {
        acceptor = try? Acceptor(
            descriptor: descriptor, loop: loop,
            whenPaused: { [unowned self] in startTicking() },
            take: deal ?? { [unowned self] in adopt($0) })
        // epoll watches every listening socket; only exhausted memory could get here.
        if acceptor == nil { close(descriptor) }
    }

    /// Serves a new connection.
    ///
    /// - Returns: false if accepting should pause.
    func adopt(_ descriptor: Int32) -> Bool {
        startTicking()
        let isTaken = gauge.enter()
        if !isTaken {
            counters.countRefused()
            guard refusedNow < Self.refusedLimit else {
                close(descriptor)
                return false
            }
        }
        guard let connection = table.insert(descriptor: descriptor, isRefused: !isTaken) else {
            close(descriptor)
            if isTaken { gauge.leave() }
            return false
        }
        if isTaken { counters.countAccepted() } else { refusedNow += 1 }
        let watch = try? loop.watch(descriptor: descriptor, .readable) {
            // Held by the watch, and so for the length of each report; `drop` lets go of both.
            [unowned self, connection] _ in readable(connection)
        }
        guard let watch else {
            drop(connection)
            return true
        }
        connection.readWatch = watch
        if isTaken {
            settle(connection)
        } else {
            batch(connection) { refuse(connection, .tooManyConnections) }
        }
        return true
    }
}
