import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// What only the archive in Redis can meet: parts of it that are lost or are somebody else's.
@Suite("The archive in Redis", .timeLimit(.minutes(4)))
struct StoreArchiveRedisTests {
    private static let plan = StoreContractTests.wide

    private func accept(_ bench: StoreBench, bytes: Int = 10) async throws -> StoredSnapshot {
        try bench.advance(.seconds(60))
        let held = try await bench.store.snapshot(of: StoreBench.usd)?.order
        let grant = try await bench.granted(held: held, plan: Self.plan, isForced: true)
        let snapshot = bench.snapshot(grant, body: Array(repeating: 7, count: bytes))
        _ = try await bench.finish(grant, .fetched(snapshot), plan: Self.plan)
        return snapshot
    }

    @Test("counts anew when only its sum is lost, and from nothing when the order is")
    func lostParts() async throws {
        try await StoreBench.with(.redis, archiveBytes: 45) { bench in
            try await bench.open(plan: Self.plan)
            let session = try #require(bench.session)
            for _ in 0..<3 { _ = try await accept(bench) }
            try session.send(["DEL", bench.keys.archiveBytes])
            let fourth = try await accept(bench)
            #expect(bench.store.archive.bytes == 40 && bench.store.archive.dropped.value == 0)
            _ = try await accept(bench)
            #expect(bench.store.archive.bytes == 40 && bench.store.archive.dropped.value == 1)
            try session.send(["DEL", bench.keys.archiveOrder])
            _ = try await accept(bench)
            #expect(bench.store.archive.bytes == 10)
            // What the order has lost can still be asked for, until its own lifetime ends.
            #expect(try await bench.store.archived(fourth.id) != nil)
        }
    }

    @Test(
        "a foreign value in the place of its index costs one snapshot, and nothing else (R19)",
        arguments: ["archive-order", "archive-times:latest:USD"])
    func foreignIndex(name: String) async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(plan: Self.plan)
            let session = try #require(bench.session)
            try session.send(["RPUSH", bench.keys.prefix + name, "x"])
            let lost = try await accept(bench)
            #expect(try await bench.store.snapshot(of: StoreBench.usd)?.id == lost.id)
            #expect(try await bench.store.archived(lost.id) == nil)
            #expect(bench.store.archive.refused.value == 1)
            let next = try await accept(bench)
            #expect(try await bench.store.archived(of: StoreBench.usd, at: next.fetchedAt)?.id == next.id)
            #expect(try session.send(["TYPE", bench.keys.prefix + name]) == "zset")
        }
    }

    @Test("a body that Redis has evicted is gone: no older one is given in its place")
    func evictedBody() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(plan: Self.plan)
            let first = try await accept(bench)
            let second = try await accept(bench)
            try bench.session?.send(["DEL", bench.keys.archive(of: second.id)])
            #expect(try await bench.store.archived(second.id) == nil)
            #expect(try await bench.store.archived(of: StoreBench.usd, at: bench.now) == nil)
            #expect(
                try await bench.store.archived(of: StoreBench.usd, at: second.fetchedAt + .milliseconds(-1))?
                    .id == first.id)
        }
    }

    @Test("a full server loses bodies, not counts, and the sum stays true")
    func outOfMemory() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(plan: Self.plan)
            let session = try #require(bench.session)
            let grant = try await bench.granted(plan: Self.plan)
            try session.send(["CONFIG", "SET", "maxmemory", "1"])
            let snapshot = bench.snapshot(grant)
            _ = try await bench.finish(grant, .fetched(snapshot), plan: Self.plan)
            try session.send(["CONFIG", "SET", "maxmemory", "0"])
            #expect(bench.store.archive.bytes == (try bench.archivedBytes()))
        }
    }
}
