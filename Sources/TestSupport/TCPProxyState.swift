import EventLoop
import Glibc
import Synchronization

/// The proxy's side on its loop: the listener and the connections.
///
/// Sendable: everything but the counters is touched by the loop's thread alone.
final class TCPProxyState: @unchecked Sendable {
    private final class Connection {
        let client: Int32
        var server: Int32?
        var pipes: [TCPProxyDirection: TCPProxyPipe] = [:]

        init(client: Int32) { self.client = client }
    }

    let accepted = Atomic<Int>(0)
    let holding = Atomic<Int>(0)
    /// Nil while the port is closed.
    private var listener: Int32?
    private let port: Int
    private var serverPort: Int
    private let loop: EventLoop
    private var watch: EventWatch?
    private var connections: [Int32: Connection] = [:]
    private var fault = TCPProxyFault.none
    private var latency: [TCPProxyDirection: Duration] = [:]
    private var allowance: [TCPProxyDirection: Int] = [:]
    private var hold: TCPProxyHold?

    init(listener: Int32, port: Int, serverPort: Int, loop: EventLoop) {
        self.listener = listener
        self.port = port
        self.serverPort = serverPort
        self.loop = loop
    }

    func listen() throws {
        guard let listener else { return }
        watch = try loop.watch(descriptor: listener, .readable) { [unowned self] _ in accept() }
        watch?.resume()
    }

    func set(_ fault: TCPProxyFault) {
        self.fault = fault
        if fault == .closed { return stop() }
        if listener == nil {
            listener = try? TCPProxySocket.listen(port: port).descriptor
            try? listen()
        }
        for connection in connections.values { apply(to: connection) }
    }

    func aim(at port: Int) { serverPort = port }

    func set(latency length: Duration, _ direction: TCPProxyDirection) {
        latency[direction] = length
        for connection in connections.values { connection.pipes[direction]?.latency = length }
    }

    func set(allowance bytes: Int?, _ direction: TCPProxyDirection) {
        allowance[direction] = bytes
        for connection in connections.values { connection.pipes[direction]?.allowance = bytes }
    }

    func hold(_ hold: TCPProxyHold?) {
        self.hold = hold
        for connection in connections.values { watch(connection) }
        if hold == nil {
            for pipe in connections.values.flatMap(\.pipes.values) { pipe.isHeld = false }
        }
        count()
    }

    func reset() {
        for connection in connections.values { end(connection, isReset: true) }
    }

    func stop() {
        reset()
        watch = nil
        if let listener { close(listener) }
        listener = nil
    }

    private func accept() {
        guard let listener else { return }
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        accepted.wrappingAdd(1, ordering: .relaxed)
        guard fault != .refuse else { return TCPProxySocket.reset(client) }
        let connection = Connection(client: client)
        connections[client] = connection
        TCPProxySocket.setNonBlocking(client)
        guard fault == .none else { return }
        guard let server = TCPProxySocket.connect(port: serverPort) else {
            return end(connection, isReset: true)
        }
        TCPProxySocket.setNonBlocking(server)
        connection.server = server
        for direction in TCPProxyDirection.allCases {
            let isUp = direction == .toServer
            guard
                let pipe = try? TCPProxyPipe(
                    from: isUp ? client : server, to: isUp ? server : client, loop: loop)
            else { return end(connection, isReset: true) }
            pipe.latency = latency[direction] ?? .zero
            pipe.allowance = allowance[direction]
            pipe.onEnd = { [unowned self, unowned connection] in end(connection, isReset: false) }
            pipe.onSpent = { [unowned self, unowned connection] in end(connection, isReset: true) }
            connection.pipes[direction] = pipe
        }
        watch(connection)
    }

    /// Looks for the marker in what goes to the server.
    private func watch(_ connection: Connection) {
        guard let pipe = connection.pipes[.toServer] else { return }
        pipe.marker = hold.map { TCPProxyMarker($0.marker) }
        pipe.onMarker = { [unowned self, unowned connection] in
            guard let hold else { return }
            connection.pipes[hold.direction]?.isHeld = true
            count()
        }
    }

    private func count() {
        let held = connections.values.count { $0.pipes.values.contains { $0.isHeld } }
        holding.store(held, ordering: .relaxed)
    }

    private func apply(to connection: Connection) {
        for pipe in connection.pipes.values { pipe.isBlocked = fault == .hang || fault == .halfOpen }
        guard fault == .halfOpen, let server = connection.server else { return }
        connection.pipes[.toClient]?.cancel()
        connection.pipes[.toServer]?.cancel()
        connection.pipes = [:]
        close(server)
        connection.server = nil
    }

    private func end(_ connection: Connection, isReset: Bool) {
        guard connections.removeValue(forKey: connection.client) != nil else { return }
        defer { count() }
        // A pipe may be the caller: it lives until this returns.
        withExtendedLifetime(connection.pipes) {
            for pipe in connection.pipes.values { pipe.cancel() }
            for descriptor in [connection.client, connection.server] {
                guard let descriptor else { continue }
                if isReset { TCPProxySocket.reset(descriptor) } else { close(descriptor) }
            }
        }
    }
}
