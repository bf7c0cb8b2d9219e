import Telemetry
import Testing

@testable import CacheLayer

/// What can be asked for again: by id, by instant, within bytes and time.
extension StoreContractTests {
    /// A further snapshot of a resource, fetched and accepted now.
    private func accept(
        _ bench: StoreBench, _ resource: Resource = usd, bytes: Int = 10, source: Source = .live
    ) async throws -> StoredSnapshot {
        try bench.advance(.milliseconds(10))
        let held = try await bench.store.snapshot(of: resource)?.order
        let grant = try await bench.granted(resource, held: held, plan: Self.wide, isForced: true)
        let snapshot = bench.snapshot(
            grant, source: source, body: Array(repeating: UInt8(truncatingIfNeeded: bytes), count: bytes))
        let answer = try await bench.finish(grant, .fetched(snapshot), plan: Self.wide)
        #expect(answer.reply == .stored)
        return snapshot
    }

    /// What is the newest of a resource at an instant.
    private func newest(
        _ bench: StoreBench, _ resource: Resource = usd, at instant: UnixMilliseconds
    ) async throws -> SnapshotID? {
        try await bench.store.archived(of: resource, at: instant)?.id
    }

    private func isKept(_ bench: StoreBench, _ snapshots: StoredSnapshot...) async throws -> [Bool] {
        var kept: [Bool] = []
        for snapshot in snapshots { kept.append(try await bench.store.archived(snapshot.id) != nil) }
        return kept
    }

