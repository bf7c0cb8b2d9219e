import ExchangeRateClient
import Foundation
import Testing

@Suite("Models")
struct ModelTests {
    @Test("each kind of table decodes with positive rates and a source", arguments: TableSample.all)
    func tables(name: String, json: String) throws {
        let latest = try decoded(Latest.self, json)
        #expect(!latest.rates.isEmpty && latest.rates.values.allSatisfy { $0 > 0 })
        #expect(latest.source != nil && latest.timestamp != nil && latest.dataUpdatedAt != nil)
        let again = try JSONDecoder().decode(Latest.self, from: JSONEncoder().encode(latest))
        #expect(again == latest)
    }

    @Test("a minimal table has no maps, no notice and no cache")
    func minimal() throws {
        let latest = try decoded(Latest.self, TableSample.minimal)
        #expect(latest.base == "CHF" && latest.rates.count == 3)
        #expect(latest.sources.isEmpty && latest.effectiveAt.isEmpty)
        #expect(latest.notice == nil && latest.cache == nil)
        #expect(latest.marketSession == .open)
        #expect(latest.source(of: "SEK") == .live)
        #expect(latest.dataTime(of: "SEK") == latest.dataUpdatedAt)
    }

    @Test("a mixed table tells class and time of each symbol, unknown classes included")
    func mixed() throws {
        let latest = try decoded(Latest.self, TableSample.weekendMixed)
        #expect(latest.marketSession == .weekend)
        #expect(latest.source(of: "eur") == .live)
        #expect(latest.source(of: "HUF") == .ecbDaily)
        #expect(latest.source(of: "TWD") == .fredDaily)
        #expect(latest.source(of: "XYZ")?.rawValue == "house_mix")
        #expect(latest.dataTime(of: "HUF")?.timeIntervalSince1970 == 1_773_414_000)
        #expect(latest.dataTime(of: "XYZ") == latest.dataUpdatedAt)
        #expect(latest.notice?.hasSuffix("ECB statistics.") == true)
    }

    @Test("a session is the same with a hyphen")
    func sessions() throws {
        #expect(try decoded(Latest.self, TableSample.interbankClosed).marketSession == .interbankClosed)
        #expect(MarketSession(rawValue: "lunch").rawValue == "lunch")
    }

    @Test("fractions of a second are kept")
    func fractions() throws {
        let latest = try decoded(Latest.self, TableSample.microseconds)
        let seconds = try #require(latest.dataUpdatedAt?.timeIntervalSince1970)
        #expect(abs(seconds - 1_773_486_123.040506) < 0.000_000_5)
    }

    @Test("the gateway's own object is read")
    func gateway() throws {
        let cache = try #require(try decoded(Latest.self, TableSample.fromGateway).cache)
        #expect(cache.state == .stale && cache.reason == "cooldown" && cache.derivation == "inverse")
        #expect(cache.snapshot == "01KC3T5M9A-0d41c2b7")
        #expect(cache.fetchedAt?.timeIntervalSince1970 == 1_773_134_143.25)
        #expect(cache.freshUntil?.timeIntervalSince1970 == 1_773_134_213.25)
    }

