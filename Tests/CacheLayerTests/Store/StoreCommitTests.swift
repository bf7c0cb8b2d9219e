import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("A commit to Redis", .timeLimit(.minutes(2)))
struct StoreCommitTests {
    private static let usd = StoreBench.usd
    private static let question = StoreQuestion(resources: [usd])

    /// A change of the control that was read, which counts one call more and keeps a snapshot.
    private func change(_ reading: StoreReading, _ bench: StoreBench) throws -> StoreChange {
        guard case .record(var control) = reading.control else { throw StoreError.corrupt("control") }
        control.version += 1
        control.ledger.counted += 1
        let snapshot = StoredSnapshot(
            resource: Self.usd, id: SnapshotID(fetchedAt: bench.now, digest: [1, 2, 3, 4]),
            token: FencingToken(7), fetchedAt: bench.now, dataTime: bench.now, source: .live,
            body: Array(0...255), keepFor: .seconds(60))
        return StoreChange(
            control: control, effects: [.keep(snapshot, from: nil)], notAfter: reading.now + .seconds(1))
    }

    private func with(_ body: (StoreBench, RedisRateStore) async throws -> Void) async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(counted: 20)
            try await body(bench, try #require(bench.store as? RedisRateStore))
        }
    }

    @Test("applies to exactly the control that was read, or not at all")
    func moved() async throws {
        try await with { bench, store in
            let first = try await store.read(Self.question)
            let second = try await store.read(Self.question)
            #expect(try await store.commit(try change(first, bench), on: first) == .done)
            try bench.loseSnapshot(of: Self.usd)
            #expect(try await store.commit(try change(second, bench), on: second) == .moved)
            #expect(try bench.control("counted") == 21)
            #expect(try await store.snapshot(of: Self.usd) == nil)
        }
    }

    @Test("has no effect on a control that was lost meanwhile, and none that replaces a new one")
    func lostMeanwhile() async throws {
        try await with { bench, store in
            let before = try await store.read(Self.question)
            try bench.loseControl()
            #expect(try await store.commit(try change(before, bench), on: before) == .moved)
            let absent = try await store.read(Self.question)
            #expect(absent.control == .absent && absent.mark == .absent)
            _ = try await bench.restore()
            let made = try change(before, bench)
            #expect(try await store.commit(made, on: absent) == .moved)
            #expect(bench.birth == "birth-2")
        }
    }

    @Test("has no effect after its latest moment, by the server's clock")
    func late() async throws {
        try await with { bench, store in
            let reading = try await store.read(Self.question)
            let change = try change(reading, bench)
            try bench.set(change.notAfter + .milliseconds(1))
            #expect(try await store.commit(change, on: reading) == .late)
            #expect(try bench.control("counted") == 20)
            try bench.set(change.notAfter)
            #expect(try await store.commit(change, on: reading) == .done)
            #expect(try bench.control("counted") == 21)
        }
    }

    @Test("stores a body of any bytes as it is")
    func binary() async throws {
        try await with { bench, store in
            let reading = try await store.read(Self.question)
            #expect(try await store.commit(try change(reading, bench), on: reading) == .done)
            #expect(try await store.snapshot(of: Self.usd)?.body == Array(0...255))
        }
    }

    @Test("writes the fields that have changed, and no others")
    func onlyChanges() async throws {
        try await with { bench, store in
            let session = try #require(bench.session)
            // Two that mean what the gateway would write, in other letters, and one of a later version.
            try session.send(["HSET", bench.keys.control, "refused", "[ ]", "flights", "[ ]", "later", "x"])
            let reading = try await store.read(Self.question)
            #expect(try await store.commit(try change(reading, bench), on: reading) == .done)
            let fields = try session.send(["HMGET", bench.keys.control, "refused", "flights", "later"])
            #expect(fields == "[ ]\n[ ]\nx")
        }
    }

    @Test("of several at once follow each other: no call is lost from the count")
    func concurrent() async throws {
        try await with { bench, store in
            let requests = try (0..<6).map { place in
                BeginRequest(
                    resource: try #require(Resource(name: "year:USD:\(2_000 + place)")), attempt: AttemptID(),
                    holder: "a", lease: .seconds(15), held: nil, floor: .none, birth: bench.birth,
                    notAfter: StoreBench.distant,
                    plan: QuotaPlan(monthly: 10_000, perMinute: 600, maxInFlight: 6),
                    leastInterval: .zero, isAwaited: true)
            }
            let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for request in requests {
                    group.addTask {
                        if case .fetch = try await store.begin(request).reply { true } else { false }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(granted > 0)
            #expect(try bench.control("counted") == 20 + Int64(granted))
        }
    }

    @Test("of a later version's control is never made: it is named, and left as it is")
    func laterSchema() async throws {
        try await with { bench, store in
            let session = try #require(bench.session)
            try session.send(["HSET", bench.keys.control, "schema", "3"])
            let before = try session.send(["HGETALL", bench.keys.control])
            await #expect(throws: StoreError.laterSchema(3)) { try await bench.begin() }
            await #expect(throws: StoreError.laterSchema(3)) { try await bench.restore() }
            #expect(try session.send(["HGETALL", bench.keys.control]) == before)
        }
    }

    @Test("keeps as many snapshots as there is room for, also where one commit brings them all")
    func severalKept() async throws {
        try await StoreBench.with(.redis, archiveBytes: 20) { bench in
            try await bench.open()
            let snapshots = try ["EUR", "GBP", "JPY"].enumerated().map { place, code in
                StoredSnapshot(
                    resource: try #require(Resource(name: "latest:\(code)")),
                    id: SnapshotID(fetchedAt: bench.now, digest: [0, 0, 0, UInt8(place)]),
                    token: FencingToken(Int64(place) + 1), fetchedAt: bench.now, dataTime: bench.now,
                    source: .live, body: Array(repeating: 1, count: 10), keepFor: .seconds(60))
            }
            _ = try await bench.restore(snapshots: snapshots)
            #expect(try await bench.store.archived(snapshots[0].id) == nil)
            #expect(try await bench.store.archived(snapshots[1].id) != nil)
            #expect(try await bench.store.archived(snapshots[2].id) != nil)
            #expect(bench.store.archive.bytes == 20 && bench.store.archive.dropped.value == 1)
        }
    }
}
