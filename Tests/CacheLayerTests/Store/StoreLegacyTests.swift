import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("A fleet in which version 0.1.0 still runs", .timeLimit(.minutes(2)))
struct StoreLegacyTests {
    /// A store beside a control as version 0.1.0 has it, whose instances look.
    private func with(
        _ fields: [String] = [], _ body: (StoreBench, RedisServerSession) async throws -> Void
    ) async throws {
        try await StoreBench.with(.redis) { bench in
            let session = try #require(bench.session)
            let noon = StoreBench.noon.value
            try session.send([
                "HSET", bench.keys.legacyControl, "stamp", "s", "birth", "b", "month", "2026-03", "used",
                "50",
                "external", "8", "epoch", String(noon + 5), "purged", "3", "cd:short",
                "{\"end\":\(noon + 60_000),\"token\":1,\"strikes\":2,\"reason\":\"rate_limited\",\"since\":1,"
                    + "\"attempts\":\"\"}",
            ])
            if !fields.isEmpty { try session.send(["HSET", bench.keys.legacyControl] + fields) }
            try session.send(["ZADD", bench.keys.legacyInstances, String(noon), "old"])
            try await body(bench, session)
        }
    }

    @Test("goes on with its count, its tokens and its pauses, and assumes nothing")
    func adopts() async throws {
        try await with { bench, _ in
            let answer = try await bench.restore()
            let shadow = try #require(answer.shadow)
            #expect((shadow.counted, shadow.external, shadow.assumed) == (42, 8, 0))
            #expect(shadow.epoch.value == StoreBench.noon.value + 5 && shadow.purged.value == 3)
            #expect(shadow.cooldowns.map(\.rest) == [.seconds(60)] && shadow.cooldowns.first?.strikes == 2)
        }
    }

    @Test("counts what its instances call from then on")
    func follows() async throws {
        try await with { bench, session in
            _ = try await bench.restore()
            try session.send(["HINCRBY", bench.keys.legacyControl, "used", "3"])
            #expect(try await bench.look().shadow?.counted == 45)
            try bench.advance(.seconds(61))
            _ = try await bench.granted()
            #expect(bench.shadow?.counted == 46)
        }
    }

    @Test("adds its own calls to the old control's count, and takes those back that never left")
    func tells() async throws {
        try await with { bench, session in
            _ = try await bench.restore()
            try bench.advance(.seconds(61))
            let grant = try await bench.granted()
            #expect(try session.send(["HGET", bench.keys.legacyControl, "used"]) == "51")
            // What it has added itself is no call of the old instances.
            #expect(try await bench.look().shadow?.counted == 43)
            _ = try await bench.finish(grant, .unsent)
            #expect(try session.send(["HGET", bench.keys.legacyControl, "used"]) == "50")
            #expect(try await bench.look().shadow?.counted == 42)
        }
    }

    @Test("keeps the old control while its instances look, and drops it with the next write after that")
    func drops() async throws {
        try await with { bench, session in
            _ = try await bench.restore()
            try bench.advance(.seconds(61))
            let grant = try await bench.granted()
            #expect(try session.send(["EXISTS", bench.keys.legacyControl]) == "1")
            try session.send(["DEL", bench.keys.legacyInstances])
            _ = try await bench.look()
            #expect(try session.send(["EXISTS", bench.keys.legacyControl]) == "1")
            let counted = bench.shadow?.counted
            _ = try await bench.finish(grant, .answered)
            #expect(try session.send(["EXISTS", bench.keys.legacyControl]) == "0")
            #expect(try await bench.look().shadow?.counted == counted)
        }
    }

    @Test(
        "takes an old control that can't be read for none",
        arguments: [["used", "many"], ["month", "March"]])
    func unreadable(field: [String]) async throws {
        try await with(field) { bench, session in
            let answer = try await bench.restore()
            #expect(answer.shadow?.counted == 0)
            #expect(try session.send(["EXISTS", bench.keys.legacyControl]) == "1")
        }
    }
}
