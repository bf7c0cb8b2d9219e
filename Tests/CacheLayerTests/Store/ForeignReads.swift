import EventLoop
import Foundation
import Glibc
import TestSupport

/// Another client of the same server that reads a small key of its own all the time, on a thread of its own.
///
/// Safe from any thread; ends with `stop`.
final class ForeignReads: Sendable {
    private struct State {
        var times: [Duration] = []
        var isStopped = false
        var hasEnded = false
    }

    private let state = Locked(State())

    init(_ server: RedisServer) throws {
        try server.cli("SET", "foreign", "value")
        let path = server.socketPath
        Thread.detachNewThread { [state] in
            let session = try? RedisServerSession(socketPath: path)
            while !state.withLock({ $0.isStopped }) {
                let start = ContinuousClock.now
                guard (try? session?.send(["GET", "foreign"])) == "value" else { break }
                let time = ContinuousClock.now - start
                state.withLock { $0.times.append(time) }
                usleep(500)
            }
            state.withLock { $0.hasEnded = true }
        }
    }

    /// Ends it and tells how long each read took.
    func stop() async -> [Duration] {
        state.withLock { $0.isStopped = true }
        _ = await eventually(within: .seconds(5)) { state.withLock { $0.hasEnded } }
        return state.withLock { $0.times }
    }
}
