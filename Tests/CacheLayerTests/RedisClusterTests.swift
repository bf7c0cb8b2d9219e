import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Redis as a cluster", .serialized, .timeLimit(.minutes(1)))
struct RedisClusterTests {
    private static let slot = RedisSlot.of(RedisFleetFixture.keys.control)

    @Test("R7: the fleet's slot is moved under load, there and back, and nothing is granted twice")
    func slotMove() async throws {
        try await withRedisClusterTrio { trio in
            let home = trio.place(ofSlot: Self.slot)
            let away = (home + 1) % 3
            try await RedisFleetFixture.run(trio.url()) { clients, books in
                try await RedisFixture.eventually { books.calls > 100 }
                for (from, to) in [(home, away), (away, home)] {
                    let start = ContinuousClock.now
                    try trio.beginMove(ofSlot: Self.slot, from: from, to: to)
                    var count = 0
                    while true {
                        let moved = try trio.moveKeys(ofSlot: Self.slot, from: from, to: to, count: 5)
                        guard moved > 0 else { break }
                        count += moved
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    try trio.endMove(ofSlot: Self.slot, to: to)
                    let end = ContinuousClock.now
                    try await RedisFixture.eventually { books.firstGrant(after: end) != nil }
                    let granted = try #require(books.firstGrant(after: end))
                    #expect(granted - end < .seconds(5))
                    #expect(clients.allSatisfy { $0.health.server == "127.0.0.1:\(trio.nodes[to].port)" })
                    print(
                        "slot move: \(count) keys in \(end - start), granted \(granted - end) after its end,",
                        "no grant for \(books.longestGap(start, granted))")
                }
                #expect(books.losses >= 2)
                #expect(clients.contains { $0.health.redirects.value > 0 })
            }
        }
    }
}
