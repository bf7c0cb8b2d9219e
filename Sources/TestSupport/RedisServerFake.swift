import EventLoop
import Glibc
import Synchronization

/// A peer that speaks as much of Redis's protocol as a test tells it to, and records what it's asked.
///
/// Safe from any thread; `stop` ends it.
package final class RedisServerFake: Sendable {
    /// What to do about one command.
    package enum Step: Sendable {
        case bytes([UInt8])
        case silence
        /// Sends this, then closes.
        case last([UInt8])

        package static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
    }

    package typealias Answer = @Sendable ([String]) -> Step

    /// Answers a login, and the questions behind it, as a master does; nil for any other command.
    package static func login(_ command: [String]) -> Step? {
        switch command.first {
        case "AUTH", "SELECT", "CLIENT": .text("+OK\r\n")
        case "PING": .text("+PONG\r\n")
        case "ROLE": .text("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n")
        case "INFO": .text("$0\r\n\r\n")
        default: nil
        }
    }

    package let port: Int
    private let loop: EventLoop
    private let state: RedisServerFakeState

    package init(_ answer: @escaping Answer) throws {
        let (descriptor, port) = try TCPProxySocket.listen()
        self.port = port
        loop = try EventLoop(name: "fake-redis")
        state = RedisServerFakeState(listener: descriptor, answer: answer, loop: loop)
        try state.listen()
        try loop.start()
    }

    /// All commands so far, in order, each as its connection's number and its arguments.
    package var commands: [(connection: Int, arguments: [String])] { state.record.withLock { $0 } }

    package var connections: Int { state.accepted.load(ordering: .relaxed) }

    /// Sends this to every open connection, asked or not.
    package func push(_ bytes: [UInt8]) async { _ = await loop.perform { [state] in state.push(bytes) } }

    package func stop() async {
        _ = await loop.perform { [state] in state.stop() }
        loop.stop()
        loop.join()
    }
}
