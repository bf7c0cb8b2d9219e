import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// What a server's odd answers become: the server is a scripted one.
@Suite("The rate store before a faulty server", .timeLimit(.minutes(3)))
struct StoreFaultTests {
    /// What a read finds in an empty server: its time, no control of this version or of 0.1.0, no limits, no members.
    private static let lost =
        "*7\r\n$13\r\n1773144000000\r\n*0\r\n*7\r\n" + String(repeating: "$-1\r\n", count: 7)
        + ":0\r\n*0\r\n:0\r\n*0\r\n"
    private static let request = LookRequest(
        holder: "a", birth: nil, floor: .none, interests: [], plan: StoreBench.plan)

    /// Runs `body` with a store whose scripts are answered by these texts, one after the other.
    private func with(_ answers: [String], _ body: (RedisRateStore, RedisServerFake) async throws -> Void)
        async throws
    {
        let rest = Locked(answers)
        let server = try RedisServerFake { command in
            if let step = RedisServerFake.login(command) { return step }
            if command.first == "EVAL", command[1].contains("sha1hex") {
                return .text("$40\r\n" + String(repeating: "a", count: 40) + "\r\n")
            }
            return rest.withLock { $0.isEmpty ? .silence : .text($0.removeFirst()) }
        }
        let loop = try EventLoop(name: "store-fault")
        try loop.start()
        let client = try RedisClient(
            endpoint: RedisEndpoint(url: "redis://127.0.0.1:\(server.port)"),
            timeouts: RedisTimeouts(command: .seconds(1)), loop: loop, logger: .silent, name: "fault")
        client.connect()
        let end = ContinuousClock.now + .seconds(10)
        while !client.health.isConnected, .now < end { try await Task.sleep(for: .milliseconds(2)) }
        let store = RedisRateStore(
            client: client, keys: RedisKeys(fleet: "f", upstream: "u:1"), archiveBytes: 1 << 20,
            scripts: Scripts(), names: { "birth" }, relink: .seconds(5), wall: { StoreBench.noon })
        try await body(store, server)
        await store.close()
        await server.stop()
        loop.stop()
        loop.join()
    }

    @Test(
        "sends what had no effect for certain once more, over the next link (R7)",
        arguments: [
            "-READONLY You can't write\r\n", "-LOADING Redis is loading\r\n", "-MASTERDOWN Link\r\n",
            "-BUSY script\r\n",
        ])
    func sentAgain(first: String) async throws {
        try await with([first, Self.lost]) { store, server in
            let answer = try await store.look(Self.request)
            #expect(answer.reply == .lost)
            #expect(server.commands.count { $0.arguments.first == "EVALSHA" } == 2)
            #expect(server.connections == 2)
        }
    }

    @Test("sends it once more, not for ever")
    func sentTwice() async throws {
        let readOnly = "-READONLY You can't write\r\n"
        try await with([readOnly, readOnly, Self.lost]) { store, server in
            await #expect(throws: StoreError.notExecuted(.serverError("READONLY"))) {
                try await store.look(Self.request)
            }
            #expect(server.commands.count { $0.arguments.first == "EVALSHA" } == 2)
        }
    }

    @Test(
        "takes a reply of another form for an unknown outcome, and asks no more (R5)",
        arguments: [
            "+OK\r\n", ":1\r\n", "$-1\r\n", "*0\r\n", "*3\r\n$3\r\nodd\r\n*0\r\n*0\r\n",
            "*3\r\n$4\r\nseen\r\n*0\r\n*0\r\n",
            "*3\r\n$4\r\nlost\r\n*0\r\n*1\r\n$1\r\nx\r\n", "*3\r\n$4\r\nlost\r\n*1\r\n:1\r\n*0\r\n",
        ])
    func badReply(text: String) async throws {
        try await with([text]) { store, server in
            await #expect(throws: StoreError.outcomeUnknown(.badReply)) { try await store.look(Self.request) }
            #expect(server.commands.count { $0.arguments.first == "EVALSHA" } == 1)
        }
    }

    @Test(
        "doesn't repeat what may have had its effect (R5)",
        arguments: [
            ("-WRONGTYPE Operation\r\n", StoreError.outcomeUnknown(.serverError("WRONGTYPE"))),
            ("-ERR user_script:1: odd\r\n", .outcomeUnknown(.serverError("ERR"))),
            ("-OOM command not allowed\r\n", .writesRefused), ("", .outcomeUnknown(.timedOut)),
        ])
    func notRepeated(text: String, expected: StoreError) async throws {
        try await with(text.isEmpty ? [] : [text]) { store, server in
            await #expect(throws: expected) { try await store.look(Self.request) }
            #expect(server.commands.count { $0.arguments.first == "EVALSHA" } == 1)
        }
    }
}