    @Test(
        "gives an instant the snapshot that was the newest then, each up to the next one's fetch, the bound in it",
        arguments: StoreKind.allCases)
    func asOf(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            var all: [StoredSnapshot] = []
            for _ in 0..<3 {
                all.append(try await accept(bench))
                try bench.advance(.seconds(600))
            }
            let euro = try await accept(bench, Self.eur)
            #expect(try await newest(bench, at: all[0].fetchedAt + .milliseconds(-1)) == nil)
            for (snapshot, next) in zip(all, all.dropFirst()) {
                #expect(try await newest(bench, at: snapshot.fetchedAt) == snapshot.id)
                #expect(try await newest(bench, at: next.fetchedAt + .milliseconds(-1)) == snapshot.id)
            }
            #expect(try await newest(bench, at: bench.now) == all[2].id)
            #expect(try await newest(bench, Self.eur, at: bench.now) == euro.id)
            #expect(try await newest(bench, Self.eur, at: euro.fetchedAt + .milliseconds(-1)) == nil)
            let found = try await bench.store.archived(of: Self.usd, at: all[1].fetchedAt)
            #expect(found?.kept(for: .zero) == all[1].kept(for: .zero))
        }
    }

    @Test(
        "gives a live snapshot up after 7 days and a daily one after 400, to the millisecond",
        arguments: StoreKind.allCases)
    func retention(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let live = try await accept(bench)
            let daily = try await accept(bench, Self.eur, source: .ecbDaily)
            for (snapshot, days) in [(live, 7), (daily, 400)] as [(StoredSnapshot, Int64)] {
                let end = snapshot.fetchedAt + .seconds(days * 86_400)
                try bench.set(end + .milliseconds(-1))
                #expect(try await bench.store.archived(snapshot.id)?.keepFor == .milliseconds(1))
                #expect(
                    try await newest(bench, snapshot.resource, at: snapshot.fetchedAt) == snapshot.id)
                try bench.set(end)
                #expect(try await isKept(bench, snapshot) == [false])
                #expect(try await newest(bench, snapshot.resource, at: snapshot.fetchedAt) == nil)
            }
        }
    }

    @Test(
        "keeps no more bytes than it may: the oldest go first, and what is too large alone is not kept",
        arguments: StoreKind.allCases)
    func room(kind: StoreKind) async throws {
        try await StoreBench.with(kind, archiveBytes: 100) { bench in
            try await bench.open(plan: Self.wide)
            var all: [StoredSnapshot] = []
            for _ in 0..<4 {
                all.append(try await accept(bench, bytes: 40))
                try bench.advance(.seconds(600))
            }
            #expect(try await isKept(bench, all[0], all[1], all[2], all[3]) == [false, false, true, true])
            #expect(bench.store.archive.bytes == 80 && bench.store.archive.dropped.value == 2)
            #expect(try await newest(bench, at: all[2].fetchedAt + .milliseconds(-1)) == nil)
            // To the byte: 100 are room for three of 40, 40 and 20, not for 21.
            let exact = try await accept(bench, Self.eur, bytes: 20)
            #expect(try await isKept(bench, all[2], all[3], exact) == [true, true, true])
            let large = try await accept(bench, Self.eur, bytes: 101)
            #expect(try await isKept(bench, all[2], all[3], exact, large) == [true, true, true, false])
            #expect(bench.store.archive.refused.value == 1)
            let one = try await accept(bench, Self.eur, bytes: 1)
            #expect(try await isKept(bench, all[2], all[3], exact, one) == [false, true, true, true])
            // What was refused was the newest for a while: no older one is given for that time.
            #expect(try await newest(bench, Self.eur, at: exact.fetchedAt) != nil)
            #expect(try await newest(bench, Self.eur, at: one.fetchedAt) == one.id)
            #expect(try bench.archiveText().hasPrefix("61\n"))
        }
    }

    @Test(
        "never gives an older snapshot for a time at which a newer one was served that is kept no more",
        arguments: StoreKind.allCases)
    func gaps(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            // Live ones between two fixes: they go a year before the fixes do.
            let first = try await accept(bench, source: .ecbDaily)
            var live: [StoredSnapshot] = []
            for _ in 0..<3 {
                try bench.advance(.seconds(3_600))
                live.append(try await accept(bench))
            }
            try bench.advance(.seconds(3_600))
            let second = try await accept(bench, source: .ecbDaily)
            try bench.advance(.seconds(8 * 86_400))
            let last = try await accept(bench, source: .ecbDaily)
            #expect(try await newest(bench, at: first.fetchedAt) == first.id)
            #expect(try await newest(bench, at: live[0].fetchedAt + .milliseconds(-1)) == first.id)
            for gone in live { #expect(try await newest(bench, at: gone.fetchedAt) == nil) }
            #expect(try await newest(bench, at: second.fetchedAt + .milliseconds(-1)) == nil)
            #expect(try await newest(bench, at: second.fetchedAt) == second.id)
            #expect(try await newest(bench, at: bench.now) == last.id)
            // A gap for each of the three, and one for the fix before them when it goes.
            #expect(try bench.archiveText().split(separator: "\n").count { $0.hasPrefix("-") } == 3)
            try bench.set(first.fetchedAt + .seconds(400 * 86_400))
            _ = try await accept(bench, Self.eur)
            #expect(try bench.archiveText().split(separator: "\n").count { $0.hasPrefix("-") } == 4)
            #expect(try await newest(bench, at: second.fetchedAt) == second.id)
        }
    }

    @Test("keeps tables of latest rates, not years or lists", arguments: StoreKind.allCases)
    func onlyTables(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let year = try await accept(bench, Self.year(2_001), source: .ecbDaily)
            let list = try await accept(bench, .currencies)
            #expect(try await isKept(bench, year, list) == [false, false])
            #expect(try bench.archiveText() == "0")
        }
    }

    @Test("gets a snapshot back from a witness under its own time", arguments: StoreKind.allCases)
    func toldAgain(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let snapshot = try await accept(bench)
            try bench.flush()
            #expect(try await isKept(bench, snapshot) == [false])
            try bench.advance(.seconds(60))
            for _ in 0..<2 {
                _ = try await bench.restore(snapshots: [snapshot], plan: Self.wide, floor: snapshot.token)
            }
            #expect(try await isKept(bench, snapshot) == [true])
            #expect(try await newest(bench, at: snapshot.fetchedAt) == snapshot.id)
            #expect(try await newest(bench, at: snapshot.fetchedAt + .milliseconds(-1)) == nil)
            #expect(try bench.archiveText().hasPrefix("10\n"))
        }
    }

    @Test(
        "takes a bounded number out at once when there is room for less than before",
        arguments: StoreKind.allCases)
    func lessRoom(kind: StoreKind) async throws {
        try await StoreBench.with(kind, archiveBytes: 400) { bench in
            try await bench.open(plan: Self.wide)
            for _ in 0..<300 {
                _ = try await accept(bench, bytes: 1)
                try bench.advance(.milliseconds(10))
            }
            #expect(bench.store.archive.bytes == 300)
            let large = try await accept(bench, bytes: 400)
            #expect(try await isKept(bench, large) == [false])
            #expect(bench.store.archive.bytes == 300 - ArchiveRoom.mostDrops)
            for _ in 0..<3 {
                try bench.advance(.seconds(1))
                #expect(try await isKept(bench, accept(bench, bytes: 400)) == [false])
            }
            try bench.advance(.seconds(1))
            let next = try await accept(bench, bytes: 400)
            #expect(try await isKept(bench, next) == [true])
            #expect(bench.store.archive.bytes == 400)
        }
    }
}
