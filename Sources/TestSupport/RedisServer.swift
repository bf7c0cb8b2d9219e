import Foundation
import Glibc
import Synchronization

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
    private let process = Mutex<pid_t?>(nil)

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
    package func stop() {
        let pid = process.withLock { pid in
            defer { pid = nil }
            return pid
        }
        guard let pid else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
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
        process.withLock { pid in
            if let pid { kill(pid, number) }
        }
    }

    private func launch() async throws {
        let pid = try spawn()
        process.withLock { $0 = pid }
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            // It binds its port before the unix socket and ends if it can't: an answer there means both are open.
            if let session = try? session(), (try? session.send(["PING"])) == "PONG" { return }
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                process.withLock { $0 = nil }
                break
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw RedisServerProblem.notReady(log: log)
    }

    private func spawn() throws(RedisServerProblem) -> pid_t {
        var arguments = [
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "-::1", "--unixsocket", socketPath,
            "--dir", directory, "--logfile", directory + "/redis.log", "--daemonize", "no", "--save", "",
            "--appendonly", options.appendOnly ? "yes" : "no",
        ]
        if let password = options.password { arguments += ["--requirepass", password] }
        arguments += options.settings

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of Swift's pool block signals, and a child inherits that: it would ignore SIGTERM for ever.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &files, 1, directory + "/out.log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, 1, 2)

        let vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in vector { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, "redis-server", &files, &attributes, vector, environ)
        guard code == 0 else { throw .cannotSpawn(code: code) }
        return pid
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
