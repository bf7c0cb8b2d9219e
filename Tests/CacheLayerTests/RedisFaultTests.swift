import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("The Redis client under faults", .timeLimit(.minutes(3)))
struct RedisFaultTests {
    @Test("R3: a silent server costs one command limit, then the breaker refuses until the reconnect")
    func silentServer() async throws {
        try await withProxiedServer(timeouts: RedisFixture.brisk) { _, proxy, client in
            await proxy.set(.hang)
            let start = ContinuousClock.now
            async let first = client.ask(["INCR", "n"])
            async let second = client.ask(["INCR", "n"])
            let answers = await [first, second]
            #expect(ContinuousClock.now - start < .seconds(2))
            // Both may have run into the limit; a later one finds the link closed by the earlier.
            #expect(answers.contains(.failure(.outcomeUnknown(.timedOut))))
            #expect(
                answers.allSatisfy {
                    [.failure(.outcomeUnknown(.timedOut)), .failure(.outcomeUnknown(.linkLost))].contains($0)
                })
            #expect(client.health.timeouts.value >= 1)
            #expect(await client.ask(["PING"]) == .failure(.notExecuted(.breakerOpen)))
            #expect(client.health.lastEnd != nil && !client.health.isConnected)

            await proxy.set(.none)
            await proxy.reset()
            try await RedisFixture.eventually { client.health.isConnected }
            #expect(client.health.breaker == .closed)
            try await RedisFixture.eventually { await client.ask(["PING"]) == .success(.status("PONG")) }
        }
    }

    @Test("C140: a late reply is never taken for the next command's")
    func lateReply() async throws {
        try await withProxiedServer(timeouts: RedisFixture.brisk) { server, proxy, client in
            for name in ["USD", "EUR"] { try server.cli("SET", name, "rates of \(name)") }
            for _ in 0..<3 {
                await proxy.set(latency: .milliseconds(500), .toClient)
                #expect(await client.ask(["GET", "USD"]) == .failure(.outcomeUnknown(.timedOut)))
                await proxy.set(latency: .zero, .toClient)
                let expected = RedisReply.string(Array("rates of EUR".utf8))
                try await RedisFixture.eventually {
                    guard case .success(let reply) = await client.ask(["GET", "EUR"]) else { return false }
                    #expect(reply == expected)
                    return true
                }
            }
        }
    }

    @Test("R5: a link lost in mid-command leaves the outcome unknown, once for each that waits")
    func lostLink() async throws {
        try await withProxiedServer(timeouts: RedisFixture.eager) { server, proxy, client in
            server.pause()
            await withTaskGroup(of: Result<RedisReply, StoreError>.self) { group in
                for _ in 0..<100 { group.addTask { await client.ask(["INCR", "n"]) } }
                _ = try? await RedisFixture.eventually { client.health.commands.value == 100 }
                await proxy.reset()
                for await answer in group { #expect(answer == .failure(.outcomeUnknown(.linkLost))) }
            }
            server.resume()
            try await RedisFixture.eventually { client.health.isConnected }
            #expect(await client.ask(["PING"]) == .success(.status("PONG")))
        }
    }

    @Test("a reply that is cut off in the middle is no reply")
    func cutReply() async throws {
        try await withProxiedServer(timeouts: RedisFixture.eager) { server, proxy, client in
            try server.cli("SET", "k", String(repeating: "v", count: 5_000))
            await proxy.set(allowance: 2_000, .toClient)
            #expect(await client.ask(["GET", "k"]) == .failure(.outcomeUnknown(.linkLost)))
            await proxy.set(allowance: nil, .toClient)
            try await RedisFixture.eventually { client.health.isConnected }
            let bytes = [UInt8](repeating: 118, count: 5_000)
            #expect(await client.ask(["GET", "k"]) == .success(.string(bytes)))
        }
    }

    @Test("R4: a peer that accepts and never answers the login is given up within the connect limit")
    func hangingConnect() async throws {
        let fake = try RedisServerFake { _ in .silence }
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port), timeouts: RedisFixture.brisk, waits: false
        ) { client in
            let start = ContinuousClock.now
            try await RedisFixture.eventually { client.health.failures.value >= 2 }
            #expect(ContinuousClock.now - start < .seconds(5))
            #expect(client.health.lastEnd == .connectTimedOut)
            #expect(RedisFixture.descriptors(to: fake.port).count <= 1)
        }
        await fake.stop()
    }

    @Test("R1, R6: a command without a link fails at once and is never sent later")
    func offline() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(
                RedisFixture.url(server.port), timeouts: RedisFixture.eager
            ) { client in
                server.stop()
                try await RedisFixture.eventually { !client.health.isConnected }
                for _ in 0..<20 {
                    let start = ContinuousClock.now
                    let answer = await client.ask(["SET", "offline", "1"])
                    #expect(
                        answer == .failure(.notExecuted(.notConnected))
                            || answer == .failure(.notExecuted(.breakerOpen)))
                    #expect(ContinuousClock.now - start < .seconds(1))
                }
                try await RedisFixture.eventually { client.health.failures.value >= 4 }
                #expect(client.health.lastEnd == .unreachable)
                #expect(await client.ask(["PING"]) == .failure(.notExecuted(.breakerOpen)))
                try await server.restart()
                try await RedisFixture.eventually { client.health.isConnected }
                #expect(await client.ask(["GET", "offline"]) == .success(.null))
            }
        }
    }

    @Test("a caller can wait for the link, for so long and no longer")
    func waiting() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(
                RedisFixture.url(server.port), timeouts: RedisFixture.eager
            ) { client in
                #expect(await client.waitForLink(within: .zero))
                server.stop()
                try await RedisFixture.eventually { !client.health.isConnected }
                #expect(await !client.waitForLink(within: .milliseconds(20)))
                async let isBack = client.waitForLink(within: .seconds(10))
                try await server.restart()
                #expect(await isBack)
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
                server.stop()
                try await RedisFixture.eventually { !client.health.isConnected }
                async let never = client.waitForLink(within: .seconds(10))
                await client.close()
                #expect(await !never)
            }
        }
    }

    @Test("R2: logs one line when Redis goes and one when it's back")
    func oneLine() async throws {
        let log = RedisLog()
        try await withRedisServer { server in
            try await RedisFixture.withClient(
                RedisFixture.url(server.port), timeouts: RedisFixture.eager, logger: log.logger()
            ) { client in
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
                server.stop()
                try await RedisFixture.eventually { client.health.failures.value >= 8 }
                try await server.restart()
                try await RedisFixture.eventually { client.health.isConnected }
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
            }
        }
        let gone = log.lines.filter { $0.contains("Redis is not reached") }
        // The end of the link is one state, the refused connect the next.
        #expect(gone.count <= 2 && gone.last?.contains("unreachable") == true)
        #expect(log.lines.filter { $0.contains("Redis answers") }.count == 2)
    }

    @Test("C136, R7: a server that has become a replica loses the link until it's a master again")
    func readOnly() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(
                RedisFixture.url(server.port), timeouts: RedisFixture.eager
            ) { client in
                try server.cli("REPLICAOF", "127.0.0.1", "1")
                #expect(
                    await client.ask(["SET", "k", "v"]) == .failure(.notExecuted(.serverError("READONLY"))))
                // The next link is refused before any command can pass over it.
                try await RedisFixture.eventually { client.health.lastEnd == .notMaster }
                #expect(!client.health.isConnected)
                try server.cli("REPLICAOF", "NO", "ONE")
                try await RedisFixture.eventually {
                    await client.ask(["SET", "k", "v"]) == .success(.status("OK"))
                }
                #expect(client.health.reconnects.value >= 1)
            }
        }
    }

    @Test(
        "R7, C147: an error that points elsewhere is certain, drops the link and is never a miss",
        arguments: [
            "MOVED 12162 127.0.0.1:17003", "ASK 1 127.0.0.1:2", "TRYAGAIN x", "CLUSTERDOWN x", "MASTERDOWN x",
            "LOADING x", "BUSY x", "NOAUTH x",
        ])
    func elsewhere(line: String) async throws {
        let fake = try RedisServerFake { RedisServerFake.login($0) ?? .text("-\(line)\r\n") }
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port), timeouts: RedisFixture.eager
        ) { client in
            let prefix = String(line.prefix { $0 != " " })
            #expect(await client.ask(["GET", "k"]) == .failure(.notExecuted(.serverError(prefix))))
            // The link ends right behind the reply.
            try await RedisFixture.eventually { client.health.failures.value == 1 }
            let expected: RedisLinkEnd =
                switch prefix {
                case "NOAUTH": .loginRefused(prefix)
                case "MOVED": .isCluster
                default: .serverError(prefix)
                }
            #expect(client.health.lastEnd == expected)
        }
        await fake.stop()
    }

    @Test("R11: a full server refuses writes and goes on with reads over the same link")
    func full() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                try server.cli("CONFIG", "SET", "maxmemory", "1")
                #expect(await client.ask(["SET", "k", "v"]) == .failure(.writesRefused))
                let script = RedisScript(name: "set", source: "return redis.call('SET', KEYS[1], 'v')")
                #expect(await client.answer(script, keys: ["a"], arguments: []) == .failure(.writesRefused))
                #expect(await client.ask(["GET", "none"]) == .success(.null))
                #expect(client.health.reconnects.value == 0 && client.health.breaker == .closed)
            }
        }
    }

    @Test("C134: ten clients of a server that takes five settle, without a storm, and heal by themselves")
    func maxClients() async throws {
        try await withRedisServer(RedisServer.Options(settings: ["--maxclients", "5"])) { server in
            try await withClients(10, port: server.port) { clients in
                try await RedisFixture.eventually { clients.filter(\.health.isConnected).count == 5 }
                try await RedisFixture.eventually {
                    clients.contains { $0.health.lastEnd == .serverError("MAXCLIENTS") }
                }
                #expect(RedisFixture.descriptors(to: server.port).count <= 10)
                try await server.restart()
                try await RedisFixture.eventually { clients.filter(\.health.isConnected).count == 5 }
                let lucky = clients.filter(\.health.isConnected)
                for client in lucky { await client.close() }
                try await RedisFixture.eventually { clients.filter(\.health.isConnected).count == 5 }
                for client in clients where client.health.isConnected {
                    #expect(await client.ask(["PING"]) == .success(.status("PONG")))
                }
                #expect(RedisFixture.descriptors(to: server.port).count == 5)
            }
        }
    }

    @Test("C138: packets that vanish on an idle link cost one request its limit; the link is thrown away")
    func vanishingPackets() async throws {
        // The limits that hold by default.
        try await withProxiedServer(timeouts: RedisTimeouts()) { _, proxy, client in
            #expect(await client.ask(["PING"]) == .success(.status("PONG")))
            await proxy.set(.halfOpen)
            let start = ContinuousClock.now
            #expect(await client.ask(["GET", "k"]) == .failure(.outcomeUnknown(.timedOut)))
            #expect(ContinuousClock.now - start < .seconds(1))
            #expect(client.health.lastEnd != nil && !client.health.isConnected)
            let next = ContinuousClock.now
            guard case .failure(.notExecuted) = await client.ask(["GET", "k"]) else {
                Issue.record("a second request waited, or was answered")
                return
            }
            #expect(ContinuousClock.now - next < .milliseconds(100))
            await proxy.set(.none)
            await proxy.reset()
            try await RedisFixture.eventually { await client.ask(["PING"]) == .success(.status("PONG")) }
        }
    }

    @Test("C152: 500 kills in mid-command: every command ends once, no descriptor is lost")
    func manyKills() async throws {
        try await withRedisServer { server in
            let admin = try server.session()
            try admin.send(["CLIENT", "SETNAME", "admin"])
            try await RedisFixture.withClient(
                RedisFixture.url(server.port), timeouts: RedisFixture.eager
            ) { client in
                for _ in 0..<500 {
                    try await RedisFixture.eventually {
                        await client.ask(["PING"]) == .success(.status("PONG"))
                    }
                    await withTaskGroup(of: Result<RedisReply, StoreError>.self) { group in
                        for _ in 0..<20 { group.addTask { await client.ask(["INCR", "n"]) } }
                        _ = try? admin.send(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"])
                        var count = 0
                        for await _ in group { count += 1 }
                        #expect(count == 20)
                    }
                }
                try await RedisFixture.eventually { client.health.isConnected }
                #expect(RedisFixture.descriptors(to: server.port).count == 1)
            }
        }
    }

    private func withProxiedServer(
        timeouts: RedisTimeouts, _ body: (RedisServer, TCPProxy, RedisClient) async throws -> Void
    ) async throws {
        try await withRedisServer { server in
            let proxy = try TCPProxy(to: server.port)
            let result: Result<Void, any Error>
            do {
                try await RedisFixture.withClient(RedisFixture.url(proxy.port), timeouts: timeouts) {
                    client in
                    try await body(server, proxy, client)
                }
                result = .success(())
            } catch { result = .failure(error) }
            await proxy.stop()
            try result.get()
        }
    }

    private func withClients(
        _ count: Int, port: Int, _ clients: [RedisClient] = [], _ body: ([RedisClient]) async throws -> Void
    ) async throws {
        guard clients.count < count else { return try await body(clients) }
        try await RedisFixture.withClient(
            RedisFixture.url(port), timeouts: RedisFixture.eager, waits: false
        ) { client in
            try await withClients(count, port: port, clients + [client], body)
        }
    }
}
