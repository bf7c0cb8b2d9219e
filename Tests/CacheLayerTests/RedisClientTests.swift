import EventLoop
import Glibc
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("The Redis client", .timeLimit(.minutes(3)))
struct RedisClientTests {
    @Test("gives each kind of reply as what it is")
    func replies() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                #expect(await client.ask(["SET", "k", "v"]) == .success(.status("OK")))
                #expect(await client.ask(["GET", "k"]) == .success(.string(Array("v".utf8))))
                #expect(await client.ask(["GET", "none"]) == .success(.null))
                #expect(await client.ask(["INCR", "n"]) == .success(.integer(1)))
                #expect(
                    await client.ask(["MGET", "k", "none"]) == .success(.array([.string([118]), .null])))
                let nested = ["EVAL", "return {1, {'a', {}}, redis.error_reply('MINE x')}", "0"]
                #expect(
                    await client.ask(nested)
                        == .success(
                            .array([
                                .integer(1), .array([.string([97]), .array([])]),
                                .error(prefix: "MINE", message: "x"),
                            ])))
            }
        }
    }

    @Test("C155: stores and reads bytes back one by one, whatever they are")
    func binary() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                let key = Array("a key\u{0}with\r\nall".utf8)
                let values: [[UInt8]] = [
                    [], [0], Array("\r\n".utf8), Array("$5\r\n*1\r\n".utf8), Array(0...255),
                    [UInt8](repeating: 13, count: 300_000),
                ]
                for value in values {
                    #expect(
                        await client.ask([Array("SET".utf8), key, value]) == .success(.status("OK")))
                    #expect(await client.ask([Array("GET".utf8), key]) == .success(.string(value)))
                }
            }
        }
    }

    @Test("C154: WRONGTYPE and an unknown script leave the link in use, and neither is data")
    func errorsKeepTheLink() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                _ = try await client.command(["RPUSH", "list", "1"])
                let wrong = await client.ask(["GET", "list"])
                #expect(wrong == .failure(.outcomeUnknown(.serverError("WRONGTYPE"))))
                let unknown = await client.ask(["EVALSHA", String(repeating: "0", count: 40), "0"])
                #expect(unknown == .failure(.notExecuted(.serverError("NOSCRIPT"))))
                #expect(await client.ask(["LLEN", "list"]) == .success(.integer(1)))
                #expect(client.health.reconnects.value == 0)
                #expect(client.health.errors.value(.wrongType) == 1)
                #expect(client.health.breaker == .closed)
            }
        }
    }

    @Test("C154: runs a script by digest, and in full after the server has forgotten it")
    func script() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                let script = RedisScript(name: "echo", source: "return {KEYS[1], ARGV[1], ARGV[2]}")
                let expected = RedisReply.array([.string([107]), .string([0, 13, 10]), .string([])])
                for _ in 0..<2 {
                    for _ in 0..<3 {
                        let reply = try await client.run(script, keys: ["k"], arguments: [[0, 13, 10], []])
                        #expect(reply == expected)
                    }
                    try server.cli("SCRIPT", "FLUSH")
                }
                let calls = try server.cli("INFO", "commandstats")
                #expect(calls.contains("cmdstat_evalsha:calls=6"))
                // The digest once, the text once, and once more after the flush.
                #expect(calls.contains("cmdstat_eval:calls=3"))
            }
        }
    }

    @Test("names an error that a script raises by its first word")
    func scriptError() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                let script = RedisScript(name: "raise", source: "return redis.call('INCR', KEYS[1])")
                _ = try await client.command(["SET", "k", "text"])
                let error = await client.answer(script, keys: ["k"], arguments: [])
                #expect(error == .failure(.outcomeUnknown(.serverError("ERR"))))
                #expect(client.health.isConnected)
            }
        }
    }

    @Test("answers many callers at once, each with its own reply")
    func crowd() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                await withTaskGroup(of: Bool.self) { group in
                    for number in 0..<2_000 {
                        group.addTask {
                            await client.ask(["ECHO", "\(number)"])
                                == .success(.string(Array("\(number)".utf8)))
                        }
                    }
                    for await isOwn in group { #expect(isOwn) }
                }
                #expect(client.health.commands.value == 2_000)
            }
        }
    }

    @Test("refuses at once what would make more than 4,096 commands wait")
    func bounded() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                server.pause()
                let answers = await withTaskGroup(of: Result<RedisReply, StoreError>.self) { group in
                    for _ in 0..<4_100 { group.addTask { await client.ask(["PING"]) } }
                    var answers: [Result<RedisReply, StoreError>] = []
                    for await answer in group {
                        answers.append(answer)
                        if answers.count == 4 { server.resume() }
                    }
                    return answers
                }
                #expect(answers.prefix(4).allSatisfy { $0 == .failure(.notExecuted(.breakerOpen)) })
                #expect(answers.dropFirst(4).allSatisfy { $0 == .success(.status("PONG")) })
            }
        }
    }

    @Test(
        "connects to a unix socket, to ::1 (C130) and to a name",
        arguments: ["unix", "redis://[::1]:", "redis://localhost:"])
    func places(place: String) async throws {
        try await withRedisServer { server in
            let url = place == "unix" ? "unix://\(server.socketPath)?db=1" : "\(place)\(server.port)/1"
            try await RedisFixture.withClient(url) { client in
                _ = try await client.command(["SET", "here", "1"])
                #expect(try server.cli("INFO", "keyspace").contains("db1:keys=1"))
                #expect(try server.cli("CLIENT", "LIST").contains("name=fxgw-test"))
            }
        }
    }

    @Test("a name without an address is no link, and no block")
    func unknownName() async throws {
        try await RedisFixture.withClient(
            "redis://no-such-host.invalid", timeouts: RedisFixture.brisk, waits: false
        ) { client in
            try await RedisFixture.eventually { client.health.failures.value > 0 }
            #expect([.unresolved, .connectTimedOut].contains(client.health.lastEnd))
            #expect(!client.health.isConnected)
        }
    }

    @Test("C138: keeps an eye on an idle socket, and leaves none to child processes")
    func keepAlive() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { _ in
                let descriptors = RedisFixture.descriptors(to: server.port)
                #expect(descriptors.count == 1)
                for descriptor in descriptors {
                    var value: Int32 = 0
                    var length = socklen_t(MemoryLayout<Int32>.size)
                    getsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &value, &length)
                    #expect(value == 1)
                    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                }
            }
        }
    }

    @Test("after close every command fails with closed, and close may be repeated")
    func closed() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                server.pause()
                async let waiting = client.ask(["PING"])
                try await RedisFixture.eventually { client.health.commands.value == 1 }
                await client.close()
                await client.close()
                #expect(await waiting == .failure(.outcomeUnknown(.closed)))
                let later = await client.ask(["PING"])
                #expect(later == .failure(.notExecuted(.closed)))
                server.resume()
                #expect(RedisFixture.descriptors(to: server.port).isEmpty)
            }
        }
    }

    @Test("a loop that ends first leaves no caller waiting once the client is closed")
    func loopFirst() async throws {
        try await withRedisServer { server in
            let loop = try EventLoop(name: "redis-test")
            try loop.start()
            let client = try RedisClient(
                endpoint: RedisEndpoint(url: RedisFixture.url(server.port)), timeouts: RedisFixture.patient,
                loop: loop, logger: .silent, name: "x")
            client.connect()
            #expect(await client.waitForLink(within: .seconds(10)))
            server.pause()
            async let waiting = client.ask(["PING"])
            try await RedisFixture.eventually { client.health.commands.value == 1 }
            loop.stop()
            loop.join()
            #expect(await client.ask(["PING"]) == .failure(.notExecuted(.closed)))
            await client.close()
            #expect(await waiting == .failure(.outcomeUnknown(.closed)))
            #expect(RedisFixture.descriptors(to: server.port).isEmpty)
        }
    }

    @Test("released without close, it leaves no link, no descriptor and no object behind")
    func released() async throws {
        try await withRedisServer { server in
            weak var loopLeft: EventLoop?
            weak var healthLeft: RedisHealth?
            do {
                let loop = try EventLoop(name: "redis-test")
                try loop.start()
                do {
                    let client = try RedisClient(
                        endpoint: RedisEndpoint(url: "redis://localhost:\(server.port)"),
                        timeouts: RedisFixture.patient, loop: loop, logger: .silent, name: "x")
                    client.connect()
                    client.subscribe(channel: "c", onMessage: { _ in }, onState: { _ in })
                    try await RedisFixture.eventually { client.health.isConnected }
                    _ = await client.ask(["PING"])
                    loopLeft = loop
                    healthLeft = client.health
                }
                try await RedisFixture.eventually {
                    RedisFixture.descriptors(to: server.port).isEmpty && healthLeft == nil
                }
                loop.stop()
                loop.join()
            }
            // The name's thread may still be on its way out.
            try await RedisFixture.eventually { loopLeft == nil }
        }
    }
}
