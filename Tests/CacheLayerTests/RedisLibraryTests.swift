import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// The version of hiredis that is installed here; the page about Redis says which ones are supported.
@Suite("The installed hiredis", .timeLimit(.minutes(3)))
struct RedisLibraryTests {
    enum Drop: CaseIterable {
        /// The server closes the link while it is idle.
        case closedIdle
        /// A reset arrives while it is idle.
        case resetIdle
        /// The link breaks under a command.
        case resetAsking
        /// The other side has gone without a word.
        case silent
    }

    @Test("C158: each way to lose a link is noticed, and the next link works", arguments: Drop.allCases)
    func drop(drop: Drop) async throws {
        try await withRedisServer { server in
            let proxy = try TCPProxy(to: server.port)
            try await RedisFixture.withClient(RedisFixture.url(proxy.port), timeouts: RedisFixture.brisk) {
                client in
                #expect(await client.ask(["PING"]) == .success(.status("PONG")))
                let failures = client.health.failures.value
                var answer: Result<RedisReply, StoreError>?
                switch drop {
                case .closedIdle: try server.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                case .resetIdle: await proxy.reset()
                case .resetAsking:
                    await proxy.set(latency: .milliseconds(150), .toServer)
                    async let asked = client.ask(["INCR", "n"])
                    try await Task.sleep(for: .milliseconds(20))
                    await proxy.reset()
                    answer = await asked
                    await proxy.set(latency: .zero, .toServer)
                case .silent:
                    await proxy.set(.halfOpen)
                    answer = await client.ask(["INCR", "n"])
                    await proxy.set(.none)
                    await proxy.reset()
                }
                switch drop {
                case .closedIdle, .resetIdle: break
                case .resetAsking: #expect(answer == .failure(.outcomeUnknown(.linkLost)))
                case .silent: #expect(answer == .failure(.outcomeUnknown(.timedOut)))
                }
                // Noticed by the client itself, without a further command.
                try await RedisFixture.eventually { client.health.failures.value > failures }
                try await RedisFixture.eventually { client.health.isConnected }
                try await RedisFixture.eventually { await client.ask(["PING"]) == .success(.status("PONG")) }
            }
            await proxy.stop()
        }
    }
}
