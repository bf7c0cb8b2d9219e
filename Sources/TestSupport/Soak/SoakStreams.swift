import EventLoop
import Foundation
import Glibc

/// Clients of event streams that keep nothing of what they read, all on one thread; whoever is ended comes back.
///
/// Safe from any thread; ends with `stop`.
final class SoakStreams: Sendable {
    private struct State {
        var events = 0
        var isStopped = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let ports: [UInt16]
    private static let request = "GET /v1/stream?base=EUR&symbols=USD HTTP/1.1\r\nHost: gateway\r\n\r\n"

    /// So many for each gateway.
    init(_ count: Int, _ gateways: [GatewayProcess]) {
        ports = gateways.flatMap { Array(repeating: $0.port, count: count) }
        Thread.detachNewThread { self.run() }
    }

    /// The events since this was last asked.
    func take() -> Int {
        state.withLock { state in
            defer { state.events = 0 }
            return state.events
        }
    }

    func stop() async {
        state.withLock { $0.isStopped = true }
        _ = await eventually(within: .seconds(10)) { state.withLock { $0.hasEnded } }
    }

    private func run() {
        var clients: [RawHTTPClient?] = ports.map { _ in nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !state.withLock({ $0.isStopped }) {
            var events = 0
            for (index, port) in ports.enumerated() {
                guard let client = clients[index] else {
                    let client = try? RawHTTPClient(port: port)
                    if (try? client?.send(Self.request)) != nil { clients[index] = client }
                    continue
                }
                let count = recv(client.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                if count > 0 {
                    events +=
                        String(decoding: buffer[..<count], as: UTF8.self).split(separator: "data:").count - 1
                } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                    client.close()
                    clients[index] = nil
                }
            }
            state.withLock { $0.events += events }
            usleep(50_000)
        }
        for client in clients { client?.close() }
        state.withLock { $0.hasEnded = true }
    }
}
