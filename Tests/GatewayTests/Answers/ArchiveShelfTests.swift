import CacheLayer
import Testing

@testable import FXGateway

@Suite("Past snapshots in memory")
struct ArchiveShelfTests {
    private static let now = ContinuousClock.now

    private static func snapshot(_ number: UInt8) -> RateSnapshot {
        SampleTable.snapshot(SampleTable.usd, digest: [number, 0, 0, 0])
    }

    @Test("take no more bytes than they may; the one that was used longest ago goes first")
    func room() {
        var shelf = ArchiveShelf(byteLimit: 100)
        let all = (0..<4).map { Self.snapshot($0) }
        let end = Self.now.advanced(by: .seconds(1))
        for snapshot in all.prefix(2) { shelf.insert(snapshot, size: 40, until: end) }
        #expect(shelf.find(all[0].id, at: Self.now) === all[0])
        shelf.insert(all[2], size: 60, until: end)
        #expect(shelf.bytes == 100)
        #expect(shelf.find(all[1].id, at: Self.now) == nil)
        #expect(shelf.find(all[0].id, at: Self.now) != nil)
        shelf.insert(all[3], size: 101, until: end)
        #expect(shelf.bytes == 100 && shelf.find(all[3].id, at: Self.now) == nil)
        shelf.insert(all[0], size: 20, until: end)
        #expect(shelf.bytes == 80)
    }

    @Test("end with their time in the store")
    func time() {
        var shelf = ArchiveShelf(byteLimit: 100)
        let snapshot = Self.snapshot(1)
        let end = Self.now.advanced(by: .seconds(1))
        shelf.insert(snapshot, size: 40, until: end)
        #expect(shelf.find(snapshot.id, at: end.advanced(by: .nanoseconds(-1))) != nil)
        #expect(shelf.find(snapshot.id, at: end) == nil)
        #expect(shelf.bytes == 0)
    }
}