    @Test(
        "a rate keeps its digits in and out",
        arguments: [
            ("0.691", "0.691"), ("1.1172404971672576", "1.1172404971672576"),
            ("9.1234567e-6", "0.0000091234567"),
            ("0.1", "0.1"), ("157.32", "157.32"), ("5.3217E-05", "0.000053217"), ("26120.50", "26120.5"),
            ("1234567890.123456789012345678", "1234567890.123456789012345678"),
            ("0.00000912345678901234567", "0.00000912345678901234567"), ("1e3", "1000"),
        ])
    func digits(sent: String, expected: String) throws {
        let latest = try decoded(Latest.self, #"{"base":"USD","rates":{"XXX":\#(sent)}}"#)
        let rate = try #require(latest.rates["XXX"])
        #expect(rate == Decimal(string: expected))
        #expect(rate.description == expected)
        let written = String(decoding: try JSONEncoder().encode(latest), as: UTF8.self)
        #expect(written.contains("\"XXX\":\(expected)}"))
    }

    @Test("a symbol whose rate is null, zero or below is missing")
    func missingRates() throws {
        let json = #"{"base":"USD","rates":{"EUR":0.9,"PKR":null,"AAA":0,"BBB":-1.5}}"#
        #expect(try decoded(Latest.self, json).rates.keys.sorted() == ["EUR"])
    }

    @Test(
        "a body without a table is refused",
        arguments: [
            "", "null", "[]", "{}", #"{"base":"USD"}"#, #"{"base":"USD","rates":{}}"#,
            #"{"base":"USD","rates":[]}"#,
            #"{"base":"USD","rates":null}"#, #"{"base":"USD","rates":{"EUR":null}}"#,
            #"{"base":"USD","rates":{"EUR":"0.9"}}"#, #"{"base":"USD","rates":{"EUR":1e400}}"#,
            #"{"base":"USD","rates":{"EUR":true}}"#, #"{"rates":{"EUR":0.9}}"#,
            #"{"base":1,"rates":{"EUR":0.9}}"#,
            #"{"base":"USD","rates":{"EUR":0.9},"timestamp":"yesterday"}"#, "<html></html>",
            #"{"base":"USD","rates":{"EUR":0.9}"#, String(repeating: "[", count: 10_000),
        ])
    func refused(json: String) {
        #expect(throws: DecodingError.self) { try decoded(Latest.self, json) }
    }

    @Test("a past day decodes with and without its extras")
    func days() throws {
        let day = try decoded(HistoricalDay.self, HistorySample.day)
        #expect(day.date?.description == "2025-11-18" && day.isForwardFilled == false)
        #expect(day.source == .ecbDaily && day.marketSession == nil)
        #expect(try decoded(HistoricalDay.self, HistorySample.forwardFilled).isForwardFilled == true)
        let bare = try decoded(HistoricalDay.self, HistorySample.bare)
        #expect(bare.date == nil && bare.isForwardFilled == nil && bare.timestamp == nil)
        #expect(try JSONDecoder().decode(HistoricalDay.self, from: JSONEncoder().encode(day)) == day)
    }

    @Test("pages of a range decode, and say how to go on")
    func pages() throws {
        let first = try decoded(RangePage.self, HistorySample.firstPage)
        #expect(first.rows.map(\.date.description) == ["2025-04-17", "2025-04-18"])
        #expect(first.rows.map(\.isForwardFilled) == [false, true])
        #expect(first.hasMore && first.nextCursor == "bmV4dDoyMDI1LTA0LTE4+/=")
        let last = try decoded(RangePage.self, HistorySample.lastPage)
        #expect(!last.hasMore && last.nextCursor == nil && last.rows.last?.source == nil)
        #expect(try decoded(RangePage.self, HistorySample.emptyPage).rows.isEmpty)
        let full = try decoded(RangePage.self, HistorySample.page(rows: 366))
        #expect(full.rows.count == 366 && full.rows.last?.rates["EUR"] == Decimal(string: "0.60366"))
        #expect(try JSONDecoder().decode(RangePage.self, from: JSONEncoder().encode(full)) == full)
    }

    @Test(
        "a range of another shape is refused",
        arguments: [
            #"{"base":"USD","rates":{"2025-01-02":{"EUR":0.9}},"has_more":false}"#,
            #"{"base":"USD","data":[],"has_more":true,"next_cursor":null}"#,
            #"{"base":"USD","data":[{"date":"2025-02-30","rates":{}}],"has_more":false}"#,
            #"{"base":"USD","data":[]}"#,
        ])
    func refusedPages(json: String) {
        #expect(throws: DecodingError.self) { try decoded(RangePage.self, json) }
    }

    @Test("a single rate decodes, direct or derived, its pair in either spelling")
    func rates() throws {
        let direct = try decoded(Rate.self, OtherSample.direct)
        #expect(direct.rate == Decimal(string: "1.0691") && direct.isDerived == false)
        #expect(direct.derivationBpsMax == nil)
        let derived = try decoded(Rate.self, OtherSample.derived)
        #expect(derived.isDerived == true && derived.derivationBpsMax == Decimal(string: "0.7"))
        #expect(derived.timestamp?.timeIntervalSince1970 == 1_773_134_142)
        #expect(try JSONDecoder().decode(Rate.self, from: JSONEncoder().encode(derived)) == derived)
        #expect(throws: DecodingError.self) { try decoded(Rate.self, #"{"base":"A","quote":"B","rate":0}"#) }
    }

    @Test("a conversion decodes flat and as a list of one")
    func conversions() throws {
        let flat = try decoded(Conversion.self, OtherSample.flatConversion)
        #expect(flat.amount == 250 && flat.converted == Decimal(string: "2857.55") && flat.source == .live)
        let whole = try decoded(Conversion.self, OtherSample.wholeUnits)
        #expect(whole.converted == 1373 && whole.labels.isDerived == true)
        let list = try decoded(Conversion.self, OtherSample.listOfOne)
        #expect(list.to == "SEK" && list.rate == nil && list.source == .live && list.dataUpdatedAt != nil)
        #expect(try JSONDecoder().decode(Conversion.self, from: JSONEncoder().encode(flat)) == flat)
        #expect(throws: DecodingError.self) { try decoded(Conversion.self, OtherSample.batch) }
    }

    @Test("a batch fills each conversion's labels from the whole")
    func batch() throws {
        let batch = try decoded(ConversionBatch.self, OtherSample.batch)
        #expect(batch.conversions.map(\.to) == ["SEK", "HUF"])
        let forint = try #require(batch.conversions.last)
        #expect(forint.from == "CHF" && forint.rate == nil)
        #expect(forint.source == .ecbDaily && forint.sources == ["HUF": .ecbDaily])
        #expect(forint.marketSession == .open && forint.notice != nil)
        #expect(batch.conversions.first?.labels.isDerived == false && forint.labels.isDerived == true)
        #expect(try JSONDecoder().decode(ConversionBatch.self, from: JSONEncoder().encode(batch)) == batch)
        #expect(throws: DecodingError.self) {
            try decoded(ConversionBatch.self, #"{"from":"CHF","conversions":[]}"#)
        }
    }

    @Test("currencies decode as a list, as a map, and as a map inside")
    func currencies() throws {
        let list = try decoded(CurrencyList.self, OtherSample.currencies)
        #expect(list.currencies.map(\.code) == ["CHF", "JPY", "BHD"])
        #expect(list.currencies.map(\.decimals) == [2, 0, nil])
        let map = try decoded(CurrencyList.self, OtherSample.currencyMap)
        #expect(map.currencies.map(\.code) == ["CHF", "SEK"] && map.currencies.first?.isDerived == true)
        let inside = #"{"result":"success","currencies":\#(OtherSample.currencyMap),"notice":"x"}"#
        #expect(try decoded(CurrencyList.self, inside) == map)
        #expect(try JSONDecoder().decode(CurrencyList.self, from: JSONEncoder().encode(list)) == list)
        for json in ["{}", #"{"result":"success"}"#, #"{"currencies":[]}"#, #"{"error":{"message":"x"}}"#] {
            #expect(throws: DecodingError.self) { try decoded(CurrencyList.self, json) }
        }
    }

    @Test("an account is its usage and nothing personal")
    func account() throws {
        let account = try decoded(Account.self, OtherSample.account)
        #expect(account.usage.callsThisMonth == 217 && account.usage.limit == 10_000)
        #expect(account.usage.resetsOn?.description == "2026-04-01")
        let kept = dumped(account) + String(decoding: try JSONEncoder().encode(account), as: UTF8.self)
        for personal in ["someone", "Example", "exr_live"] { #expect(!kept.contains(personal)) }
    }
}

private func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
}
