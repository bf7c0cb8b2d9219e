import Testing

@testable import CacheLayer

@Suite("An upstream answer that is let in") struct IngestTests {
    @Test("becomes a table with all its labels, digit for digit")
    func mixedTable() throws {
        let body = """
            {
              "result": "success", "base": "USD", "source": "live",
              "sources": { "EUR": "live", "ISK": "ecb_daily", "TWD": "fred_daily" },
              "effective_at": { "EUR": "2026-09-12T10:14:20.204117Z", "ISK": "2026-09-11T14:00:00Z" },
              "market_session": "weekend", "timestamp": "2026-09-12T10:15:07Z",
              "data_updated_at": "2026-09-12T10:14:20Z",
              "rates": { "ISK": 122.380, "EUR": 0.85214, "TWD": 30.214 },
              "notice": "Indicative rates. Source: incl. \\"ECB\\" statistics."
            }
            """
        let ingested = try ingest(body, at: utc(2026, 9, 12, 10, 15, 8))
        let table = ingested.table
        #expect(table.base == .sample("USD"))
        #expect(table.source == .live)
        #expect(table.marketSession == "weekend")
        #expect(table.timestamp == "2026-09-12T10:15:07Z")
        #expect(
            table.dataTime == Timestamp(text: "2026-09-12T10:14:20Z", instant: utc(2026, 9, 12, 10, 14, 20)))
        #expect(table.notice == "Indicative rates. Source: incl. \"ECB\" statistics.")
        #expect(table.hasSources && table.hasEffectiveAt)
        #expect(table.symbols.map(\.currency.code) == ["EUR", "ISK", "TWD"])
        #expect(table.symbols.map(\.rate.text) == ["0.85214", "122.380", "30.214"])
        #expect(table.symbols.map(\.source) == [.live, .ecbDaily, .fredDaily])
        #expect(table.symbols[0].effectiveAt?.text == "2026-09-12T10:14:20.204117Z")
        #expect(table.symbols[1].effectiveAt?.instant == utc(2026, 9, 11, 14))
        #expect(table.symbols[2].effectiveAt == nil)
        #expect(table.symbols.allSatisfy { $0.kept == nil })
        #expect(table.extras.isEmpty)
        #expect(ingested.notes == IngestNotes())
        #expect(ingested.digest == ContentDigest(of: Array(body.utf8)))
    }

    @Test("needs no classes, times, session or notice")
    func minimal() throws {
        var body = SampleBody()
        (body.session, body.notice, body.timestamp) = (nil, nil, "null")
        let table = try body.ingested().table
        #expect(!table.hasSources && !table.hasEffectiveAt)
        #expect(table.symbols.map(\.source) == [.live, .live])
        #expect(table.symbols.map(\.effectiveAt) == [nil, nil])
        #expect(table.marketSession == nil && table.notice == nil && table.timestamp == nil)
    }

    @Test("names its snapshot by arrival and content")
    func snapshot() throws {
        let ingested = try SampleBody().ingested()
        let fetchedAt = utc(2026, 9, 15, 14, 32, 12)
        let snapshot = ingested.snapshot(
            of: .latest(base: .sample("USD")), token: FencingToken(9), fetchedAt: fetchedAt,
            interval: .seconds(60))
        #expect(snapshot.id == SnapshotID(fetchedAt: fetchedAt, digest: ingested.digest.bytes))
        #expect(snapshot.table == ingested.table)
        #expect(snapshot.order.token == FencingToken(9))
    }

    @Test("keeps fields that this version doesn't know, as they came (U7)")
    func extras() throws {
        var body = SampleBody()
        body.rest = ",\"is_forward_filled\":false,\"meta\":{\"n\":[1.10,-0,1e-5,null],\"t\":\"a\\/\\u00e9\"}"
        let table = try body.ingested().table
        #expect(
            table.extras == [
                .init(name: "is_forward_filled", json: "false"),
                .init(name: "meta", json: "{\"n\":[1.10,-0,1e-5,null],\"t\":\"a/é\"}"),
            ])
    }

    @Test("drops unknown fields that are too big together, and counts them")
    func extrasAreBounded() throws {
        var body = SampleBody()
        let big = String(repeating: "x", count: 40_000)
        body.rest = ",\"a\":\"\(big)\",\"b\":\"\(big)\",\"c\":1"
        let ingested = try body.ingested()
        #expect(ingested.table.extras.map(\.name) == ["a", "c"])
        #expect(ingested.notes.counts == [.extraDropped: 1])
    }

    @Test("serves codes of three to eight letters and digits, known or not; others are counted (C027, C034)")
    func codes() throws {
        var body = SampleBody()
        body.rates = """
            {"XAU":0.000241,"XCG":1.79,"ANG":1.79,"eur":0.85,"B2USDT":1,"EURO5678":2,"EU":1,"EURO56789":1,"E R":1,"":1,"€UR":1,
            "EUR\\u002e":1}
            """
        let ingested = try body.ingested()
        #expect(
            ingested.table.symbols.map(\.currency.code) == ["ANG", "B2USDT", "EUR", "EURO5678", "XAU", "XCG"])
        #expect(ingested.notes.counts == [.invalidCode: 6])
    }

    @Test(
        "takes the number by the decimal digits it is written with",
        arguments: [
            ("1e-5", "0.00001"), ("6.0923e-05", "0.000060923"), ("1.10", "1.10"), ("9E2", "900"),
            ("0.30000000000000004", "0.30000000000000004"), ("0.0000091234567", "0.0000091234567"),
        ])
    func numbers(written: String, expected: String) throws {
        var body = SampleBody()
        body.rates = "{\"EUR\":\(written),\"GBP\":1}"
        #expect(try body.ingested().table.symbols.map(\.rate.text) == [expected, "1"])
    }

    @Test(
        "lets one symbol be missing if its value is no positive number (C054, U7, U11)",
        arguments: [
            ("null", .notANumber), ("\"1.2\"", .notANumber), ("\"NaN\"", .notANumber), ("true", .notANumber),
            ("{}", .notANumber), ("[1.2]", .notANumber), ("0", .zero), ("-0", .zero), ("0.000", .zero),
            ("0e5", .zero), ("-1.2", .negative), ("1e999", .outOfRange), ("1e-999", .outOfRange),
            ("1234567890123456789012345678901234567890", .tooManyDigits),
            ("1.234567890123456789012345678901234567890", .tooManyDigits),
        ] as [(String, IngestNotes.MissingReason)])
    func missing(value: String, reason: IngestNotes.MissingReason) throws {
        var body = SampleBody()
        body.rates = "{\"PKR\":\(value),\"EUR\":0.85137}"
        let ingested = try body.ingested()
        #expect(ingested.table.symbols.map(\.currency.code) == ["EUR"])
        #expect(ingested.notes.missing == [.init(currency: .sample("PKR"), reason: reason, isKept: false)])
    }

    @Test(
        "holds its own base only at exactly 1",
        arguments: [
            ("1", ["EUR", "USD"]), ("1.000", ["EUR", "USD"]), ("null", ["EUR"]),
        ])
    func ownBase(value: String, symbols: [String]) throws {
        var body = SampleBody()
        body.rates = "{\"USD\":\(value),\"EUR\":0.85137}"
        let ingested = try body.ingested()
        #expect(ingested.table.symbols.map(\.currency.code) == symbols)
        #expect(ingested.notes.counts.isEmpty && ingested.notes.missing.isEmpty)
    }

    @Test(
        "rejects a table that rates its own base at anything but 1: its rates are another base's",
        arguments: ["0.99999", "1.0000000001", "0", "-1", "1e400", "\"1\"", "true"])
    func falseBase(value: String) {
        var body = SampleBody()
        body.rates = "{\"EUR\":0.85137,\"usd\":\(value)}"
        #expect(throws: IngestError.wrongBase) { try body.ingested() }
    }

    @Test("takes a class it doesn't know under its own name and says so")
    func unknownClass() throws {
        var body = SampleBody()
        body.sources = "{\"EUR\":\"test-feed\",\"GBP\":\"bad name\\n\"}"
        let ingested = try body.ingested()
        #expect(ingested.table.symbols.map(\.source) == [.unknown("test-feed"), .live])
        #expect(ingested.notes.unknownSources == ["test-feed"])
        #expect(ingested.notes.counts == [.field: 1])
        body.source = nil
        #expect(try body.ingested().table.source == .unknown("unknown"))
    }

    @Test(
        "falls back to the table's data time where a symbol's own is unreadable or ahead (C067, C075, U12)",
        arguments: [
            "\"2026-09-15T14:00:00 +09:00\"", "\"2026-09-15T14:00:00Zjunk\"", "\"2026-09-15T14:00:00Z \"",
            "\"2026-02-30T00:00:00Z\"", "\"2031-01-01T00:00:00Z\"", "\"0001-01-01T00:00:00Z\"", "{}", "true",
            "0",
        ])
    func symbolTimes(time: String) throws {
        var body = SampleBody()
        body.effectiveAt = "{\"EUR\":\(time),\"GBP\":\"2026-09-15T14:31:44Z\"}"
        let ingested = try body.ingested()
        #expect(ingested.table.symbols[0].effectiveAt == nil)
        #expect(ingested.table.symbols[1].effectiveAt?.instant == utc(2026, 9, 15, 14, 31, 44))
        #expect(ingested.notes.counts == [.symbolTime: 1])
    }

    @Test("treats a known field of a wrong type as absent and counts it (U7)")
    func wrongTypes() throws {
        var body = SampleBody()
        (body.sources, body.effectiveAt, body.session, body.timestamp) = (
            "[]", "\"now\"", "7", "\"yesterday\""
        )
        body.notice = "\"\(String(repeating: "n", count: 9_000))\""
        let ingested = try body.ingested()
        let table = ingested.table
        #expect(!table.hasSources && !table.hasEffectiveAt)
        #expect(table.marketSession == nil && table.timestamp == nil && table.notice == nil)
        #expect(ingested.notes.counts == [.field: 5])
    }

    @Test(
        "may come under another content type: noted, the body decides (U7)",
        arguments: [
            ("application/json", false), ("application/json; charset=utf-8", false),
            ("Application/JSON", false),
            ("application/problem+json", false), ("text/html", true), ("", true), (nil, true),
        ] as [(String?, Bool)])
    func contentType(type: String?, isNoted: Bool) throws {
        let body = String(decoding: SampleBody().bytes, as: UTF8.self)
        #expect(try ingest(body, contentType: type).notes.counts == (isNoted ? [.contentType: 1] : [:]))
    }

    @Test("is cut at the limit of symbols")
    func tooManySymbols() throws {
        var body = SampleBody()
        body.rates = "{\((100..<200).map { "\"C\($0)\":1.5" }.joined(separator: ","))}"
        let ingested = try body.ingested(limits: IngestLimits(symbols: 60))
        #expect(ingested.table.symbols.count == 60)
        #expect(ingested.notes.counts == [.tooManySymbols: 40])
    }

    @Test("shows Friday's time on a Saturday, with the session as it came (C061, C070)")
    func weekend() throws {
        var body = SampleBody()
        (body.dataTime, body.session) = ("\"2026-03-06T21:59:58Z\"", "\"closed\"")
        let table = try body.ingested(at: utc(2026, 3, 7, 0, 0, 30)).table
        #expect(table.dataTime.instant == utc(2026, 3, 6, 21, 59, 58))
        #expect(table.marketSession == "closed")
    }
}
