import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

extension RedisFleetTests {
    @Suite("Redis behind sentinels", .serialized, .timeLimit(.minutes(3)))
    struct RedisSentinelTests {
        @Test(
            "R7, R8: kill -9 of the master under load: new grants within 5 s of the promotion; then a fail-back"
        )
        func failover() async throws {
            try await withRedisSentinelTrio { trio in
                try await RedisFleetFixture.run(trio.url) { clients, books in
                    try await RedisFixture.eventually { books.calls > 100 }
                    #expect(clients.allSatisfy { $0.health.server == "127.0.0.1:\(trio.servers[0].port)" })
                    trio.servers[0].stop()
                    let killed = ContinuousClock.now
                    try await RedisFixture.eventually { trio.servers[1].isMaster }
                    let promoted = ContinuousClock.now
                    try await RedisFixture.eventually { books.firstGrant(after: promoted) != nil }
                    let granted = try #require(books.firstGrant(after: promoted))
                    #expect(granted - promoted < .seconds(5))
                    try await RedisFixture.eventually {
                        clients.allSatisfy { $0.health.server == "127.0.0.1:\(trio.servers[1].port)" }
                    }
                    print(
                        "failover: promoted after \(promoted - killed), granted \(granted - promoted) later")

                    try await failBack(trio, clients, books)
                    #expect(books.losses >= 2)
                    #expect(clients.allSatisfy { $0.health.isConnected })
                }
            }
        }

        /// Both masters alive: the one that was cut off from its office goes on answering.
        private func failBack(
            _ trio: RedisSentinelTrio, _ clients: [RedisClient], _ books: RedisLoadBooks
        ) async throws {
            try await trio.servers[0].restart()
            try trio.servers[0].cli("REPLICAOF", "127.0.0.1", "\(trio.servers[1].port)")
            try await RedisFixture.eventually { trio.servers[0].isInStep }
            let isBegun = await eventually(within: .seconds(25), step: .milliseconds(100)) { trio.failOver() }
            #expect(isBegun)
            try await RedisFixture.eventually { trio.servers[0].isMaster }
            let promoted = ContinuousClock.now
            try await RedisFixture.eventually {
                clients.allSatisfy { $0.health.server == "127.0.0.1:\(trio.servers[0].port)" }
            }
            let followed = ContinuousClock.now
            try await RedisFixture.eventually { books.firstGrant(after: followed) != nil }
            let granted = try #require(books.firstGrant(after: followed))
            // The old master took a finish or two that nobody else knows of: their records end with the lease.
            #expect(followed - promoted < .seconds(5))
            #expect(granted - followed < RedisLoadInstance.lease + StoreTimings.grace)
            print("fail-back: followed after \(followed - promoted), granted after \(granted - promoted)")
        }
    }
}
