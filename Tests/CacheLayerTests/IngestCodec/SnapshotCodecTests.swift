import Testing

@testable import CacheLayer

@Suite("The snapshot codec") struct SnapshotCodecTests {
    let codec = SnapshotCodec(policy: TierPolicy())

    /// A stored snapshot with another body.
    private func stored(_ original: StoredSnapshot, body: [UInt8]) -> StoredSnapshot {
        StoredSnapshot(
            resource: original.resource, id: original.id, token: original.token,
            fetchedAt: original.fetchedAt,
            dataTime: original.dataTime, source: original.source, body: body, keepFor: original.keepFor)
    }

    @Test("gives back every snapshot exactly, and the same bytes for the same snapshot")
    func roundTrip() throws {
        var random = NumberCases(seed: 20_260_915)
        for _ in 0..<300 {
            let snapshot = RandomSnapshot.make(using: &random)
            let stored = codec.encode(snapshot)
            let decoded = try codec.decode(stored)
            #expect(decoded.table == snapshot.table)
            #expect(decoded.table.symbols.map(\.rate.text) == snapshot.table.symbols.map(\.rate.text))
            #expect(decoded.id == snapshot.id && decoded.resource == snapshot.resource)
            #expect(decoded.token == snapshot.token && decoded.fetchedAt == snapshot.fetchedAt)
            #expect(decoded.interval == snapshot.interval)
            #expect(codec.encode(decoded) == stored)
        }
    }

    @Test("shows what the order needs in the open and how long to keep it (R20)")
    func openFields() {
        var random = NumberCases(seed: 7)
        for _ in 0..<50 {
            let snapshot = RandomSnapshot.make(using: &random)
            let stored = codec.encode(snapshot)
            #expect(stored.order == snapshot.order)
            #expect(stored.fetchedAt == snapshot.fetchedAt && stored.id == snapshot.id)
            #expect(stored.keepFor == codec.policy.keepFor(snapshot))
            #expect(stored.keepFor >= .milliseconds(1))
        }
    }

