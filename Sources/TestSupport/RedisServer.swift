import EventLoop
import Foundation
import Glibc

/// A redis-server of its own on loopback and a unix socket, in a directory of its own.
///
/// Safe from any thread. It lives until `stop`; `withRedisServer` sees to that.
package final class RedisServer: Sendable {
    package struct Options: Sendable {
        package var password: String?
        package var appendOnly: Bool
        /// The IPv4 address it listens at; ::1 as well where it's 127.0.0.1.
        package var address: String
        /// Nil: a free one.
        package var port: Int?
        /// Node of a cluster, with a free port for its bus.
        package var isClusterNode: Bool
        /// The lines of a sentinel's own file: with them it's a sentinel.
        package var sentinel: [String]?
        /// Further settings as on the command line, such as `["--maxmemory", "2mb"]`.
        package var settings: [String]
        /// Words that run it, such as `env` with variables; nothing by default.
        package var launcher: [String] = []

        package init(
            password: String? = nil, appendOnly: Bool = false, address: String = "127.0.0.1",
            port: Int? = nil, isClusterNode: Bool = false, sentinel: [String]? = nil, settings: [String] = []
        ) {
            self.password = password
            self.appendOnly = appendOnly
            self.address = address
            self.port = port
            self.isClusterNode = isClusterNode
            self.sentinel = sentinel
            self.settings = settings
        }
    }

    /// The server to run, such as `valkey-server`: a name that is looked up in the path, or a path.
    package static var program: String {
        ProcessInfo.processInfo.environment["FXGW_TEST_REDIS_SERVER"] ?? "redis-server"
    }

    package let directory: String
    package let port: Int
    package let options: Options
    /// The port of a cluster node's bus.
    package let busPort: Int?
    private let process = Locked<RedisServerProcess?>(nil)

    package var socketPath: String { directory + "/redis.sock" }
    package var log: String {
        (try? String(contentsOfFile: directory + "/redis.log", encoding: .utf8)) ?? ""
    }

    /// A running server that answers.
    ///
    /// Another process may take the free port first; then another port is tried.
    package static func start(_ options: Options = Options()) async throws -> RedisServer {
        var last = RedisServerProblem.noAnswer
        for _ in 0..<5 {
            let server = try RedisServer(options)
            do {
                try await server.launch()
                return server
            } catch let problem as RedisServerProblem {
                last = problem
                server.stop()
                server.removeDirectory()
            }
        }
        throw last
    }

    private init(_ options: Options) throws(RedisServerProblem) {
        self.options = options
        port = if let port = options.port { port } else { try TCPProxySocket.freePort() }
        busPort = options.isClusterNode ? try TCPProxySocket.freePort() : nil
        var template = Array("/tmp/fxgw-redis-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .cannotSpawn(code: errno) }
        directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { stop() }

    /// Starts it again on the same port with what it has saved; or after `stop`.
    package func restart() async throws {
        stop()
        try await launch()
    }

    /// Kills it and waits until it's gone; idempotent.
    ///
    /// If this process dies first, it's killed as well.
    package func stop() {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        process?.end()
    }

    /// Its process; nil while it doesn't run.
    package var identifier: Int32? { process.withLock { $0?.pid } }

    /// Lets it hang: it keeps its sockets and answers nothing.
    package func pause() { signal(SIGSTOP) }

    /// Lets it go on.
    package func resume() { signal(SIGCONT) }

    /// One command over a connection of its own; see `RedisServerSession.send` for the form of the reply.
    @discardableResult
    package func cli(_ arguments: String...) throws(RedisServerProblem) -> String {
        try session().send(arguments)
    }

    /// A connection of its own, logged in.
    package func session() throws(RedisServerProblem) -> RedisServerSession {
        let session = try RedisServerSession(socketPath: socketPath)
        if let password = options.password { try session.send(["AUTH", password]) }
        return session
    }

    /// Removes its files.
    package func removeDirectory() { try? FileManager.default.removeItem(atPath: directory) }

    private func signal(_ number: Int32) {
        process.withLock { process in
            if let process { kill(process.pid, number) }
        }
    }

    private func launch() async throws {
        try writeSentinelFile()
        let child = try RedisServerProcess(arguments, log: directory + "/out.log")
        process.withLock { $0 = child }
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            // It binds its port before the unix socket and ends if it can't: an answer there means both are open,
            // and a refusal for too many clients is an answer.
            let answer = try? session().send(["PING"])
            if let answer, answer == "PONG" || answer.hasPrefix("-ERR max number of clients") { return }
            if child.hasEnded() { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw RedisServerProblem.notReady(log: log)
    }

    private var arguments: [String] {
        var arguments = [
            "--port", "\(port)", "--unixsocket", socketPath, "--dir", directory, "--logfile",
            directory + "/redis.log", "--daemonize", "no", "--bind", options.address,
        ]
        if options.address == "127.0.0.1" { arguments.append("-::1") }
        if let password = options.password { arguments += ["--requirepass", password] }
        if options.sentinel != nil {
            return options.launcher + [Self.program, sentinelFile, "--sentinel"] + arguments
                + options.settings
        }
        if let password = options.password { arguments += ["--masterauth", password] }
        arguments += ["--save", "", "--appendonly", options.appendOnly ? "yes" : "no"]
        arguments += ["--appendfsync", "always", "--repl-diskless-sync-delay", "0"]
        if let busPort {
            arguments += ["--cluster-enabled", "yes", "--cluster-port", "\(busPort)"]
        }
        return options.launcher + [Self.program] + arguments + options.settings
    }

    private var sentinelFile: String { directory + "/sentinel.conf" }

    /// A sentinel keeps what it learns in its file: it's written once.
    private func writeSentinelFile() throws {
        guard let lines = options.sentinel, !FileManager.default.fileExists(atPath: sentinelFile) else {
            return
        }
        try lines.map { $0 + "\n" }.joined().write(toFile: sentinelFile, atomically: true, encoding: .utf8)
    }
}

/// Runs `body` with a server of its own, which is gone afterwards.
package func withRedisServer<T>(
    _ options: RedisServer.Options = RedisServer.Options(), _ body: (RedisServer) async throws -> T
) async throws -> T {
    let server = try await RedisServer.start(options)
    defer {
        server.stop()
        server.removeDirectory()
    }
    return try await body(server)
}
