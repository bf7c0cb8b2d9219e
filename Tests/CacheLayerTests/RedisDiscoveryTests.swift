import EventLoop
import Synchronization
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// The way to the right server, before scripted sentinels and nodes.
@Suite("The Redis client on its way", .timeLimit(.minutes(3)))
struct RedisDiscoveryTests {
    private static let limits = RedisTimeouts(
        connect: .milliseconds(400), command: .seconds(5), reconnectFirst: .milliseconds(5),
        reconnectLongest: .milliseconds(50), refusedFirst: .milliseconds(20), breakerFirst: .milliseconds(20),
        breakerLongest: .milliseconds(50), masterCheck: .milliseconds(30))

    private static func bulk(_ texts: [String]) -> String {
        "*\(texts.count)\r\n" + texts.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
    }

    /// A sentinel that names the port that `master` holds: 0 for none.
    private static func sentinel(_ master: Locked<(port: Int, epoch: Int)>) throws -> RedisServerFake {
        try RedisServerFake { command in
            guard command.first == "SENTINEL" else { return RedisServerFake.login(command) ?? .silence }
            let (port, epoch) = master.withLock { $0 }
            guard port > 0 else {
                return .text(command[1] == "MASTER" ? "-ERR No such master\r\n" : "*-1\r\n")
            }
            if command[1] == "MASTER" { return .text(bulk(["config-epoch", "\(epoch)"])) }
            return .text(bulk(["127.0.0.1", "\(port)"]))
        }
    }

    private static func url(_ sentinels: [RedisServerFake], _ rest: String = "") -> String {
        "redis+sentinel://" + sentinels.map { "127.0.0.1:\($0.port)" }.joined(separator: ",") + "/fx" + rest
    }

    @Test(
        "asks the sentinels in turn: past one that hangs and one that knows no such master; with their password"
    )
    func inTurn() async throws {
        try await withRedisServer { server in
            let hung = try RedisServerFake { _ in .silence }
            let ignorant = try Self.sentinel(Locked((0, 0)))
            let good = try Self.sentinel(Locked((server.port, 1)))
            let url = Self.url([hung, ignorant, good], "?sentinel_user=me&sentinel_password=s%20w")
            try await RedisFixture.withClient(url, timeouts: Self.limits) { client in
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
                #expect(client.health.server == "127.0.0.1:\(server.port)")
            }
            let asked = good.commands.map(\.arguments)
            #expect(asked.first == ["AUTH", "me", "s w"])
            #expect(asked.contains(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "fx"]))
            #expect(!asked.contains { $0.first == "ROLE" || $0.first == "SELECT" })
            for fake in [hung, ignorant, good] { await fake.stop() }
        }
    }

    @Test("R7: leaves an old master that still answers once the sentinels name another")
    func oldMaster() async throws {
        try await withRedisServer { old in
            try await withRedisServer { new in
                let master = Locked((port: old.port, epoch: 1))
                let sentinels = [try Self.sentinel(master), try Self.sentinel(master)]
                try await RedisFixture.withClient(Self.url(sentinels), timeouts: Self.limits) { client in
                    #expect(await client.ask(["SET", "k", "old"]) == .success(.status("OK")))
                    master.withLock { $0 = (new.port, 2) }
                    try await RedisFixture.eventually {
                        client.health.isConnected && client.health.server == "127.0.0.1:\(new.port)"
                    }
                    #expect(client.health.lastEnd == .masterMoved && client.health.redirects.value == 1)
                    #expect(client.health.breaker == .closed)
                    #expect(await client.ask(["GET", "k"]) == .success(.null))
                }
                for fake in sentinels { await fake.stop() }
            }
        }
    }

    @Test("R18: a server that says it's a replica isn't taken, also where only INFO may be asked")
    func replica() async throws {
        let isMaster = Atomic<Bool>(false)
        let fake = try RedisServerFake { command in
            if command == ["INFO", "replication"] {
                let text = isMaster.load(ordering: .acquiring) ? "role:master\r\n" : "role:slave\r\n"
                return .text("$\(text.utf8.count)\r\n\(text)\r\n")
            }
            if command.first == "ROLE" { return .text("-NOPERM this user has no permissions\r\n") }
            return RedisServerFake.login(command) ?? .text("+OK\r\n")
        }
        let sentinel = try Self.sentinel(Locked((fake.port, 1)))
        try await RedisFixture.withClient(Self.url([sentinel]), timeouts: Self.limits, waits: false) {
            client in
            try await RedisFixture.eventually { client.health.failures.value >= 2 }
            #expect(client.health.lastEnd == .notMaster && !client.health.isConnected)
            isMaster.store(true, ordering: .releasing)
            try await RedisFixture.eventually { client.health.isConnected }
        }
        await fake.stop()
        await sentinel.stop()
    }

    @Test("says why there is no master")
    func noMaster() async throws {
        let log = RedisLog()
        let ignorant = try Self.sentinel(Locked((0, 0)))
        try await RedisFixture.withClient(
            Self.url([ignorant]), timeouts: Self.limits, logger: log.logger(), waits: false
        ) { client in
            try await RedisFixture.eventually { client.health.failures.value >= 2 }
            #expect(client.health.lastEnd == .masterUnknown)
        }
        #expect(log.lines.count { $0.contains("master_unknown") } == 1)
        await ignorant.stop()
    }

    @Test("C136: the name is looked up anew for each link, and the next address tried where one is refused")
    func resolvedAnew() async throws {
        let port = try TCPProxySocket.freePort()
        let first = try await RedisServer.start(RedisServer.Options(port: port))
        let second = try await RedisServer.start(RedisServer.Options(address: "127.0.0.2", port: port))
        defer {
            for server in [first, second] {
                server.stop()
                server.removeDirectory()
            }
        }
        let addresses = Locked(["127.0.0.1"])
        let asked = Atomic<Int>(0)
        let lookUp: RedisResolver.LookUp = { host in
            asked.wrappingAdd(host == "redis.test" ? 1 : 100, ordering: .relaxed)
            return addresses.withLock { $0 }
        }
        try await RedisFixture.withClient(
            "redis://redis.test:\(port)", timeouts: RedisFixture.eager, lookUp: lookUp
        ) { client in
            #expect(await client.ask(["SET", "k", "first"]) == .success(.status("OK")))
            // The server becomes a replica, and the name points to the new master.
            addresses.withLock { $0 = ["127.0.0.2"] }
            try first.cli("REPLICAOF", "127.0.0.2", "\(port)")
            #expect(await client.ask(["SET", "k", "x"]) == .failure(.notExecuted(.serverError("READONLY"))))
            #expect(await client.waitForLink(within: .seconds(10)))
            #expect(await client.ask(["SET", "k", "second"]) == .success(.status("OK")))
            #expect(try second.cli("GET", "k") == "second")
            #expect(asked.load(ordering: .relaxed) == 2)
            // Several addresses: the first that takes the link.
            second.stop()
            try first.cli("REPLICAOF", "NO", "ONE")
            addresses.withLock { $0 = ["127.0.0.2", "127.0.0.1"] }
            try await RedisFixture.eventually {
                await client.ask(["SET", "k", "third"]) == .success(.status("OK"))
            }
            #expect(try first.cli("GET", "k") == "third")
        }
    }
}
