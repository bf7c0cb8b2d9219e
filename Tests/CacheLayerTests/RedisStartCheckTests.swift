import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("What a new link asks Redis about itself", .timeLimit(.minutes(3)))
struct RedisStartCheckTests {
    @Test("R12, C126: a policy that may evict the control is warned of once, also over many links")
    func policy() async throws {
        let log = RedisLog()
        try await withRedisServer(
            RedisServer.Options(settings: ["--maxmemory-policy", "allkeys-lru"])
        ) { server in
            try await RedisFixture.withClient(
                RedisFixture.url(server.port), timeouts: RedisFixture.eager, logger: log.logger()
            ) { client in
                for round in 0..<3 {
                    try await RedisFixture.eventually {
                        client.health.reconnects.value == round && client.health.isConnected
                    }
                    try await RedisFixture.eventually { client.health.evictionPolicy == "allkeys-lru" }
                    try server.cli("CLIENT", "KILL", "TYPE", "normal")
                }
                #expect(client.health.mayEvictControl)
                // Mended: what was said is forgotten.
                try server.cli("CONFIG", "SET", "maxmemory-policy", "volatile-lru")
                try server.cli("CLIENT", "KILL", "TYPE", "normal")
                try await RedisFixture.eventually { client.health.evictionPolicy == "volatile-lru" }
                #expect(!client.health.mayEvictControl)
            }
        }
        #expect(log.lines.count { $0.contains("may evict") && $0.contains("allkeys-lru") } == 1)
    }

    @Test(
        "a clock that is off by more than 2 s is warned of once; one that is right isn't",
        arguments: [0, 5, -7])
    func skew(seconds: Int64) async throws {
        let log = RedisLog()
        try await withRedisServer { server in
            let loop = try EventLoop(name: "redis-test")
            try loop.start()
            let client = try RedisClient(
                endpoint: RedisEndpoint(url: RedisFixture.url(server.port)), timeouts: RedisFixture.eager,
                loop: loop, logger: log.logger(), name: "test",
                wall: { UnixMilliseconds.now + .seconds(seconds) })
            client.connect()
            for round in 0..<2 {
                try await RedisFixture.eventually {
                    client.health.reconnects.value == round && client.health.clockSkew != nil
                }
                try server.cli("CLIENT", "KILL", "TYPE", "normal")
            }
            let skew = try #require(client.health.clockSkew)
            #expect(skew > .seconds(-seconds - 1) && skew < .seconds(-seconds + 1))
            await client.close()
            loop.stop()
            loop.join()
        }
        #expect(log.lines.count { $0.contains("clock differs") } == (seconds == 0 ? 0 : 1))
    }

    @Test("the store's answers measure the clock as well")
    func skewOfAnswers() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open()
            let loop = try EventLoop(name: "redis-test")
            try loop.start()
            let server = try #require(bench.server)
            let client = try RedisClient(
                endpoint: RedisEndpoint(url: RedisFixture.url(server.port)), timeouts: RedisFixture.patient,
                loop: loop, logger: .silent, name: "test")
            client.connect()
            try await RedisFixture.eventually { client.health.isConnected }
            #expect(client.health.clockSkew == nil)
            let store = RedisRateStore(
                client: client, keys: RedisFleetFixture.keys, archiveBytes: 1 << 20,
                wall: { UnixMilliseconds.now + .seconds(60) })
            _ = try await store.restore(
                Testimony(
                    holder: "a", floor: .none, birth: nil, ledger: nil, cooldowns: [], flight: nil,
                    snapshots: [], plan: StoreBench.plan, lease: .seconds(15), grace: StoreTimings.grace))
            let skew = try #require(client.health.clockSkew)
            #expect(skew > .seconds(-61) && skew < .seconds(-50))
            await store.close()
            loop.stop()
            loop.join()
        }
    }

    @Test(
        "the denied commands of a script are named, once for a link, and nothing is written to find them out")
    func deniedWithinScript() async throws {
        let log = RedisLog()
        let script = RedisScript(
            name: "test",
            source: """
                redis.call('EXISTS', KEYS[1])
                redis.call('HSET', KEYS[1], 'a', '1')
                return redis.call('HMGET', KEYS[1], 'a')
                """)
        try await withRedisServer { server in
            try server.cli(
                "ACL", "SETUSER", "me", "on", ">pw", "~k*", "&*", "+ping", "+eval", "+evalsha", "+exists",
                "+get")
            try await RedisFixture.withClient(
                "redis://me:pw@127.0.0.1:\(server.port)", timeouts: RedisFixture.eager, logger: log.logger()
            ) { client in
                for _ in 0..<3 {
                    await #expect(throws: StoreError.outcomeUnknown(.forbidden(command: "HSET"))) {
                        try await client.run(script, keys: ["k1"], arguments: [])
                    }
                }
                // A key that isn't ours: no command is to blame.
                await #expect(throws: StoreError.outcomeUnknown(.forbidden(command: nil))) {
                    try await client.run(
                        RedisScript(name: "keys", source: "return redis.call('EXISTS', 'other')"),
                        keys: ["k1"],
                        arguments: [])
                }
            }
            #expect(try server.cli("DBSIZE").contains("0"))
        }
        #expect(log.lines.count { $0.contains("lacks permission for a command") } == 1)
        #expect(log.lines.contains { $0.contains("HSET,HMGET") })
    }

    @Test("the words of a script that may be commands are those in quotes and capital letters")
    func words() {
        let script = RedisScript(
            name: "test",
            source: "redis.call('HSET', 'PX', 'a'); redis.call('HSET'); redis.call('GET', 'Get')")
        #expect(RedisPermissionProbe.commands(of: script) == ["HSET", "GET"])
        let odd = RedisReply.array([.string(Array("GET".utf8)), .null])
        #expect(RedisPermissionProbe.denied(odd) == ["GET"])
        #expect(RedisPermissionProbe.denied(.error(prefix: "ERR", message: "x")) == [])
    }

    @Test("an account that may not ask is no fault, and NOPERM is said once for a link")
    func forbidden() async throws {
        let log = RedisLog()
        try await withRedisServer { server in
            try server.cli("ACL", "SETUSER", "me", "on", ">pw", "~*", "&*", "+ping", "+get")
            try await RedisFixture.withClient(
                "redis://me:pw@127.0.0.1:\(server.port)", timeouts: RedisFixture.eager, logger: log.logger()
            ) { client in
                for _ in 0..<3 {
                    #expect(
                        await client.ask(["SET", "k", "v"])
                            == .failure(.notExecuted(.forbidden(command: "SET"))))
                }
                #expect(await client.ask(["GET", "k"]) == .success(.null))
                #expect(client.health.evictionPolicy == nil && client.health.clockSkew == nil)
                #expect(client.health.failures.value == 0)
            }
        }
        #expect(log.lines.count { $0.contains("lacks permission for a command") && $0.contains("SET") } == 1)
    }
}
