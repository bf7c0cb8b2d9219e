/// A master, two replicas and three sentinels of its own, on loopback.
///
/// The sentinels take a server for down after a second of silence. The last replica is never promoted, so that a test knows
/// who will be. Safe from any thread. It lives until `stop`; `withRedisSentinelTrio` sees to that.
package final class RedisSentinelTrio: Sendable {
    package static let service = "fx"
    package static let password = "of the servers"
    package static let sentinelPassword = "of the sentinels"

    /// The first one begins as the master, the second one is the next.
    package let servers: [RedisServer]
    package let sentinels: [RedisServer]

    package static func start() async throws -> RedisSentinelTrio {
        var servers: [RedisServer] = []
        var sentinels: [RedisServer] = []
        do {
            let master = try await RedisServer.start(RedisServer.Options(password: password))
            servers.append(master)
            for priority in [100, 0] {
                let settings = [
                    "--replicaof", "127.0.0.1 \(master.port)", "--replica-priority", "\(priority)",
                ]
                servers.append(
                    try await RedisServer.start(RedisServer.Options(password: password, settings: settings)))
            }
            _ = await eventually(within: .seconds(10)) {
                servers.dropFirst().allSatisfy { $0.isInStep }
            }
            let lines = [
                "sentinel monitor \(service) 127.0.0.1 \(master.port) 2",
                "sentinel auth-pass \(service) \"\(password)\"",
                "sentinel sentinel-pass \"\(sentinelPassword)\"",
                "sentinel down-after-milliseconds \(service) 1000",
                "sentinel failover-timeout \(service) 3000", "sentinel parallel-syncs \(service) 2",
            ]
            for _ in 0..<3 {
                sentinels.append(
                    try await RedisServer.start(
                        RedisServer.Options(password: sentinelPassword, sentinel: lines)))
            }
            let trio = RedisSentinelTrio(servers, sentinels)
            guard await eventually(within: .seconds(15), { trio.isAgreed }) else {
                throw RedisServerProblem.notReady(log: sentinels[0].log)
            }
            return trio
        } catch {
            RedisSentinelTrio(servers, sentinels).stop()
            throw error
        }
    }

    private init(_ servers: [RedisServer], _ sentinels: [RedisServer]) {
        self.servers = servers
        self.sentinels = sentinels
    }

    /// The URL that leads there, with both passwords.
    package var url: String {
        let nodes = sentinels.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        let password = Self.password.replacing(" ", with: "%20")
        let sentinelPassword = Self.sentinelPassword.replacing(" ", with: "%20")
        return "redis+sentinel://:\(password)@\(nodes)/\(Self.service)?sentinel_password=\(sentinelPassword)"
    }

    /// Begins a failover to the other one that may be a master, both alive; false while the sentinels see none.
    package func failOver() -> Bool {
        (try? sentinels[0].cli("SENTINEL", "FAILOVER", Self.service)) == "OK"
    }

    package func stop() {
        for server in sentinels + servers {
            server.stop()
            server.removeDirectory()
        }
    }

    /// Whether every sentinel knows the two others and both replicas.
    private var isAgreed: Bool {
        sentinels.allSatisfy { sentinel in
            guard let text = try? sentinel.cli("SENTINEL", "MASTER", Self.service) else { return false }
            return text.contains("num-slaves\n2\nnum-other-sentinels\n2\n")
        }
    }
}

extension RedisServer {
    /// Whether it says that it is a master.
    package var isMaster: Bool { (try? cli("ROLE"))?.hasPrefix("master") ?? false }

    /// Whether it is a replica that has all of its master's data.
    package var isInStep: Bool {
        (try? cli("INFO", "replication"))?.contains("master_link_status:up") ?? false
    }
}

/// Runs `body` with a trio of its own, which is gone afterwards.
package func withRedisSentinelTrio<T>(_ body: (RedisSentinelTrio) async throws -> T) async throws -> T {
    let trio = try await RedisSentinelTrio.start()
    defer { trio.stop() }
    return try await body(trio)
}
