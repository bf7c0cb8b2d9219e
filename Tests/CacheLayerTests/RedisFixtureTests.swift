import EventLoop
import Foundation
import Glibc
import Telemetry
import TestSupport

@testable import CacheLayer

/// What the Redis tests share: clients with a loop of their own, bounded polls, a log that is kept.
enum RedisFixture {
    /// Limits that no test means to reach, whatever else the machine does.
    static let patient = RedisTimeouts(connect: .seconds(10), command: .seconds(10))

    /// Short limits, for tests about limits.
    static let brisk = RedisTimeouts(
        connect: .milliseconds(400), command: .milliseconds(200), reconnectFirst: .milliseconds(5),
        reconnectLongest: .milliseconds(50), refusedFirst: .milliseconds(300), refusedLongest: .seconds(2),
        breakerFirst: .milliseconds(50), breakerLongest: .milliseconds(200),
        subscriptionSilence: .milliseconds(100))

    /// As patient with commands as `patient`, as quick with reconnects as `brisk`.
    static let eager = RedisTimeouts(
        connect: .seconds(10), command: .seconds(10), reconnectFirst: .milliseconds(5),
        reconnectLongest: .milliseconds(50), breakerFirst: .milliseconds(20),
        breakerLongest: .milliseconds(50))

    static func url(_ port: Int, password: String? = nil, database: Int = 0) -> String {
        "redis://\(password.map { ":\($0)@" } ?? "")127.0.0.1:\(port)/\(database)"
    }

    /// Runs `body` with a client that has begun to connect, and ends client and loop.
    static func withClient<T>(
        _ url: String, password: String? = nil, timeouts: RedisTimeouts = patient, logger: Logger = .silent,
        waits: Bool = true, anchor: String? = nil,
        lookUp: @escaping RedisResolver.LookUp = RedisResolver.addresses,
        _ body: (RedisClient) async throws -> T
    ) async throws -> T {
        let loop = try EventLoop(name: "redis-test")
        try loop.start()
        let endpoint = try RedisEndpoint(url: url, password: password)
        let client = RedisClient(
            try RedisLinkSetup(
                endpoint: endpoint, timeouts: timeouts, loop: loop, logger: logger, name: "fxgw test",
                anchor: anchor, lookUp: lookUp))
        client.connect()
        if waits { try await eventually { client.health.isConnected } }
        let result: Result<T, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.close()
        loop.stop()
        loop.join()
        return try result.get()
    }

    struct Late: Error {}

    /// Polls until the condition holds; throws after ten seconds.
    static func eventually(_ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while try await !condition() {
            guard ContinuousClock.now < end else { throw Late() }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// The descriptors of this process that are connected to a loopback port.
    static func descriptors(to port: Int) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.filter { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(descriptor, $0, &length)
                }
            }
            return code == 0 && address.sin_family == sa_family_t(AF_INET)
                && Int(UInt16(bigEndian: address.sin_port)) == port
        }
    }
}

extension RedisClient {
    /// A command's reply or error as one value.
    func ask(_ arguments: [String]) async -> Result<RedisReply, StoreError> {
        await ask(arguments.map { Array($0.utf8) })
    }

    func ask(_ arguments: [[UInt8]]) async -> Result<RedisReply, StoreError> {
        do throws(StoreError) { return .success(try await command(arguments)) } catch {
            return .failure(error)
        }
    }

    /// A script's reply or error as one value.
    func answer(
        _ script: RedisScript, keys: [String], arguments: [[UInt8]]
    ) async -> Result<RedisReply, StoreError> {
        do throws(StoreError) {
            return .success(try await run(script, keys: keys, arguments: arguments))
        } catch {
            return .failure(error)
        }
    }
}

/// Keeps the lines of a logger.
final class RedisLog: Sendable {
    private let kept = Locked<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    var text: String { lines.joined() }

    func logger() -> Logger {
        Logger(
            level: .trace, format: .text,
            sink: { [self] bytes in kept.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } })
    }
}