    @Test("writes a document of its own that says which it is")
    func document() throws {
        let body = try SampleBody().ingested()
        let fetchedAt = utc(2026, 9, 15, 14, 32, 12)
        let snapshot = body.snapshot(
            of: .latest(base: .sample("USD")), token: FencingToken(1_789_482_732_000), fetchedAt: fetchedAt,
            interval: .seconds(270))
        let text = String(decoding: codec.encode(snapshot).body, as: UTF8.self)
        #expect(
            text == """
                {"schema":1,"id":"\(snapshot.id)","resource":"latest:USD","token":1789482732000,\
                "fetched_at":1789482732000,"interval_ms":270000,"base":"USD","source":"live","market_session":"open",\
                "timestamp":"2026-09-15T14:32:11Z","data_time":["2026-09-15T14:31:46Z",1789482706000],\
                "has_sources":false,"has_effective_at":false,"notice":"Indicative rates, not for settlement.",\
                "extras":[],"symbols":[["EUR","0.85137","live",null,null],["GBP","0.73862","live",null,null]]}
                """)
    }

    @Test("takes garbage for what it is: a miss with a word (R19)")
    func garbage() {
        var random = NumberCases(seed: 3)
        let good = codec.encode(RandomSnapshot.make(using: &random))
        let cases: [([UInt8], SnapshotCodecError)] = [
            ([], .notJSON), (Array("garbage".utf8), .notJSON), ([0xFF, 0, 0x80], .notJSON),
            (Array("null".utf8), .malformed), (Array("[]".utf8), .malformed), (Array("{}".utf8), .malformed),
            (Array("{\"schema\":2}".utf8), .otherSchema), (Array("{\"schema\":\"1\"}".utf8), .malformed),
            (Array("{\"schema\":1}".utf8), .malformed),
            ([UInt8](repeating: UInt8(ascii: "["), count: 100_000), .notJSON),
            ([UInt8](repeating: UInt8(ascii: "x"), count: 5_000_000), .tooLarge),
            (good.body + good.body, .notJSON),
        ]
        for (body, error) in cases {
            #expect(throws: error) { try codec.decode(stored(good, body: body)) }
        }
    }

    @Test("refuses a body cut anywhere, and never traps on one with a changed byte (R19)")
    func mutations() {
        var random = NumberCases(seed: 11)
        let good = codec.encode(RandomSnapshot.make(using: &random))
        for count in stride(from: 0, to: good.body.count, by: 3) {
            #expect(throws: SnapshotCodecError.notJSON) {
                try codec.decode(stored(good, body: Array(good.body[..<count])))
            }
        }
        for _ in 0..<2_000 {
            var body = good.body
            body[Int.random(in: body.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            guard let decoded = try? codec.decode(stored(good, body: body)) else { continue }
            #expect(decoded.order == good.order)
            #expect(codec.policy.keepFor(decoded) >= .milliseconds(1))
        }
    }

    @Test(
        "refuses a field that is missing, of another type or out of range (R19)",
        arguments: [
            ("\"interval_ms\":60000", "\"interval_ms\":-1"),
            ("\"interval_ms\":60000", "\"interval_ms\":9223372036854775807"),
            ("\"interval_ms\":60000", "\"interval_ms\":6e4"), ("\"interval_ms\":60000", "\"interval\":60000"),
            ("\"source\":\"live\"", "\"source\":\"li\\r\\nve\""),
            ("\"market_session\":\"open\"", "\"market_session\":\"\""),
            ("\"market_session\":\"open\"", "\"market_session\":[]"), ("\"base\":\"USD\"", "\"base\":\"US\""),
            ("\"has_sources\":false", "\"has_sources\":0"), ("\"extras\":[]", "\"extras\":[[\"a\",\"{\"]]"),
            ("\"extras\":[]", "\"extras\":[[\"a\"]]"),
            ("\"extras\":[]", "\"extras\":[[\"rates\",\"1\"]]"),
            ("\"extras\":[]", "\"extras\":[[\"a\",\"1\"],[\"a\",\"2\"]]"),
            ("1789482706000]", "99999999999999999]"),
            ("[\"EUR\",\"0.85137\"", "[\"EUR\",0.85137"), ("[\"EUR\",\"0.85137\"", "[\"EUR\",\"-0.85137\""),
            ("[\"EUR\",\"0.85137\"", "[\"EUR\",\"NaN\""), ("[\"EUR\",\"0.85137\"", "[\"E\",\"0.85137\""),
            ("[\"EUR\"", "[\"GBP\""), ("[\"EUR\"", "[\"ZZZ\""),
            ("\"live\",null,null],[", "\"live\",null,\"lost\"],["),
            ("\"live\",null,null],[", "\"live\",null],["), ("\"live\",null,null],[", "\"\",null,null],["),
            ("\"live\",null,null],[", "\"live\",[\"t\"],null],["),
        ])
    func malformed(part: String, replacement: String) throws {
        let snapshot = try SampleBody().ingested().snapshot(
            of: .latest(base: .sample("USD")), token: FencingToken(5),
            fetchedAt: utc(2026, 9, 15, 14, 32, 12),
            interval: .seconds(60))
        let good = codec.encode(snapshot)
        let text = String(decoding: good.body, as: UTF8.self)
        let pieces = text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(pieces.count == 2)
        let body = Array((pieces[0] + replacement + pieces[1]).utf8)
        #expect(throws: SnapshotCodecError.malformed) { try codec.decode(stored(good, body: body)) }
    }

    @Test("refuses bytes that belong to another snapshot than the fields beside them (R19)")
    func disagrees() throws {
        let ingested = try SampleBody().ingested()
        func encoded(_ code: String, _ token: Int64, _ second: Int) -> StoredSnapshot {
            codec.encode(
                ingested.snapshot(
                    of: .latest(base: .sample(code)), token: FencingToken(token),
                    fetchedAt: utc(2026, 9, 15, 14, 32, second), interval: .seconds(60)))
        }
        let good = encoded("USD", 5, 12)
        #expect(throws: Never.self) { try codec.decode(good) }
        for other in [encoded("EUR", 5, 12), encoded("USD", 6, 12), encoded("USD", 5, 13)] {
            #expect(throws: SnapshotCodecError.disagrees) { try codec.decode(stored(good, body: other.body)) }
        }
        #expect(throws: SnapshotCodecError.disagrees) { try codec.decode(encoded("EUR", 5, 12)) }
    }
}
