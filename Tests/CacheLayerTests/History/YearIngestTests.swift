import Testing

@testable import CacheLayer

@Suite("Pages of a year")
struct YearIngestTests {
    private func read(
        _ body: [UInt8], held: YearTable? = nil, today: String = "2026-11-30", status: Int = 200,
        minorUnits: [Currency: Int] = [:]
    ) throws(IngestError) -> Ingested {
        guard let span = YearSpan(year: 2015, held: held, today: YearSample.day(today)) else {
            preconditionFailure("2015 is over")
        }
        return try Ingest.year(
            2015, of: YearSample.usd, from: body, status: status, contentType: "application/json",
            span: span, held: held, minorUnits: minorUnits)
    }

    @Test("rows are taken as they stand, the newest one names class and time")
    func rows() throws {
        let ingested = try read(
            YearSample.page([
                ("2014-12-31", #""EUR":0.82366,"USD":1"#, false),
                ("2015-01-01", #""EUR":0.82366,"CHF":9.9036e-1"#, true),
            ]))
        let year = try #require(ingested.year)
        #expect(year.isComplete && year.rows.map(\.isForwardFilled) == [false, true])
        #expect(year.symbols.map(\.code) == ["CHF", "EUR"])
        #expect(ingested.table.dataTime.text == "2014-12-31T15:00:00Z")
        #expect(ingested.table.entry(of: .sample("CHF"))?.rate.text == "0.99036")
    }

    @Test("what is no usable number is left out and noted, and a row without any is none")
    func unusable() throws {
        let ingested = try read(
            YearSample.page([
                ("2015-01-05", #""EUR":"0.8","CHF":0,"GBP":0.65"#, false),
                ("2015-01-06", #""EUR":null"#, false),
            ]))
        #expect(ingested.year?.rows.count == 1)
        #expect(ingested.notes.missing.map(\.currency.code) == ["CHF", "EUR"])
    }

    @Test("a page is put behind those before it, and only the last one completes the year")
    func pages() throws {
        let first = try #require(
            try read(YearSample.page([("2015-01-05", #""EUR":0.83"#, false)], hasMore: true)).year)
        #expect(!first.isComplete)
        let second = try #require(
            try read(YearSample.page([("2015-01-06", #""EUR":0.84"#, false)], hasMore: true), held: first)
                .year)
        #expect(second.rows.map(\.date.day) == [5, 6] && !second.isComplete)
        let end = try #require(try read(YearSample.page([]), held: second).year)
        #expect(end.isComplete && end.rows.count == 2)
    }

    @Test("a year keeps the decimals that it began with: its settled days were sent to be kept for ever")
    func minorUnits() throws {
        let page = YearSample.page([("2015-01-05", #""EUR":0.83"#, false)])
        let units: [Currency: Int] = [.sample("EUR"): 3]
        let first = try #require(try read(page, minorUnits: units).year)
        #expect(first.minorUnits == units)
        for newer in [[:], [.sample("EUR"): 4, .sample("XAU"): 4]] as [[Currency: Int]] {
            #expect(try read(page, held: first, minorUnits: newer).year?.minorUnits == units)
        }
        let part = try #require(
            try read(YearSample.page([("2015-01-05", #""EUR":0.83"#, false)], hasMore: true)).year)
        let rest = try read(YearSample.page([]), held: part, minorUnits: units)
        #expect(rest.year?.minorUnits == [:] && rest.table.minorUnits == [:])
    }

    static let refusals: [(String, [UInt8], IngestError)] = [
        (
            "out of order",
            YearSample.page([
                ("2015-01-06", #""EUR":0.8"#, false), ("2015-01-05", #""EUR":0.8"#, false),
            ]), .badRows
        ),
        (
            "twice",
            YearSample.page([
                ("2015-01-06", #""EUR":0.8"#, false), ("2015-01-06", #""EUR":0.8"#, false),
            ]), .badRows
        ),
        ("before the span", YearSample.page([("2014-12-23", #""EUR":0.8"#, false)]), .badRows),
        ("behind the span", YearSample.page([("2016-01-01", #""EUR":0.8"#, false)]), .badRows),
        ("no day", YearSample.page([("2015-02-30", #""EUR":0.8"#, false)]), .badRows),
        ("more after nothing", YearSample.page([], hasMore: true), .badRows),
        ("no rows", YearSample.page([]), .noRates),
        ("another base", YearSample.page([("2015-01-05", #""EUR":0.8"#, false)], base: "EUR"), .wrongBase),
        (
            "a base that isn't 1", YearSample.page([("2015-01-05", #""EUR":0.8,"USD":1.1"#, false)]),
            .wrongBase
        ),
        (
            "a currency twice", YearSample.page([("2015-01-05", #""EUR":0.8,"eur":0.8"#, false)]),
            .duplicateNames
        ),
        (
            "a map by date",
            Array(#"{"result":"success","base":"USD","rates":{"2015-01-05":{"EUR":0.8}}}"#.utf8), .badRows
        ),
        ("no JSON", Array("<html>".utf8), .notJSON),
    ]

    @Test("is refused as a whole where it isn't what was asked for", arguments: refusals)
    func isRefused(name: String, body: [UInt8], error: IngestError) {
        #expect(throws: error) { try self.read(body) }
    }

    @Test("an answer that ends earlier than what is held is older")
    func older() throws {
        let held = YearSample.full(2015, through: "2015-06-30")
        #expect(throws: IngestError.olderData) {
            try self.read(
                YearSample.page([("2015-06-29", #""EUR":0.8"#, false)]), held: held, today: "2015-07-01")
        }
    }
}
