import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("A subscription at Redis", .timeLimit(.minutes(3)))
struct RedisSubscriptionTests {
    /// What a subscription has told, in order: `up`, `down`, and the bodies.
    private final class Told: Sendable {
        private let kept = Locked<[String]>([])
        var all: [String] { kept.withLock { $0 } }
        func add(_ text: String) { kept.withLock { $0.append(text) } }

        func subscribe(_ client: RedisClient, _ channel: String) {
            client.subscribe(
                channel: channel, onMessage: { self.add(String(decoding: $0, as: UTF8.self)) },
                onState: { self.add($0 ? "up" : "down") })
        }
    }

    @Test("tells up once confirmed, then each message, byte for byte and in order")
    func messages() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(RedisFixture.url(server.port)) { client in
                let told = Told()
                told.subscribe(client, "events: a")
                try await RedisFixture.eventually { told.all == ["up"] }
                #expect(try server.cli("PUBLISH", "events: a", "one") == "1")
                try server.cli("PUBLISH", "other", "not for us")
                try server.cli("PUBLISH", "events: a", "")
                try server.cli("PUBLISH", "events: a", "t\u{0}wo\r\n")
                try await RedisFixture.eventually { told.all == ["up", "one", "", "t\u{0}wo\r\n"] }
                // A link of its own: commands go on.
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
                #expect(try server.cli("CLIENT", "LIST").contains("name=fxgw-test-events"))
                await client.close()
                #expect(told.all.last == "down")
            }
        }
    }

    @Test("is made again after CLIENT KILL and after a restart, with its login")
    func again() async throws {
        try await withRedisServer(RedisServer.Options(password: "pw")) { server in
            let url = RedisFixture.url(server.port, password: "pw", database: 3)
            try await RedisFixture.withClient(url, timeouts: RedisFixture.eager) { client in
                let told = Told()
                told.subscribe(client, "c")
                var expected = ["up"]
                for round in 0..<6 {
                    try await RedisFixture.eventually { told.all == expected }
                    try server.cli("PUBLISH", "c", "\(round)")
                    expected.append("\(round)")
                    try await RedisFixture.eventually { told.all == expected }
                    if round.isMultiple(of: 2) {
                        try server.cli("CLIENT", "KILL", "TYPE", "pubsub")
                    } else {
                        try await server.restart()
                    }
                    expected += ["down", "up"]
                }
                try await RedisFixture.eventually { told.all == expected }
            }
        }
    }

    @Test("R17: a link that is cut but not closed is found out by its silence")
    func halfOpen() async throws {
        try await withRedisServer { server in
            let proxy = try TCPProxy(to: server.port)
            try await RedisFixture.withClient(
                RedisFixture.url(proxy.port), timeouts: RedisFixture.brisk
            ) { client in
                let told = Told()
                told.subscribe(client, "c")
                try await RedisFixture.eventually { told.all.last == "up" }
                await proxy.set(.halfOpen)
                try await RedisFixture.eventually { told.all.last == "down" }
                await proxy.set(.none)
                await proxy.reset()
                try await RedisFixture.eventually { told.all.last == "up" }
                // With limits this short a slow machine may add a turn, but never tell one twice.
                #expect(zip(told.all, told.all.dropFirst()).allSatisfy { $0 != $1 })
            }
            await proxy.stop()
        }
    }

    @Test("a silent link that lives is kept, however often it's asked")
    func silence() async throws {
        try await withRedisServer { server in
            var timeouts = RedisFixture.patient
            timeouts.subscriptionSilence = .milliseconds(5)
            try await RedisFixture.withClient(RedisFixture.url(server.port), timeouts: timeouts) { client in
                let told = Told()
                told.subscribe(client, "c")
                try await RedisFixture.eventually {
                    try server.cli("INFO", "commandstats").firstMatch(of: /cmdstat_ping:calls=(\d+)/)
                        .flatMap { Int($0.1) } ?? 0 > 50
                }
                try server.cli("PUBLISH", "c", "here")
                try await RedisFixture.eventually { told.all.count == 2 }
                #expect(told.all == ["up", "here"])
            }
        }
    }

    @Test("a refused subscription is never up, and no storm")
    func refused() async throws {
        try await withRedisServer { server in
            try server.cli("ACL", "SETUSER", "deaf", "on", ">pw", "+@all", "resetchannels")
            try await RedisFixture.withClient("redis://deaf:pw@127.0.0.1:\(server.port)") { client in
                let told = Told()
                let start = ContinuousClock.now
                told.subscribe(client, "c")
                var refusals = 0
                try await RedisFixture.eventually {
                    refusals =
                        try server.cli("INFO", "errorstats").firstMatch(of: /NOPERM:count=(\d+)/)
                        .flatMap { Int($0.1) } ?? 0
                    return refusals >= 3
                }
                #expect(told.all.isEmpty)
                // Pauses of at least 25, 50, 100, 200, 400 and then 500 ms.
                #expect(refusals <= 6 + Int((ContinuousClock.now - start) / .milliseconds(500)))
            }
        }
    }

    @Test(
        "a push of another form ends the link and never the process",
        arguments: [
            "+OK\r\n", ":1\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "*1\r\n$7\r\nmessage\r\n",
            "*3\r\n$7\r\nmessage\r\n$5\r\nother\r\n$1\r\nb\r\n", "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n:1\r\n",
            "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$-1\r\n", "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n*0\r\n",
            "*3\r\n:1\r\n$1\r\nc\r\n$1\r\nb\r\n", "*3\r\n$11\r\nunsubscribe\r\n$1\r\nc\r\n$1\r\nb\r\n",
            "*3\r\n$9\r\nsubscribe\r\n$1\r\nd\r\n:1\r\n", "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n$1\r\n1\r\n",
            "*4\r\n$8\r\npmessage\r\n$1\r\nc\r\n$1\r\nc\r\n$1\r\nb\r\n", "*2\r\n$7\r\nmessage\r\n$1\r\nc\r\n",
            "?\r\n",
            "-ERR x\r\n", ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nb\r\n",
        ])
    func brokenPush(text: String) async throws {
        let fake = try RedisServerFake { command in
            if let step = RedisServerFake.login(command) { return step }
            return .text("*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n")
        }
        let loopback = RedisFixture.url(fake.port)
        try await RedisFixture.withClient(loopback, timeouts: RedisFixture.eager) { client in
            let told = Told()
            told.subscribe(client, "c")
            try await RedisFixture.eventually { told.all == ["up"] }
            await fake.push(Array(text.utf8))
            try await RedisFixture.eventually { told.all == ["up", "down", "up"] }
            await fake.stop()
        }
    }
}
