import Testing

@testable import CacheLayer

@Suite("Years in the store")
struct YearCodecTests {
    private let codec = SnapshotCodec(policy: TierPolicy())
    private let snapshot = YearSample.snapshot(
        YearSample.table(
            2015,
            [
                YearSample.entry("2014-12-31", ["EUR": "0.82366", "CHF": "0.9900"]),
                YearSample.entry("2015-01-01", ["EUR": "0.82366"], filled: true),
                YearSample.entry("2015-01-02", ["CHF": "0.0000091234567"], source: .unknown("new_class")),
            ], isComplete: false), fetchedAt: utc(2015, 1, 3))

    @Test("a year comes back as it went in, byte for byte at the second time")
    func roundTrip() throws {
        let stored = codec.encode(snapshot)
        let back = try codec.decode(stored)
        #expect(back.year == snapshot.year)
        #expect(back.table == snapshot.table && back.order == snapshot.order && back.id == snapshot.id)
        #expect(codec.encode(back) == stored)
        let body = String(decoding: stored.body, as: UTF8.self)
        #expect(body.contains(#""columns":"CHF,EUR""#))
        #expect(
            body.contains(
                #""rows":"2014-12-31,ecb_daily,0,0.9900,0.82366;2015-01-01,ecb_daily,1,,0.82366;2015-01-02,new_class,0,0.0000091234567,""#
            ))
    }

    @Test("a whole year comes back too", arguments: [1999, 2015, 2024])
    func wholeYear(number: Int) throws {
        let whole = YearSample.snapshot(YearSample.full(number), fetchedAt: utc(2026, 1, 3))
        #expect(try codec.decode(codec.encode(whole)).year == whole.year)
    }

    @Test(
        "what was not written so is a miss, never a year with a hole",
        arguments: [
            ("2015-01-01,", "2014-01-01,"), (",1,,", ",2,,"), ("0.9900", "abc"), ("0.9900,", ""),
            ("CHF,EUR", "EUR,CHF"), ("CHF,EUR", "CHF,USD"), ("CHF,EUR", ""), ("\"complete\"", "\"done\""),
            ("2015-01-02", "2015-13-02"), ("new_class", "an other"),
        ])
    func damaged(part: String, other: String) {
        let stored = codec.encode(snapshot)
        let text = String(decoding: stored.body, as: UTF8.self)
        guard let range = text.firstRange(of: part) else {
            Issue.record("no \(part)")
            return
        }
        let body = Array(text.replacingCharacters(in: range, with: other).utf8)
        let damaged = StoredSnapshot(
            resource: stored.resource, id: stored.id, token: stored.token, fetchedAt: stored.fetchedAt,
            dataTime: stored.dataTime, source: stored.source, body: body, keepFor: stored.keepFor)
        #expect(throws: SnapshotCodecError.self) { try codec.decode(damaged) }
    }

    @Test("a column without a rate is a miss: a year of such ones, written again, could not be read")
    func emptyColumn() throws {
        let stored = codec.encode(snapshot)
        let text = String(decoding: stored.body, as: UTF8.self)
        let rows = try #require(text.firstRange(of: "\"rows\":\"")).upperBound
        let end = try #require(text[rows...].firstIndex(of: "\""))
        let wider = text[..<end].replacing(";", with: ",;") + "," + text[end...]
        let body = Array(wider.replacing("CHF,EUR", with: "CHF,EUR,GBP").utf8)
        let other = StoredSnapshot(
            resource: stored.resource, id: stored.id, token: stored.token, fetchedAt: stored.fetchedAt,
            dataTime: stored.dataTime, source: stored.source, body: body, keepFor: stored.keepFor)
        #expect(throws: SnapshotCodecError.malformed) { try codec.decode(other) }
    }

    @Test("a year under another year's or base's name is a miss")
    func foreign() {
        let stored = codec.encode(snapshot)
        for resource in [Resource.year(base: .sample("EUR"), year: 2015), .latest(base: YearSample.usd)] {
            let foreign = StoredSnapshot(
                resource: resource, id: stored.id, token: stored.token, fetchedAt: stored.fetchedAt,
                dataTime: stored.dataTime, source: stored.source, body: stored.body, keepFor: stored.keepFor)
            #expect(throws: SnapshotCodecError.self) { try codec.decode(foreign) }
        }
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
