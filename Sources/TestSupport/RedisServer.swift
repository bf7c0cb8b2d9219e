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
        /// Further settings as on the command line, such as `["--maxmemory", "2mb"]`.
        package var settings: [String]

        package init(password: String? = nil, appendOnly: Bool = false, settings: [String] = []) {
            self.password = password
            self.appendOnly = appendOnly
            self.settings = settings
        }
    }

    package let directory: String
    package let port: Int
    package let options: Options
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
        port = try TCPProxySocket.freePort()
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
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "-::1", "--unixsocket", socketPath,
            "--dir", directory, "--logfile", directory + "/redis.log", "--daemonize", "no", "--save", "",
            "--appendonly", options.appendOnly ? "yes" : "no", "--appendfsync", "always",
        ]
        if let password = options.password { arguments += ["--requirepass", password] }
        return arguments + options.settings
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
