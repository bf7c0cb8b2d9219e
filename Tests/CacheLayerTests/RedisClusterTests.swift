import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

extension RedisFleetTests {
    @Suite("Redis as a cluster", .serialized, .timeLimit(.minutes(3)))
    struct RedisClusterTests {
        private static let slot = RedisSlot.of(RedisFleetFixture.keys.control)
        /// A key's tag, and the slot of all keys with it.
        private static let tag = "{t}"
        private static let tagged = RedisSlot.of(tag)

        @Test("R7: the fleet's slot is moved under load, there and back, and nothing is granted twice")
        func slotMove() async throws {
            try await withRedisClusterTrio { trio in
                let home = trio.place(ofSlot: Self.slot)
                let away = (home + 1) % 3
                try await RedisFleetFixture.run(trio.url()) { clients, books in
                    try await RedisFixture.eventually { books.calls > 100 }
                    for (from, to) in [(home, away), (away, home)] {
                        try await move(trio, from: from, to: to, books)
                        #expect(clients.allSatisfy { $0.health.server == "127.0.0.1:\(trio.nodes[to].port)" })
                    }
                    #expect(books.losses >= 2)
                    #expect(clients.allSatisfy { $0.health.redirects.value > 0 })
                }
            }
        }

        /// Moves the fleet's slot, a few keys at a time, and waits for the next grant.
        private func move(_ trio: RedisClusterTrio, from: Int, to: Int, _ books: RedisLoadBooks) async throws
        {
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
            print(
                "slot move: \(count) keys in \(end - start), granted \(granted - end) after its end,",
                "no grant for \(books.longestGap(start, granted))")
        }

        @Test("R7, R8: a node killed under load is left for the one that takes its slot over")
        func lostNode() async throws {
            try await withRedisClusterTrio { trio in
                let home = trio.place(ofSlot: Self.slot)
                let heir = (home + 1) % 3
                try await RedisFleetFixture.run(trio.url()) { clients, books in
                    try await RedisFixture.eventually { books.calls > 100 }
                    trio.nodes[home].stop()
                    try await RedisFixture.eventually { clients.allSatisfy { !$0.health.isConnected } }
                    try await Task.sleep(for: .seconds(1))
                    try trio.endMove(ofSlot: Self.slot, to: heir)
                    let end = ContinuousClock.now
                    try await RedisFixture.eventually { books.firstGrant(after: end) != nil }
                    let granted = try #require(books.firstGrant(after: end))
                    #expect(granted - end < .seconds(5))
                    print("node lost: granted \(granted - end) after its slot was taken over")
                }
            }
        }

        @Test("finds the node of its slot from any other one, past a dead one, without a refused command")
        func fromAnyNode() async throws {
            try await withRedisClusterTrio { trio in
                let home = trio.place(ofSlot: Self.tagged)
                let url =
                    try "redis+cluster://127.0.0.1:\(TCPProxySocket.freePort()),"
                    + trio.url([(home + 1) % 3]).dropFirst("redis+cluster://".count)
                try await RedisFixture.withClient(
                    url, timeouts: RedisFixture.eager, anchor: Self.tag
                ) { client in
                    #expect(await client.ask(["SET", Self.tag, "v"]) == .success(.status("OK")))
                    #expect(client.health.server == "127.0.0.1:\(trio.nodes[home].port)")
                    #expect(client.health.errors.values.allSatisfy { $0.count == 0 })
                    try await listens(client, trio)
                }
                // Led by MOVED alone where no key is named.
                try await RedisFixture.withClient(url, timeouts: RedisFixture.eager) { client in
                    try await RedisFixture.eventually {
                        await client.ask(["GET", Self.tag]) == .success(.string([UInt8(ascii: "v")]))
                    }
                    #expect(client.health.lastEnd.map { $0.isRedirect } ?? true)
                }
            }
        }

        /// Messages come from whichever node they were published at.
        private func listens(_ client: RedisClient, _ trio: RedisClusterTrio) async throws {
            let heard = Locked<[String]>([])
            let isUp = Locked(false)
            client.subscribe(
                channel: "c",
                onMessage: { body in heard.withLock { $0.append(String(decoding: body, as: UTF8.self)) } },
                onState: { state in isUp.withLock { $0 = state } })
            try await RedisFixture.eventually { isUp.withLock { $0 } }
            for (place, node) in trio.nodes.enumerated() { try node.cli("PUBLISH", "c", "from \(place)") }
            try await RedisFixture.eventually {
                Set(heard.withLock { $0 }) == ["from 0", "from 1", "from 2"]
            }
        }

