import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("The coordination scripts", .timeLimit(.minutes(3)))
struct StoreScriptsTests {
    @Test("know no clock but the server's, and write numbers in one way")
    func source() {
        let scripts = Scripts()
        for script in [scripts.read, scripts.commit] {
            #expect(script.source.hasPrefix(Scripts.serverClock))
            #expect(!script.source.contains("testclock") && !script.source.contains("tostring"))
            #expect(!script.source.contains("os.") && !script.source.contains("math.random"))
            // They know nothing of quotas, pauses or snapshots: what decides stands in Swift, once.
            #expect(script.source.split(separator: "\n").count <= 40)
            #expect(!script.source.contains("used") && !script.source.contains("cooldown"))
            #expect(Scripts(clock: "").read.source != scripts.read.source)
        }
    }

    @Test("write nothing for a look")
    func look() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open()
            func writes() throws -> String? {
                try bench.session?.send(["INFO", "commandstats"]).split { $0.isNewline }
                    .filter { $0.contains(/cmdstat_(hset|hdel|del|zadd|zrem|pexpire|publish):/) }
                    .map { $0.prefix { $0 != "," } }.joined(separator: "\n")
            }
            let before = try writes()
            for _ in 0..<3 { _ = try await bench.look([(StoreBench.usd, nil)]) }
            #expect(try writes() == before && before?.contains("cmdstat_hset") == true)
        }
    }

    @Test(
        "a right that is missing is no loss: the command is named, and nothing is changed",
        arguments: ["hmget", "hgetall", "hset", "exists"])
    func missingRight(command: String) async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(counted: 83)
            let before = try bench.session?.send(["HGETALL", bench.keys.control])
            try bench.session?.send(["ACL", "SETUSER", "default", "-\(command)"])
            let refusal = StoreError.outcomeUnknown(.forbidden(command: command.uppercased()))
            await #expect(throws: refusal) { try await bench.begin() }
            try bench.session?.send(["ACL", "SETUSER", "default", "+\(command)"])
            #expect(try bench.session?.send(["HGETALL", bench.keys.control]) == before)
            #expect(try await bench.begin().shadow?.counted == 84)
        }
    }

    @Test("work by the server's own clock, as a user with no more rights than documented")
    func leastRights() async throws {
        try await withRedisServer { server in
            let loop = try EventLoop(name: "store-acl")
            try loop.start()
            defer {
                loop.stop()
                loop.join()
            }
            try server.session().send(
                ["ACL", "SETUSER", "gateway", "on", ">secret"] + StoreScriptsTests.documentedRights)
            let client = try RedisClient(
                endpoint: RedisEndpoint(url: "redis://gateway:secret@127.0.0.1:\(server.port)"),
                timeouts: RedisTimeouts(command: .seconds(5)), loop: loop, logger: .silent, name: "acl")
            client.connect()
            let end = ContinuousClock.now + .seconds(10)
            while !client.health.isConnected, .now < end { try await Task.sleep(for: .milliseconds(2)) }
            let store = RedisRateStore(
                client: client, keys: RedisKeys(fleet: "test", upstream: "127.0.0.1:1"), archiveBytes: 1,
                wall: { .now })
            var events = store.events().makeAsyncIterator()
            #expect(await events.next() == .linkUp)
            let plan = StoreBench.plan
            let before = UnixMilliseconds.now
            let month = Month(containing: before).description
            let opened = try await store.restore(
                Testimony(
                    holder: "a", floor: .none, birth: nil,
                    ledger: .init(month: month, counted: 0, age: .zero),
                    cooldowns: [], flight: nil, snapshots: [], plan: plan, lease: .seconds(15), grace: .zero))
            let birth = opened.shadow?.birth
            let attempt = AttemptID()
            let begun = try await store.begin(
                BeginRequest(
                    resource: StoreBench.usd, attempt: attempt, holder: "a", lease: .seconds(15), held: nil,
                    floor: .none, birth: birth, notAfter: .now + .seconds(60), plan: plan,
                    leastInterval: .seconds(60)))
            guard case .fetch(let token, _, _) = begun.reply else {
                // The one instant in a month in which nothing is granted.
                #expect(MonthEdge(at: .now) != .outside)
                return
            }
            #expect(token.value >= before.value && token.value <= UnixMilliseconds.now.value + 1)
            let snapshot = StoredSnapshot(
                resource: StoreBench.usd, id: SnapshotID(fetchedAt: before, digest: [1, 2, 3, 4]),
                token: token,
                fetchedAt: before, dataTime: before, source: .live, body: [1], keepFor: .seconds(60))
            let finished = try await store.finish(
                FinishRequest(
                    resource: StoreBench.usd, attempt: attempt, token: token, birth: birth, floor: .none,
                    holder: "a", outcome: .fetched(snapshot), interval: .seconds(60), plan: plan,
                    callClass: "latest"))
            #expect(finished.reply == .stored)
            #expect(await events.next() == .published(StoreBench.usd, snapshot.id, token))
            #expect(try await store.archived(snapshot.id)?.body == [1])
            #expect(try await store.archived(of: StoreBench.usd, at: before)?.id == snapshot.id)
            // There is room for one byte: the next one takes the first one's place, dropped with no more rights than these.
            let next = StoredSnapshot(
                resource: StoreBench.eur, id: SnapshotID(fetchedAt: before, digest: [1, 2, 3, 5]),
                token: FencingToken(token.value + 1), fetchedAt: before, dataTime: before, source: .live,
                body: [2], keepFor: .seconds(60))
            _ = try await store.restore(
                Testimony(
                    holder: "a", floor: token, birth: birth, ledger: nil, cooldowns: [], flight: nil,
                    snapshots: [next], plan: plan, lease: .seconds(15), grace: .zero))
            #expect(try await store.archived(next.id)?.body == [2])
            #expect(try await store.archived(snapshot.id) == nil)
            #expect(store.archive.dropped.value == 1 && store.archive.bytes == 1)
            try await store.attend("a", MemberLimits(plan))
            let looked = try await store.look(
                LookRequest(holder: "a", birth: birth, floor: token, interests: [], plan: plan))
            #expect(looked.shadow?.instances == 1)
            let names = try server.cli("KEYS", "*").split(separator: "\n").map {
                $0.split(separator: ":").last
            }
            #expect(names.contains(Substring(month)), "the report is written")
            await store.close()
        }
    }

    /// As `docs/redis-keys.md` has them.
    private static let documentedRights = [
        "resetchannels", "~{fxgw:test:127.0.0.1:1}:*", "&{fxgw:test:127.0.0.1:1}:events", "-@all", "+eval",
        "+evalsha", "+time", "+hgetall", "+hmget", "+hset", "+hdel", "+hincrby", "+hexists", "+exists",
        "+pttl",
        "+pexpire", "+get", "+set", "+del", "+publish", "+subscribe", "+zadd", "+zcard", "+zrange",
        "+zrevrangebyscore", "+zrem", "+zremrangebyscore", "+zremrangebyrank", "+ping", "+select",
        "+client|setname", "+auth", "+hello", "+role",
    ]
}
