package import EventLoop
import Glibc
import Synchronization

/// An HTTP/1.1 server (RFC 9110, RFC 9112) on one or more event loops.
///
/// Every loop serves its own connections: on an IP address each has its own listener and the kernel deals connections
/// out; on a path the first loop accepts and deals them out in turn. Requests are answered in order, pipelined or not;
/// all answers of one read go out in one call.
///
/// Safe from any thread where nothing else is said. It must be drained, or its loops must have ended, before it is
/// released.
package final class HTTPServer: Sendable {
    package let configuration: HTTPServerConfiguration
    let loops: [HTTPLoop]
    private let state = Locked(State())
    private let draining = Atomic(false)

    private struct State {
        var isStarted = false
        var port: UInt16 = 0
        var turn = 0
    }

    /// A server that doesn't listen yet.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, and the limits.
    ///   - loops: made by the caller, who also runs, ends and joins them; at least 1, at most 256.
    ///   - application: makes the application of the loop with that index; called here, once for each.
    package init(
        configuration: HTTPServerConfiguration, loops: [EventLoop], application: (Int) -> any HTTPApplication
    ) {
        precondition((1...ConnectionID.loopLimit).contains(loops.count), "a server has 1 to 256 loops")
        precondition((64...65_535).contains(configuration.headLimit), "a head has 64 to 65,535 bytes")
        precondition((1...4096).contains(configuration.fieldLimit), "a head has 1 to 4,096 fields")
        let gauge = ConnectionGauge(limit: configuration.maxConnections)
        self.configuration = configuration
        self.loops = loops.enumerated().map { index, loop in
            HTTPLoop(
                index: index, loop: loop, configuration: configuration, application: application(index),
                gauge: gauge)
        }
    }

    /// Binds all listeners and begins to accept.
    ///
    /// Loops that don't run yet serve once they do.
    ///
    /// - Throws: `.cannotListen` with the address, if it is taken or not ours; `.loopUnusable` if a loop has ended;
    ///   `.alreadyStarted`. Nothing listens then.
    package func start() throws(HTTPServerError) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { throw .alreadyStarted }
        var descriptors: [Int32] = []
        do {
            var address = configuration.address
            try Listener.checkFree(address)
            for _ in 0..<(address.isUnix ? 1 : loops.count) {
                let descriptor = try Listener.open(
                    address, backlog: configuration.backlog, isShared: loops.count > 1)
                descriptors.append(descriptor)
                address = address.with(port: SocketAddress.boundPort(of: descriptor))
            }
            let port = SocketAddress.boundPort(of: descriptors[0])
            state.withLock { $0.port = port }
            try serve(&descriptors)
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
    }

    /// Hands each loop its listener, the last one first; what is left in `descriptors` is still the caller's.
    private func serve(_ descriptors: inout [Int32]) throws(HTTPServerError) {
        for (index, loop) in loops.enumerated().reversed() {
            let descriptor = index < descriptors.count ? descriptors.last : nil
            let dealsOut = configuration.address.isUnix && loops.count > 1
            let isPosted = loop.loop.post { [self] in
                loop.application.attached(to: self, loop: index)
                guard let descriptor else { return }
                loop.listen(on: descriptor, dealingBy: dealsOut ? { [unowned self] in deal($0) } : nil)
            }
            if !isPosted { throw .loopUnusable(name: loop.loop.name) }
            if descriptor != nil { descriptors.removeLast() }
        }
    }

    /// Hands a descriptor to the next loop in turn.
    private func deal(_ descriptor: Int32) -> Bool {
        let turn = state.withLock { state in
            state.turn = (state.turn + 1) % loops.count
            return state.turn
        }
        let target = loops[turn]
        if turn == 0 { return target.adopt(descriptor) }
        if !target.loop.post({ _ = target.adopt(descriptor) }) { close(descriptor) }
        return true
    }

    /// The port listened on; 0 before `start` and for a path.
    package var boundPort: UInt16 { state.withLock { $0.port } }

    // MARK: - Parked requests and streams

    /// Answers a parked request, on its loop's thread.
    ///
    /// An id that isn't known any more is passed over.
    package func resume(
        _ id: ConnectionID, _ body: @escaping @Sendable (HTTPRequest, ResponseWriter) -> HTTPDisposition
    ) {
        guard id.loop < loops.count else { return }
        let loop = loops[id.loop]
        loop.loop.post { loop.resume(id, body) }
    }

    /// The same for callers on the loop's own thread: at once, or right after the batch of answers being written.
    package func resumeNow(
        _ id: ConnectionID, _ body: @escaping (HTTPRequest, ResponseWriter) -> HTTPDisposition
    ) {
        own(id)?.resume(id, body)
    }

    /// Adds to a stream's body.
    ///
    /// Only on the loop's own thread, after the call that began the stream has returned.
    /// - Returns: false if the stream is unknown or has ended, or if it was dropped because its reader is more than
    ///   `maxOutput` behind.
    package func write(_ id: ConnectionID, _ piece: StreamPiece) -> Bool {
        own(id)?.write(id, piece) ?? false
    }

    /// Adds bytes that no other stream gets; see above.
    ///
    /// None at all are no harm, and say whether the stream is still there.
    package func write(_ id: ConnectionID, _ bytes: [UInt8]) -> Bool {
        guard let loop = own(id) else { return false }
        return bytes.isEmpty ? loop.hasStream(id) : loop.write(id, StreamPiece(bytes))
    }

    /// Ends a stream's answer.
    ///
    /// Only on the loop's own thread; an unknown id is passed over.
    package func finish(_ id: ConnectionID) {
        own(id)?.finish(id)
    }

    /// Resets the connection of a parked or streamed request.
    ///
    /// Only on the loop's own thread; an unknown id is passed over.
    package func abort(_ id: ConnectionID) {
        own(id)?.abort(id)
    }

    private func own(_ id: ConnectionID) -> HTTPLoop? {
        guard id.loop < loops.count else { return nil }
        assert(loops[id.loop].loop.isCurrent, "only on the thread of the id's loop")
        return loops[id.loop]
    }

    // MARK: - End and figures

    /// Ends the service: listeners are closed at once, idle connections after `drainGrace`; the answers of all others
    /// go out with `Connection: close`; whatever is left after `limit` is cut.
    ///
    /// The loops go on; they are the caller's. A second call waits for nothing and counts nothing.
    package func drain(limit: Duration) async -> DrainResult {
        guard !draining.exchange(true, ordering: .relaxed) else { return DrainResult() }
        if case .unix(let path) = configuration.address.kind, boundAtPath { unlink(path) }
        return await withTaskGroup(of: DrainResult.self) { group in
            for loop in loops {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let isPosted = loop.loop.post {
                            loop.beginDrain(limit: limit) { continuation.resume(returning: $0) }
                        }
                        if !isPosted { continuation.resume(returning: DrainResult()) }
                    }
                }
            }
            return await group.reduce(into: DrainResult()) { sum, part in
                sum.drained += part.drained
                sum.cut += part.cut
            }
        }
    }

    private var boundAtPath: Bool { state.withLock { $0.isStarted } }

    /// Whether `drain` was called.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// The counters of all loops, each by itself exact.
    package var counts: HTTPServerCounts {
        var counts = HTTPServerCounts()
        for loop in loops { loop.counters.add(to: &counts) }
        return counts
    }
}
