import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// What only the store in Redis can meet: other clients' data, a full or restarted server, lifetimes of keys.
@Suite("The rate store in Redis", .timeLimit(.minutes(4)))
struct StoreRedisTests {
    private static let usd = StoreBench.usd

    /// A life with everything in it that leaves a key.
    private func fullLife(_ bench: StoreBench) async throws {
        try await bench.open(plan: StoreContractTests.wide)
        try await bench.store.attend("a", MemberLimits(StoreContractTests.wide))
        let grant = try await bench.granted(plan: StoreContractTests.wide)
        let other = try await bench.granted(StoreBench.eur, plan: StoreContractTests.wide)
        _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)), plan: StoreContractTests.wide)
        _ = try await bench.finish(
            other, .limited(.short, wait: .seconds(600), reason: "rate_limited"),
            plan: StoreContractTests.wide)
    }

    @Test("leaves no key without a lifetime but the control (L4, R12, C090, C113)")
    func lifetimes() async throws {
        try await StoreBench.with(.redis) { bench in
            try await fullLife(bench)
            let session = try #require(bench.session)
            let keys = try session.send(["KEYS", "*"]).split(separator: "\n").map(String.init)
            let prefix = bench.keys.prefix
            #expect(
                Set(keys.map { $0.replacing(prefix, with: "").prefix { $0 != ":" } }) == [
                    "control", "snap", "archive", "archive-order", "archive-bytes", "archive-times",
                    "cooldown", "ledger", "members", "limits", "testclock",
                ])
            for key in keys where !key.hasSuffix(":testclock") {
                let lifetime = try session.send(["PTTL", key])
                if key == bench.keys.control {
                    #expect(lifetime == "-1")
                } else {
                    #expect((Int64(lifetime) ?? -1) > 0, "\(key)")
                }
            }
            #expect(keys.allSatisfy { $0.hasPrefix("{fxgw:test:127.0.0.1:1}:") })
        }
    }

    @Test(
        "mirrors the longest pause for people, with the time that remains, until a success clears it (C083, C090)"
    )
    func mirror() async throws {
        try await StoreBench.with(.redis) { bench in
            try await fullLife(bench)
            #expect(try bench.mirror() == "short rate_limited until 2026-03-10T12:10:03Z")
            let left = Int64(try bench.session?.send(["PTTL", bench.keys.cooldown]) ?? "") ?? 0
            #expect(left > 590_000 && left <= 600_000)
            try bench.advance(.seconds(600))
            let probe = try await bench.granted(.currencies)
            _ = try await bench.finish(probe, .fetched(bench.snapshot(probe)))
            #expect(try bench.mirror() == nil)
        }
    }

    @Test("reports each settled call once, in the month in which it was sent (U16)")
    func ledgerReport() async throws {
        try await StoreBench.with(.redis) { bench in
            let edge = Month(containing: bench.now).next.start
            try bench.set(edge + .seconds(-20))
            try await bench.open()
            let grant = try await bench.granted()
            try bench.set(edge + .milliseconds(5_001))
            _ = try await bench.look()
            for _ in 0..<2 { _ = try await bench.finish(grant, .fetched(bench.snapshot(grant))) }
            let session = try #require(bench.session)
            let march = bench.keys.prefix + "ledger:2026-03"
            #expect(try session.send(["HGET", march, "outcome:fetched"]) == "1")
            #expect(try session.send(["HGET", march, "class:latest"]) == "1")
            #expect(try session.send(["HGET", march, "instance:a"]) == "1")
            #expect(try session.send(["EXISTS", bench.keys.prefix + "ledger:2026-04"]) == "0")
            let kept = Int64(try session.send(["PTTL", march])) ?? 0
            #expect(kept > 399 * 86_400_000)
        }
    }

    @Test("keeps bodies for replay as long as their class says")
    func archive() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(plan: StoreContractTests.wide)
            for (resource, source, days) in [(Self.usd, .live, 7), (StoreBench.eur, .ecbDaily, 400)]
                as [(Resource, Source, Int64)]
            {
                let grant = try await bench.granted(resource, plan: StoreContractTests.wide)
                let snapshot = bench.snapshot(grant, source: source)
                _ = try await bench.finish(grant, .fetched(snapshot), plan: StoreContractTests.wide)
                let kept = try #require(try await bench.store.archived(snapshot.id))
                #expect(kept.resource == resource && kept.body == snapshot.body)
                #expect(
                    kept.keepFor > .seconds(days * 86_400 - 60) && kept.keepFor <= .seconds(days * 86_400))
            }
            let unknown = SnapshotID(fetchedAt: bench.now, digest: [9, 9, 9, 9])
            #expect(try await bench.store.archived(unknown) == nil)
        }
    }

    @Test(
        "takes a snapshot that can't be read for a missing one, counts it, and replaces it (R19, T9)",
        arguments: [
            ["HSET", "schema", "2"], ["HSET", "token", "seventeen"], ["HSET", "token", "9999999999999999"],
            ["HSET", "id", "<script>"], ["HSET", "data_time", "-1"], ["HDEL", "body"], ["HDEL", "source"],
            ["SET", "text"], ["RPUSH", "1", "2"], ["HSETONLY", "x", "y"],
        ])
    func garbage(damage: [String]) async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)))
            let key = bench.keys.snapshot(of: Self.usd)
            let session = try #require(bench.session)
            if damage[0].count > 4 || damage[0] == "SET" { try session.send(["DEL", key]) }
            let word = damage[0] == "HSETONLY" ? "HSET" : damage[0]
            try session.send([word, key] + damage.dropFirst())
            let store = try #require(bench.store as? RedisRateStore)
            #expect(try await store.snapshot(of: Self.usd) == nil)
            #expect(store.garbage.value == 1)
            guard case .seen(let seen) = try await bench.look([(Self.usd, nil)]).reply else {
                Issue.record("lost")
                return
            }
            #expect(seen.first?.standing == .same)
            #expect(store.garbage.value == 2)
            try bench.advance(.seconds(400))
            let next = try await bench.granted()
            let snapshot = bench.snapshot(next)
            #expect(try await bench.finish(next, .fetched(snapshot)).reply == .stored)
            #expect(try await store.snapshot(of: Self.usd)?.id == snapshot.id)
        }
    }

    @Test(
        "takes a control that can't be read for a lost one, and a testimony makes it anew (R14, R19)",
        arguments: [
            ["HSET", "counted", "many"], ["HSET", "flights", "{"], ["HSET", "flights", "{\"a\":1}"],
            ["HSET", "flights", "[{\"attempt\":1}]"], ["HSET", "cd:short", "[]"], ["HSET", "slow", "9:1"],
            ["HSET", "month", "March"], ["HDEL", "epoch"], ["HDEL", "birth"], ["SET", "text"],
            ["HSETONLY", "x", "y"],
        ])
    func brokenControl(damage: [String]) async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open()
            let session = try #require(bench.session)
            if damage[0].count > 4 || damage[0] == "SET" { try session.send(["DEL", bench.keys.control]) }
            let word = damage[0] == "HSETONLY" ? "HSET" : damage[0]
            try session.send([word, bench.keys.control] + damage.dropFirst())
            #expect(try await bench.begin().reply == .lost)
            #expect(try await bench.look().reply == .lost)
            let month = Month(containing: bench.now).description
            let answer = try await bench.restore(
                ledger: .init(month: month, counted: 9, age: .zero), offline: .init(month: month, calls: 2))
            #expect(answer.shadow?.birth == "birth-2" && answer.shadow?.booked == 11)
            try bench.advance(.seconds(3))
            _ = try await bench.granted()
        }
    }

    @Test("writes a resource's unreadable back-off anew, without a new life (R19)")
    func brokenPace() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open()
            try bench.session?.send(["HSET", bench.keys.control, "res:latest:USD", "soon"])
            let grant = try await bench.granted()
            #expect(bench.shadow?.nextAt == bench.now + grant.interval)
        }
    }

    @Test("refuses begin on a full server, but lets finish write the whole control (R11, C144)")
    func outOfMemory() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(plan: StoreContractTests.wide)
            let plan = StoreContractTests.wide
            let grant = try await bench.granted(plan: plan)
            let session = try #require(bench.session)
            try session.send(["CONFIG", "SET", "maxmemory", "1"])
            await #expect(throws: StoreError.writesRefused) {
                try await bench.begin(StoreBench.eur, plan: plan)
            }
            #expect(Self.word(try await bench.look([(Self.usd, nil)], plan: plan)) == "seen")
            // A refusal writes nothing that matters: it is told all the same.
            #expect(Self.word(try await bench.begin(plan: plan)) == "busy")
            let limited = try await bench.finish(
                grant, .limited(.short, wait: .seconds(600), reason: "rate_limited"), plan: plan)
            #expect(limited.reply == .noted)
            #expect(limited.shadow?.reserved == 0)
            await #expect(throws: StoreError.writesRefused) { try await bench.loseAndRestore() }
            try session.send(["CONFIG", "SET", "maxmemory", "0"])
            #expect(Self.word(try await bench.begin(StoreBench.eur, plan: plan)) == "lost")
        }
    }

    @Test("keeps count and cooldown of a finish on a full server")
    func outOfMemoryFinish() async throws {
        try await StoreBench.with(.redis) { bench in
            let plan = StoreContractTests.wide
            try await bench.open(plan: plan)
            let first = try await bench.granted(plan: plan)
            let second = try await bench.granted(StoreBench.eur, plan: plan)
            let used = bench.shadow?.booked
            let session = try #require(bench.session)
            try session.send(["CONFIG", "SET", "maxmemory", "1"])
            #expect(
                try await bench.finish(first, .fetched(bench.snapshot(first)), plan: plan).reply == .stored)
            _ = try await bench.finish(
                second, .limited(.short, wait: .seconds(600), reason: "rate_limited"), plan: plan)
            try session.send(["CONFIG", "SET", "maxmemory", "0"])
            let after = try await bench.look(plan: plan)
            #expect(after.shadow?.booked == used && after.shadow?.reserved == 0)
            #expect(after.shadow?.cooldowns.first?.rest == .seconds(600))
            #expect(try bench.mirror() != nil)
        }
    }

    @Test(
        "a restart that kept everything is no loss, and FLUSHALL is one; calls stay counted (R8, R14, C121)"
    )
    func restart() async throws {
        try await StoreBench.with(.redis, options: .init(appendOnly: true)) { bench in
            try await bench.open(counted: 20)
            let grant = try await bench.granted()
            let before = try #require(bench.shadow)
            try await bench.restartServer()
            Self.expectBusy(try await bench.begin())
            #expect(bench.shadow?.birth == before.birth && bench.shadow?.booked == before.booked)
            // Half of the scripts are unknown to the restarted server: they are sent whole.
            try bench.session?.send(["SCRIPT", "FLUSH"])
            _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)))
            try bench.flush()
            #expect(try await bench.look().reply == .lost)
            let again = try await bench.restore(
                ledger: .init(month: before.month, counted: 23, age: .zero), floor: grant.token)
            #expect(again.shadow?.booked == 23)
        }
    }

    @Test("passes events of this and of other versions, and says when it may have missed some (R17)")
    func channel() async throws {
        try await StoreBench.with(.redis) { bench in
            let session = try #require(bench.session)
            var events = bench.store.events().makeAsyncIterator()
            #expect(await events.next() == .linkUp)
            for text in [
                "", "{", "[]", "{\"kind\":\"later\"}",
                "{\"kind\":\"failed\",\"resource\":\"../x\",\"next\":1}",
                "{\"kind\":\"cooldown\",\"scope\":\"odd\",\"ms\":1}", "{\"kind\":\"purged\",\"more\":[1]}",
            ] { try session.send(["PUBLISH", bench.keys.events, text]) }
            #expect(await events.next() == .purged)
            try session.send(["CLIENT", "KILL", "TYPE", "pubsub"])
            #expect(await events.next() == .linkDown)
            #expect(await events.next() == .linkUp)
        }
    }

    private static func word<Reply>(_ answer: Answer<Reply>) -> String { StoreContractTests.word(answer) }

    private static func expectBusy(_ answer: Answer<BeginReply>) { #expect(word(answer) == "busy") }
}