        @Test("what the archive drops is in the fleet's slot too, though its name is made in the script")
        func archive() async throws {
            try await withRedisClusterTrio { trio in
                try await RedisFixture.withClient(
                    trio.url(), timeouts: RedisFixture.patient, anchor: RedisFleetFixture.keys.control
                ) { client in
                    let store = RedisRateStore(
                        client: client, keys: RedisFleetFixture.keys, archiveBytes: 3, wall: { .now })
                    let kept = (1...3).map { number in
                        StoredSnapshot(
                            resource: StoreBench.usd,
                            id: SnapshotID(fetchedAt: .now, digest: [0, 0, 0, number]),
                            token: FencingToken(Int64(number)), fetchedAt: .now, dataTime: .now,
                            source: .live,
                            body: [number, number], keepFor: .seconds(60))
                    }
                    for snapshot in kept {
                        _ = try await store.restore(
                            Testimony(
                                holder: "a", floor: snapshot.token, birth: nil, ledger: nil, cooldowns: [],
                                flight: nil, snapshots: [snapshot], plan: StoreBench.plan,
                                lease: .seconds(15), grace: StoreTimings.grace))
                    }
                    #expect(store.archive.dropped.value == 2 && store.archive.refused.value == 0)
                    #expect(try await store.archived(kept[1].id) == nil)
                    #expect(try await store.archived(of: StoreBench.usd, at: .now)?.id == kept[2].id)
                }
            }
        }

        @Test("R7, C147: ASK sends one command to the other node, TRYAGAIN keeps the link, MOVED changes it")
        func midMove() async throws {
            try await withRedisClusterTrio { trio in
                let home = trio.place(ofSlot: Self.tagged)
                let away = (home + 1) % 3
                let (here, new) = (Self.tag + "here", Self.tag + "new")
                try trio.nodes[home].cli("SET", here, "1")
                try await RedisFixture.withClient(
                    trio.url(), timeouts: RedisFixture.eager, anchor: Self.tag
                ) { client in
                    try trio.beginMove(ofSlot: Self.tagged, from: home, to: away)
                    #expect(await client.ask(["GET", here]) == .success(.string([UInt8(ascii: "1")])))
                    #expect(await client.ask(["GET", new]) == .success(.null))
                    #expect(await client.ask(["SET", new, "2"]) == .success(.status("OK")))
                    let script = RedisScript(name: "get", source: "return redis.call('GET', KEYS[1])")
                    #expect(
                        await client.answer(script, keys: [new], arguments: [])
                            == .success(.string([UInt8(ascii: "2")])))
                    #expect(
                        await client.ask(["MGET", here, new])
                            == .failure(.notExecuted(.serverError("TRYAGAIN"))))
                    #expect(client.health.detours.value == 4 && client.health.failures.value == 0)
                    #expect(client.health.server == "127.0.0.1:\(trio.nodes[home].port)")

                    _ = try trio.moveKeys(ofSlot: Self.tagged, from: home, to: away, count: 10)
                    try trio.endMove(ofSlot: Self.tagged, to: away)
                    #expect(await client.ask(["GET", here]) == .failure(.notExecuted(.serverError("MOVED"))))
                    #expect(await client.waitForLink(within: .seconds(10)))
                    #expect(client.health.server == "127.0.0.1:\(trio.nodes[away].port)")
                    #expect(client.health.breaker == .closed && client.health.redirects.value == 1)
                    let both = ["1", "2"].map { RedisReply.string(Array($0.utf8)) }
                    #expect(await client.ask(["MGET", here, new]) == .success(.array(both)))
                }
            }
        }

        @Test("C147: a URL of the wrong kind is said in the log, and a cluster's redirect is never a miss")
        func wrongKind() async throws {
            try await withRedisClusterTrio { trio in
                let log = RedisLog()
                let away = (trio.place(ofSlot: Self.tagged) + 1) % 3
                try await RedisFixture.withClient(
                    RedisFixture.url(trio.nodes[away].port), timeouts: RedisFixture.eager,
                    logger: log.logger()
                ) { client in
                    try await RedisFixture.eventually {
                        log.text.contains("must begin with redis+cluster://")
                    }
                    #expect(
                        await client.ask(["GET", Self.tag]) == .failure(.notExecuted(.serverError("MOVED"))))
                    #expect(client.health.lastEnd == .isCluster)
                }
            }
            try await withRedisServer { server in
                let log = RedisLog()
                try await RedisFixture.withClient(
                    "redis+cluster://127.0.0.1:\(server.port)", timeouts: RedisFixture.eager,
                    logger: log.logger(), waits: false
                ) { client in
                    try await RedisFixture.eventually {
                        log.text.contains("must not begin with redis+cluster://")
                    }
                    #expect(client.health.lastEnd == .notCluster)
                    #expect(!client.health.isConnected)
                }
            }
        }
    }
}
