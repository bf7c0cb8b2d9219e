import Testing

@testable import CacheLayer

@Suite("An upstream answer that is refused as a whole") struct IngestRejectTests {
    @Test(
        "has a status other than 2xx; a known code comes along, no text does (U9, U14, C051)",
        arguments: [
            (304, "", nil), (302, "{\"result\":\"success\"}", nil), (199, "{}", nil), (300, "{}", nil),
            (401, "{\"result\":\"error\",\"code\":\"invalid_api_key\",\"message\":\"m\"}", .invalidAPIKey),
            (403, "{\"error\":true,\"status\":403,\"message\":\"not_allowed\"}", nil),
            (429, "{\"error\":{\"message\":\"quota_exceeded\"}}", .quotaExceeded),
            (503, "<html><head><title>503</title></head></html>", nil), (500, "", nil),
        ] as [(Int, String, UpstreamProblem?)])
    func status(status: Int, body: String, problem: UpstreamProblem?) {
        #expect(throws: IngestError.not2xx(status: status, problem)) { try ingest(body, status: status) }
    }

    @Test(
        "isn't strict JSON, or HTML under any content type (C051, C058, C060, U7, U8)",
        arguments: [
            "", " ", "<!doctype html><html><body><h1>Over limit</h1></body></html>",
            "{\"result\":\"success\"",
            "\u{feff}{\"result\":\"success\"}", "{'result':'success'}",
            "{\"result\":\"success\",\"rates\":{\"EUR\":NaN}}",
            "{\"result\":\"success\",\"rates\":{\"EUR\":5.}}",
            "{\"result\":\"success\",\"rates\":{\"EUR\":.5}}",
            "{\"result\":\"success\",\"rates\":{\"EUR\":01}}",
            "{\"result\":\"success\",\"rates\":{\"EUR\":Infinity}}",
            "{\"result\":\"success\"}{}", "\u{1f}\u{8b}\u{8}",
        ])
    func notJSON(body: String) {
        for type in ["text/html", "application/json"] {
            #expect(throws: IngestError.notJSON) { try ingest(body, contentType: type) }
        }
    }

    @Test(
        "names a member or a currency twice (U7)",
        arguments: [
            "{\"EUR\":1,\"EUR\":2}", "{\"EUR\":1,\"eur\":1}", "{\"eur\":null,\"EUR\":1}",
        ])
    func duplicates(rates: String) {
        var body = SampleBody()
        body.rates = rates
        #expect(throws: IngestError.duplicateNames) { try body.ingested() }
    }

    @Test("is over 1 MiB or 32 levels (C060)")
    func size() throws {
        var body = SampleBody()
        body.rest = ",\"x\":\"\(String(repeating: " ", count: 1_048_576 - body.bytes.count - 7))\""
        #expect(body.bytes.count == 1_048_576)
        #expect(throws: Never.self) { try body.ingested() }
        body.rest += " "
        #expect(throws: IngestError.tooLarge) { try body.ingested() }
        let levels = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        body.rest = ",\"x\":\(levels(31))"
        #expect(throws: Never.self) { try body.ingested() }
        body.rest = ",\"x\":\(levels(32))"
        #expect(throws: IngestError.tooDeep) { try body.ingested() }
        body.rest = ",\"x\":\(levels(10_000))"
        #expect(throws: IngestError.tooDeep) { try body.ingested() }
    }

    @Test(
        "doesn't say `success` (C049, C053, C058)",
        arguments: [
            (
                "{\"success\":false,\"error\":{\"code\":105,\"type\":\"base_not_allowed_on_plan\"}}",
                .forbidden
            ),
            ("{\"error\":\"limit exceeded\"}", nil), ("null", nil), ("[]", nil), ("{}", nil),
            ("\"success\"", nil),
            ("{\"result\":\"error\",\"code\":\"data_unavailable\",\"message\":\"none\"}", .dataUnavailable),
            ("{\"result\":\"error\",\"code\":\"brand_new\",\"message\":\"none\"}", nil),
            ("{\"result\":true}", nil),
        ] as [(String, UpstreamProblem?)])
    func notSuccess(body: String, problem: UpstreamProblem?) {
        #expect(throws: IngestError.notSuccess(problem)) { try ingest(body) }
    }

    @Test("says success and failure at once")
    func contradiction() {
        var body = SampleBody()
        body.rest = ",\"success\":false"
        #expect(throws: IngestError.notSuccess(nil)) { try body.ingested() }
    }

    @Test(
        "is about another base, or none (U7)", arguments: ["\"EUR\"", "\"US\"", "null", "1", "\"USDX\"", nil])
    func wrongBase(base: String?) {
        var body = SampleBody()
        body.base = base
        #expect(throws: IngestError.wrongBase) { try body.ingested() }
    }

    @Test(
        "has no rate that can be used (C058)",
        arguments: [
            "{}", "[]", "null", "\"x\"", "[0.85]", nil, "{\"EUR\":null}", "{\"EUR\":0,\"GBP\":\"1\"}",
            "{\"USD\":1}",
            "{\"E\":1}",
        ])
    func noRates(rates: String?) {
        var body = SampleBody()
        body.rates = rates
        #expect(throws: IngestError.noRates) { try body.ingested() }
    }

