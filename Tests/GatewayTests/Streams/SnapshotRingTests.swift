import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("What a stream that comes back has missed")
struct SnapshotRingTests {
    private static let clock = GatewayClock(ManualTime(wall: SampleTable.fetchedAt).source)

    /// Seven minutes after the sample.
    private static let now = SampleTable.fetchedAt + .seconds(420)

    /// What was fetched so many minutes after the sample.
    private static func holding(_ minute: Int64, digest: UInt8 = 1) throws -> Holding {
        let snapshot = SampleTable.snapshot(
            SampleTable.usd, fetchedAt: SampleTable.fetchedAt + .seconds(60 * minute),
            digest: [digest, 2, 3, 4])
        let adopted = Adopted(snapshot, storeNow: snapshot.fetchedAt, arrived: clock.now())
        return try #require(
            Holding(
                ResourceView(adopted: adopted, condition: .idle), clock: clock, policy: TierPolicy()))
    }

    private static func id(_ minute: Int64, digest: UInt8 = 1) throws -> SnapshotID {
        try holding(minute, digest: digest).snapshot.id
    }

    private static func ring(_ minutes: some Sequence<Int64>) throws -> SnapshotRing {
        var ring = SnapshotRing()
        for minute in minutes { ring.append(try holding(minute)) }
        return ring
    }

    /// The minutes that are told, `ahead` or `gap`.
    private static func told(_ resumption: SnapshotRing.Resumption) -> String {
        switch resumption {
        case .known(let holdings):
            let minutes = holdings.map { ($0.snapshot.fetchedAt - SampleTable.fetchedAt) / .seconds(60) }
            return minutes.map { String(Int($0)) }.joined(separator: " ")
        case .ahead: return "ahead"
        case .gap: return "gap"
        }
    }

    @Test(
        "is all that came after it, nothing after the newest, and a gap before the oldest",
        arguments: [
            (Int64(1), "gap"), (2, "3 4 6"), (3, "4 6"), (4, "6"), (5, "6"), (6, ""), (7, "ahead"),
            (8, "ahead"),
            // A peer's clock may be a minute ahead, not more.
            (9, "gap"),
        ])
    func place(minute: Int64, expected: String) throws {
        let ring = try Self.ring([2, 3, 4, 6])
        #expect(Self.told(ring.after(try Self.id(minute), at: Self.now)) == expected)
    }

    @Test("is told of both of two with one time where only a peer knows which came first")
    func sameTime() throws {
        var ring = try Self.ring([2, 3])
        ring.append(try Self.holding(3, digest: 9))
        #expect(Self.told(ring.after(try Self.id(3, digest: 5), at: Self.now)) == "3 3")
        #expect(Self.told(ring.after(try Self.id(3), at: Self.now)) == "3")
        #expect(Self.told(ring.after(try Self.id(3, digest: 9), at: Self.now)) == "")
        #expect(Self.told(ring.after(try Self.id(2, digest: 5), at: Self.now)) == "2 3 3")
    }

    @Test("is kept of the newest 32 publications and no more")
    func bound() throws {
        var ring = try Self.ring(0..<32)
        #expect(ring.holdings.count == 32)
        #expect(Self.told(ring.after(try Self.id(0), at: Self.now)).split(separator: " ").count == 31)
        ring.append(try Self.holding(32))
        #expect(ring.holdings.count == 32)
        #expect(Self.told(ring.after(try Self.id(0), at: Self.now)) == "gap")
        #expect(Self.told(ring.after(try Self.id(1), at: Self.now)).split(separator: " ").count == 31)
    }

    @Test("says how refreshing stands now, not how it stood then")
    func standing() throws {
        var ring = try Self.ring([1, 2])
        ring.stand(under: .cooldown(until: Self.now))
        #expect(ring.holdings.allSatisfy { $0.view.condition == .cooldown(until: Self.now) })
        #expect(ring.holdings.map(\.snapshot.id) == [try Self.id(1), try Self.id(2)])
    }

    @Test("is unknown of nothing at all")
    func empty() throws {
        #expect(Self.told(SnapshotRing().after(try Self.id(1), at: Self.now)) == "gap")
        var ring = try Self.ring([1, 2])
        ring.removeAll()
        #expect(Self.told(ring.after(try Self.id(1), at: Self.now)) == "gap")
    }
}
