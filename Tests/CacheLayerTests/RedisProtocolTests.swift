import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("The Redis client and a peer that breaks the protocol", .timeLimit(.minutes(3)))
struct RedisProtocolTests {
    /// A reply with a name for the test's report: some have megabytes.
    struct Crafted: Sendable, CustomTestStringConvertible {
        let text: String
        var testDescription: String { String(text.prefix(40).filter { !$0.isNewline }) }
        init(_ text: String) { self.text = text }
    }

    private static let deep = String(repeating: "*1\r\n", count: 10) + ":1\r\n"
    private static let manyStrings =
        "*40\r\n"
        + String(repeating: "$1000000\r\n\(String(repeating: "x", count: 1_000_000))\r\n", count: 40)

    @Test(
        "C150, C161: ends the link with an error for each of these, and goes on with a new one",
        arguments: [
            "?junk\r\n", deep, "*2147483648\r\n", "*2147483647\r\n", "*70000\r\n", "*-2\r\n", "*x\r\n",
            "$-2\r\n", "$99999999999999999999\r\n", "$x\r\n", ":12x\r\n", ":99999999999999999999\r\n",
            "%1\r\n+a\r\n+b\r\n",
            ">2\r\n+a\r\n+b\r\n", "_\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "\r\n",
            "$9000000\r\n" + String(repeating: "x", count: 9_000_000), manyStrings,
        ].map(Crafted.init))
    func broken(reply: Crafted) async throws {
        let fake = try RedisServerFake { command in
            RedisServerFake.login(command) ?? .text(command == ["GET", "good"] ? "$2\r\nok\r\n" : reply.text)
        }
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port), timeouts: RedisFixture.eager
        ) { client in
            #expect(await client.ask(["GET", "bad"]) == .failure(.outcomeUnknown(.badReply)))
            #expect(client.health.lastEnd == .brokenProtocol)
            try await RedisFixture.eventually { client.health.isConnected }
            #expect(await client.ask(["GET", "good"]) == .success(.string(Array("ok".utf8))))
            #expect(fake.connections == 2)
        }
        await fake.stop()
    }

    @Test(
        "C161: takes these for what they are",
        arguments: [
            ("*-1\r\n", .null), ("$-1\r\n", .null), ("*0\r\n", .array([])), ("$0\r\n\r\n", .string([])),
            ("*2\r\n*-1\r\n$-1\r\n", .array([.null, .null])), (":-9223372036854775808\r\n", .integer(.min)),
            ("*1\r\n-MINE x\r\n", .array([.error(prefix: "MINE", message: "x")])),
            ("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", nested(.integer(1), 7)),
            ("+\r\n", .status("")),
        ] as [(String, RedisReply)])
    func accepted(reply: String, expected: RedisReply) async throws {
        let fake = try RedisServerFake { RedisServerFake.login($0) ?? .text(reply) }
        try await RedisFixture.withClient(RedisFixture.url(fake.port)) { client in
            #expect(await client.ask(["GET", "k"]) == .success(expected))
            #expect(await client.ask(["GET", "k"]) == .success(expected))
            #expect(client.health.failures.value == 0)
        }
        await fake.stop()
    }

    private static func nested(_ reply: RedisReply, _ depth: Int) -> RedisReply {
        (0..<depth).reduce(reply) { inner, _ in .array([inner]) }
    }

    @Test("a string of 8 MiB is the largest that is taken")
    func largest() async throws {
        try await withRedisServer { server in
            try await RedisFixture.withClient(
                RedisFixture.url(server.port), timeouts: RedisFixture.eager
            ) { client in
                let size = 8 << 20
                #expect(
                    await client.ask(["SETRANGE", "k", "\(size - 1)", "x"]) == .success(.integer(Int64(size)))
                )
                guard case .success(.string(let bytes)) = await client.ask(["GET", "k"]) else {
                    Issue.record("no string")
                    return
                }
                #expect(bytes.count == size)
                #expect(await client.ask(["APPEND", "k", "x"]) == .success(.integer(Int64(size + 1))))
                #expect(await client.ask(["GET", "k"]) == .failure(.outcomeUnknown(.badReply)))
                try await RedisFixture.eventually { client.health.isConnected }
            }
        }
    }

    @Test(
        "what comes unasked ends the link and never the process",
        arguments: [
            "+OK\r\n", "$2\r\nhi\r\n", ":1\r\n", "*0\r\n", "*-1\r\n",
            "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nb\r\n",
            "-ERR whatever\r\n",
        ])
    func unasked(text: String) async throws {
        let fake = try RedisServerFake { RedisServerFake.login($0) ?? .silence }
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port), timeouts: RedisFixture.eager
        ) { client in
            // A new link asks about the server itself first: nothing that was asked must be open.
            #expect(await client.ask(["PING"]) == .success(.status("PONG")))
            await fake.push(Array(text.utf8))
            try await RedisFixture.eventually { client.health.failures.value == 1 }
            #expect(client.health.lastEnd == (text.hasPrefix("-") ? .serverError("ERR") : .brokenProtocol))
            try await RedisFixture.eventually { client.health.isConnected }
        }
        await fake.stop()
    }

    @Test("two replies to one command: the second never answers the next")
    func doubleReply() async throws {
        let fake = try RedisServerFake {
            RedisServerFake.login($0) ?? .text("$5\r\nfirst\r\n$6\r\nsecond\r\n")
        }
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port), timeouts: RedisFixture.eager
        ) { client in
            for _ in 0..<20 {
                try await RedisFixture.eventually { client.health.isConnected }
                let answer = await client.ask(["GET", "k"])
                #expect(answer != .success(.string(Array("second".utf8))))
            }
        }
        await fake.stop()
    }

    @Test(
        "C156: closing from within a reply, 100 times, ends each waiting command once",
        arguments: ["-READONLY x\r\n:1\r\n:2\r\n:3\r\n", "-NOAUTH x\r\n"])
    func closeInsideReply(reply: String) async throws {
        let fake = try RedisServerFake { RedisServerFake.login($0) ?? .text(reply) }
        let timeouts = RedisTimeouts(
            connect: .seconds(10), command: .seconds(10), reconnectFirst: .milliseconds(1),
            reconnectLongest: .milliseconds(2), refusedFirst: .milliseconds(1),
            refusedLongest: .milliseconds(2),
            breakerFirst: .milliseconds(1), breakerLongest: .milliseconds(2))
        try await RedisFixture.withClient(RedisFixture.url(fake.port), timeouts: timeouts) { client in
            for _ in 0..<100 {
                try await RedisFixture.eventually { client.health.isConnected }
                await withTaskGroup(of: Result<RedisReply, StoreError>.self) { group in
                    for _ in 0..<5 { group.addTask { await client.ask(["GET", "k"]) } }
                    for await answer in group {
                        if case .success = answer { Issue.record("an answer to what got none") }
                    }
                }
            }
            try await RedisFixture.eventually { RedisFixture.descriptors(to: fake.port).count <= 1 }
        }
        await fake.stop()
    }

    @Test(
        "C156: closing from within the login, 100 times, leaves nothing behind",
        arguments: ["-WRONGPASS x\r\n", "-ERR max number of clients reached\r\n", "?\r\n", ""])
    func closeInsideLogin(reply: String) async throws {
        let fake = try RedisServerFake { _ in .last(Array(reply.utf8)) }
        let timeouts = RedisTimeouts(
            connect: .seconds(10), command: .seconds(10), reconnectFirst: .milliseconds(1),
            reconnectLongest: .milliseconds(2), refusedFirst: .milliseconds(1),
            refusedLongest: .milliseconds(2),
            breakerFirst: .milliseconds(1), breakerLongest: .milliseconds(2))
        try await RedisFixture.withClient(
            RedisFixture.url(fake.port, password: "pw"), timeouts: timeouts, waits: false
        ) { client in
            try await RedisFixture.eventually { client.health.failures.value >= 100 }
            #expect(RedisFixture.descriptors(to: fake.port).count <= 1)
        }
        await fake.stop()
    }
}