    @Test(
        "has no data time that can be read; no other time stands in (C065, C067, U12)",
        arguments: [
            nil, "null", "\"\"", "\"2026-09-15T14:00:00\"", "\"2026-09-15T14:00:00 +09:00\"",
            "\"2026-09-15T14:00:00Zjunk\"", "\"2026-09-15T14:00:00Z \"", "\"2026-02-30T00:00:00Z\"",
            "\"yesterday\"",
            "17894811060", "178948110600", "17894811060000", "-1789481106", "1789481106.5", "0", "true", "{}",
            "\"0001-01-01T00:00:00Z\"", "\"1970-01-01T00:00:00Z\"",
        ])
    func noDataTime(time: String?) {
        var body = SampleBody()
        body.dataTime = time
        let error = #expect(throws: IngestError.self) { try body.ingested() }
        // Eleven digits of seconds are a year far ahead.
        #expect(error == (time == "17894811060" ? .futureData : .noDataTime))
    }

    @Test("is more than 5 minutes ahead of the store's clock (C075, U12)")
    func future() throws {
        let body = SampleBody()
        let dataTime = utc(2026, 9, 15, 14, 31, 46)
        #expect(throws: Never.self) { try body.ingested(at: dataTime + .seconds(-300)) }
        #expect(throws: IngestError.futureData) { try body.ingested(at: dataTime + .milliseconds(-300_001)) }
        var far = body
        far.dataTime = "\"2031-01-01T00:00:00Z\""
        #expect(throws: IngestError.futureData) { try far.ingested() }
    }

    @Test("is older than what is held of the same class; another class may be (C068, U12, U13)")
    func older() throws {
        let held = try SampleBody().ingested().table
        var body = SampleBody()
        #expect(throws: Never.self) { try body.ingested(held: held) }
        body.dataTime = "\"2026-09-15T14:31:45Z\""
        #expect(throws: IngestError.olderData) { try body.ingested(held: held) }
        body.source = "\"ecb_daily\""
        #expect(try body.ingested(held: held).table.dataTime.instant == utc(2026, 9, 15, 14, 31, 45))
    }

    @Test("is counted under a word of its own")
    func reasons() {
        let errors: [IngestError] = [
            .not2xx(status: 500, nil), .notSuccess(nil), .notJSON, .duplicateNames, .tooLarge, .tooDeep,
            .wrongBase,
            .noRates, .noCurrencies, .noDataTime, .futureData, .olderData,
        ]
        #expect(
            errors.map(\.reason) == [
                "not_2xx", "not_success", "not_json", "duplicate_names", "too_large", "too_deep",
                "wrong_base",
                "no_rates", "no_currencies", "no_data_time", "future_data", "older_data",
            ])
        #expect(IngestError.not2xx(status: 429, .rateLimited).problem == .rateLimited)
    }

    @Test("survives any cut and any single changed byte (U8)")
    func mutations() {
        let bytes = SampleBody().bytes
        var random = NumberCases(seed: 5)
        for _ in 0..<3_000 {
            var changed = bytes
            let place = Int.random(in: bytes.indices, using: &random)
            changed[place] = UInt8.random(in: 0...255, using: &random)
            if Bool.random(using: &random) {
                changed.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            let accepted = try? Ingest.table(
                from: changed, status: 200, contentType: nil, expecting: .sample("USD"), held: nil,
                storeNow: utc(2026, 9, 15, 14, 32, 12))
            #expect(accepted?.table.symbols.isEmpty != true)
        }
    }
}

@Suite("Upstream's error codes") struct UpstreamProblemTests {
    @Test(
        "are found in every shape, and only those of the list",
        arguments: [
            ("{\"result\":\"error\",\"code\":\"rate_limited\",\"message\":\"secret text\"}", .rateLimited),
            ("{\"error\":\"rate_limited\"}", .rateLimited),
            ("{\"error\":{\"message\":\"forbidden\"}}", .forbidden),
            ("{\"error\":{\"code\":\"ip_rate_limited\",\"message\":\"x\"}}", .ipRateLimited),
            ("{\"error\":\"The API key is missing or not valid.\"}", nil),
            ("{\"code\":\"invalid_key\"}", .invalidKey), ("{\"code\":\"key_revoked\"}", .keyRevoked),
            ("{\"code\":\"Rate_Limited\"}", nil),
            ("{\"code\":429}", nil), ("{\"error\":{\"code\":105}}", .forbidden),
            ("{\"error\":{\"code\":104}}", .quotaExceeded), ("{\"error\":{\"code\":103}}", nil),
            ("{\"error\":{\"code\":104.0}}", nil), ("[\"rate_limited\"]", nil),
            ("", nil),
            ("\"rate_limited\"", nil), ("<html>", nil), ("{\"code\":\"rate_limited\"", nil),
        ] as [(String, UpstreamProblem?)])
    func shapes(body: String, expected: UpstreamProblem?) {
        #expect(UpstreamProblem.read(Array(body.utf8)) == expected)
    }

    @Test("aren't looked for in a body of megabytes")
    func bounded() {
        let body = "{\"code\":\"rate_limited\",\"x\":\"\(String(repeating: "x", count: 65_536))\"}"
        #expect(UpstreamProblem.read(Array(body.utf8)) == nil)
    }
}
