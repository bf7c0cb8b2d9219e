import Testing

@testable import CacheLayer

@Suite("The archive in memory")
struct StoreArchiveTests {
    private static func snapshot(_ number: UInt8, bytes: Int, source: Source = .live) -> StoredSnapshot {
        StoredSnapshot(
            resource: StoreBench.usd, id: SnapshotID(fetchedAt: StoreBench.noon, digest: [number, 0, 0, 0]),
            token: FencingToken(Int64(number)), fetchedAt: StoreBench.noon, dataTime: StoreBench.noon,
            source: source, body: Array(repeating: number, count: bytes), keepFor: .seconds(1))
    }

    @Test("counts each body once, whoever brings it how often")
    func once() {
        var archive = SnapshotArchive(limit: 100)
        let snapshot = Self.snapshot(1, bytes: 40)
        for _ in 0..<2 { #expect(archive.put(snapshot, at: StoreBench.noon).bytes == 40) }
        #expect(archive.order.count == 1)
    }

    @Test(
        "keeps each as long as its class says",
        arguments: [
            (Source.live, 7), (.unknown("x"), 7), (.ecbDaily, 400), (.fredDaily, 400),
        ] as [(Source, Int64)])
    func retention(source: Source, days: Int64) {
        var archive = SnapshotArchive(limit: 100)
        let snapshot = Self.snapshot(1, bytes: 1, source: source)
        _ = archive.put(snapshot, at: StoreBench.noon)
        let end = StoreBench.noon + .seconds(days * 86_400)
        #expect(archive.snapshot(snapshot.id, at: end + .milliseconds(-1))?.keepFor == .milliseconds(1))
        #expect(archive.snapshot(snapshot.id, at: end) == nil)
    }

    @Test("gives a snapshot up at the end of its life in the store, to the millisecond (C142)")
    func shelf() {
        var shelf = SnapshotShelf()
        shelf.put(Self.snapshot(1, bytes: 1), at: StoreBench.noon)
        #expect(
            shelf.snapshot(of: StoreBench.usd, at: StoreBench.noon + .milliseconds(999))?.keepFor
                == .milliseconds(1))
        #expect(shelf.snapshot(of: StoreBench.usd, at: StoreBench.noon + .milliseconds(1_000)) == nil)
        shelf.put(Self.snapshot(1, bytes: 1).kept(for: .seconds(-3)), at: StoreBench.noon)
        #expect(shelf.snapshot(of: StoreBench.usd, at: StoreBench.noon) != nil)
    }
}
