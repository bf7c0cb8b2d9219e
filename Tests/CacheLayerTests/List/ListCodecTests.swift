import Foundation
import Testing

@testable import CacheLayer

@Suite("The list of currencies in the store, and its lifetime")
struct ListCodecTests {
    private let codec = SnapshotCodec(policy: TierPolicy())

    @Test(
        "it comes back as it went in, byte for byte at the second time",
        arguments: [ListSample.list, ListSample.map, ListSample.bareMap])
    func roundTrip(body: String) throws {
        let snapshot = try ListSample.snapshot(body)
        let stored = codec.encode(snapshot)
        let back = try codec.decode(stored)
        #expect(back.list == snapshot.list && back.list != nil)
        #expect(back.table == snapshot.table && back.order == snapshot.order && back.id == snapshot.id)
        #expect(back.interval == snapshot.interval)
        #expect(codec.encode(back) == stored)
    }

    @Test(
        "what was not written so is a miss",
        arguments: [
            ("[\"since\"", "[\"notice\""), ("[\"since\"", "[\"currencies\""), ("\"list\"", "\"heap\""),
            ("\"form\"", "\"from\""), ("[\"JPY\"", "[\"EUR\""),
            ("[\"JPY\"", "[\"JP\""), ("\\\"decimals\\\":0", "\\\"decimals\\\": 0"),
            ("\\\"decimals\\\":0", "\\\"decimals\\\":00"), ("\"currencies\":[", "\"currency\":["),
        ])
    func damaged(part: String, other: String) throws {
        let stored = codec.encode(try ListSample.snapshot())
        let text = String(decoding: stored.body, as: UTF8.self)
        let range = try #require(text.firstRange(of: part), "no \(part) in \(text)")
        let damaged = StoredSnapshot(
            resource: stored.resource, id: stored.id, token: stored.token, fetchedAt: stored.fetchedAt,
            dataTime: stored.dataTime, source: stored.source,
            body: Array(text.replacingCharacters(in: range, with: other).utf8), keepFor: stored.keepFor)
        #expect(throws: SnapshotCodecError.malformed) { try codec.decode(damaged) }
    }

    @Test("decimals that aren't ISO 4217's are part of a table and of a year, and come back with them")
    func decimals() throws {
        let units: [Currency: Int] = [.sample("XAU"): 4, .sample("HUF"): 0]
        let table = try Ingest.table(
            from: SampleBody().bytes, status: 200, contentType: nil, expecting: .sample("USD"), held: nil,
            storeNow: ListSample.fetchedAt + .seconds(3_600), minorUnits: units
        ).table
        #expect(table.decimals(of: .sample("XAU")) == 4 && table.decimals(of: .sample("HUF")) == 0)
        #expect(table.decimals(of: .sample("JPY")) == 0 && table.decimals(of: .sample("EUR")) == 2)
        #expect(table.accepting([.sample("EUR")]).minorUnits == units)
        let snapshot = RateSnapshot(
            id: SnapshotID(fetchedAt: ListSample.fetchedAt, digest: [1, 2, 3, 4]),
            resource: .latest(base: .sample("USD")), token: FencingToken(9), fetchedAt: ListSample.fetchedAt,
            interval: .seconds(60), table: table)
        let stored = codec.encode(snapshot)
        #expect(String(decoding: stored.body, as: UTF8.self).contains(#""decimals":[["HUF",0],["XAU",4]]"#))
        #expect(try codec.decode(stored).table == table)
        let plain = YearSample.full(2015)
        let year = YearTable(
            base: plain.base, year: plain.year, entries: plain.entries, isComplete: true, minorUnits: units)
        let back = try codec.decode(codec.encode(YearSample.snapshot(year, fetchedAt: utc(2026, 1, 3))))
        #expect(back.year == year && back.table.minorUnits == units)
        let row = try #require(year.rows.first)
        #expect(year.table(of: row, only: []).decimals(of: .sample("XAU")) == 4)
    }

    @Test("a table of decimals that can't be is a miss")
    func oddDecimals() throws {
        let table = try SampleBody().ingested().table
        let units = RateTable(
            base: table.base, source: table.source, marketSession: nil, timestamp: nil,
            dataTime: table.dataTime, symbols: table.symbols, hasSources: false, hasEffectiveAt: false,
            notice: nil, minorUnits: [.sample("XAU"): 11])
        let snapshot = RateSnapshot(
            id: SnapshotID(fetchedAt: ListSample.fetchedAt, digest: [1, 2, 3, 4]),
            resource: .latest(base: .sample("USD")), token: FencingToken(9), fetchedAt: ListSample.fetchedAt,
            interval: .seconds(60), table: units)
        #expect(throws: SnapshotCodecError.malformed) { try codec.decode(codec.encode(snapshot)) }
    }

    @Test(
        "it is fresh for 26 hours and served for 30 days more, bounds half-open",
        arguments: [
            (Duration.zero, Freshness.fresh), (.milliseconds(26 * 3_600_000 - 1), .fresh),
            (.seconds(26 * 3_600), .stale), (.milliseconds(26 * 3_600_000 + 30 * 86_400_000 - 1), .stale),
            (.seconds(26 * 3_600 + 30 * 86_400), .expired),
        ])
    func lifetime(age: Duration, state: Freshness) throws {
        let snapshot = try ListSample.snapshot()
        let policy = TierPolicy()
        #expect(policy.freshness(of: nil, in: snapshot, age: age) == state)
        let standing = EntryStanding(of: nil, in: snapshot, age: age, policy: policy)
        #expect(standing.state == state && standing.ownReason == nil)
        #expect(policy.keepFor(snapshot) == .seconds(26 * 3_600 + 30 * 86_400))
        #expect(policy.endOfFreshness(snapshot) == .seconds(26 * 3_600))
    }

    @Test("it is due a day after its arrival, whatever the granted interval was")
    func due() throws {
        for interval in [Duration.zero, .seconds(60), .seconds(86_400)] {
            let snapshot = try ListSample.snapshot(interval: interval)
            #expect(TierPolicy().nextRefresh(of: snapshot) == snapshot.fetchedAt + .seconds(86_400))
        }
        let slow = try ListSample.snapshot(interval: .seconds(100_000))
        #expect(TierPolicy().nextRefresh(of: slow) == slow.fetchedAt + .seconds(100_000))
    }
}
