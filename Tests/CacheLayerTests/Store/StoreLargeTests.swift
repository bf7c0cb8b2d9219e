import EventLoop
import TestSupport
import Testing

@testable import CacheLayer

/// Large values and many at once: what other clients of the server feel of it, and what readers see meanwhile.
@Suite("Large snapshots in Redis", .timeLimit(.minutes(3)))
struct StoreLargeTests {
    /// A read that takes longer was held up.
    private static let limit = Duration.milliseconds(100)
    /// So many reads a busy machine may hold up by itself: there are more writes, and a server that a write blocks would
    /// show it with each.
    private static let strays = 2

    private static let bases = (0..<200).map { Currency.sample("B\(100 + $0)") }
    private static let codec = SnapshotCodec(policy: TierPolicy())

    /// 170 rates of a base, each of which says of which generation it is.
    private static func stored(_ place: Int, generation: Int, at now: UnixMilliseconds) throws
        -> StoredSnapshot
    {
        let rate = try Rate(json: "\(generation).\(1_000_000 + place)")
        let symbols = (0..<170).map {
            SymbolRate(currency: .sample("S\(100 + $0)"), rate: rate, source: .live)
        }
        let table = RateTable(
            base: bases[place], source: .live, marketSession: nil, timestamp: nil,
            dataTime: Timestamp(text: now.rfc3339, instant: now + .seconds(generation)), symbols: symbols,
            hasSources: true, hasEffectiveAt: false, notice: nil)
        let token = FencingToken(now.value + Int64(generation * 1_000 + place))
        return codec.encode(
            RateSnapshot(
                id: SnapshotID(fetchedAt: now, digest: [0, UInt8(generation), UInt8(place), 1]),
                resource: .latest(base: bases[place]), token: token, fetchedAt: now, interval: .seconds(60),
                table: table))
    }

    /// Writes a whole generation as fast as the store takes it: sixteen in a request, as an instance does.
    private static func write(_ generation: [StoredSnapshot], to bench: StoreBench) async throws {
        for start in stride(from: 0, to: generation.count, by: 16) {
            let batch = Array(generation[start..<min(start + 16, generation.count)])
            _ = try await bench.restore(snapshots: batch)
        }
    }

    /// The generations that the rates of one base are of; more than one would be a mix.
    private static func generations(_ stored: StoredSnapshot) throws -> Set<String> {
        let table = try codec.decode(stored).table
        #expect(table.symbols.count == 170)
        return Set(table.symbols.map { String($0.rate.text.prefix { $0 != "." }) })
    }

    @Test(
        "C149: 200 bases of 170 rates, written in one go, hold nobody up, and each is read whole, old or new")
    func manyBases() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open()
            let now = bench.now
            let generations = try (1...5).map { generation in
                try Self.bases.indices.map { try Self.stored($0, generation: generation, at: now) }
            }
            try await Self.write(generations[0], to: bench)
            let other = try await bench.another()
            let foreign = try ForeignReads(try #require(bench.server))
            let isWritten = Locked(false)
            let reading = Task { () -> [Set<String>] in
                var seen: [Set<String>] = []
                repeat {
                    for place in stride(from: seen.count % 7, to: Self.bases.count, by: 7) {
                        let stored = try await other.snapshot(of: .latest(base: Self.bases[place]))
                        seen.append(try Self.generations(try #require(stored)))
                    }
                } while !isWritten.withLock { $0 }
                return seen
            }
            for generation in generations.dropFirst() { try await Self.write(generation, to: bench) }
            isWritten.withLock { $0 = true }
            let seen = try await reading.value
            let times = await foreign.stop()
            #expect(seen.allSatisfy { $0.count == 1 })
            #expect(Set(seen).count > 1, "nothing was read while it was written")
            #expect(times.count > 20)
            #expect(times.count { $0 > Self.limit } <= Self.strays)
            for place in Self.bases.indices {
                let stored = try await other.snapshot(of: .latest(base: Self.bases[place]))
                #expect(try Self.generations(try #require(stored)) == ["5"])
            }
            await other.close()
            print("large: \(seen.count) reads of bases, longest foreign read \(times.max() ?? .zero)")
        }
    }

    @Test("C149: a value of 5 MB holds nobody up, and is read whole, old or new")
    func fiveMegabytes() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open()
            let other = try await bench.another()
            let server = try #require(bench.server)
            let limit = max(Self.limit * MachineLoad.factor, try await Self.plainWrites(server) * 5)
            let foreign = try ForeignReads(server)
            let isWritten = Locked(false)
            let reading = Task { () -> (reads: Int, faults: Int) in
                var (reads, faults) = (0, 0)
                repeat {
                    guard let stored = try await other.snapshot(of: StoreBench.usd) else { continue }
                    reads += 1
                    let mark = UInt8(stored.dataTime.value / 1_000)
                    if stored.body != Self.body(mark) { faults += 1 }
                } while !isWritten.withLock { $0 }
                return (reads, faults)
            }
            var held: SnapshotOrder?
            for mark in UInt8(1)...6 {
                let grant = try await bench.granted(held: held)
                let snapshot = bench.snapshot(grant, dataTime: Int64(mark) * 1_000, body: Self.body(mark))
                let reply = try await bench.finish(grant, .fetched(snapshot)).reply
                #expect(reply == .stored)
                held = snapshot.order
                // Past the interval at which this plan is spread.
                try bench.advance(.seconds(300))
            }
            isWritten.withLock { $0 = true }
            let (reads, faults) = try await reading.value
            let times = await foreign.stop()
            #expect(reads > 0 && faults == 0)
            #expect(times.count > 20)
            #expect(times.count { $0 > limit } <= Self.strays)
            let isLast = try await other.snapshot(of: StoreBench.usd)?.body == Self.body(6)
            #expect(isLast)
            await other.close()
            print(
                "large: \(reads) reads of 5 MB, longest foreign reads \(times.sorted().suffix(3)), limit \(limit)"
            )
        }
    }

    /// How long a plain write of such a value holds others up on this machine, as busy as it is.
    ///
    /// Ours are two copies, in the snapshot and the archive, through a script, and a reader's script may come right behind:
    /// five times as long is no block of its own.
    private static func plainWrites(_ server: RedisServer) async throws -> Duration {
        let foreign = try ForeignReads(server)
        let value = String(repeating: "x", count: 5_000_000)
        let session = try server.session()
        for _ in 0..<3 { try session.send(["SET", "plain", value]) }
        return await foreign.stop().max() ?? .zero
    }

    private static func body(_ mark: UInt8) -> [UInt8] { [UInt8](repeating: mark, count: 5_000_000) }
}
