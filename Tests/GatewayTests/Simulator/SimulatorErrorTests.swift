import Testing

@testable import UpstreamSimulator

@Suite("Simulator errors")
struct SimulatorErrorTests {
    @Test(
        "each mistake has its status and code",
        arguments: [
            ("/v1/latest/XXX", 422, "unsupported_base"), ("/v1/latest/HRK", 422, "unsupported_base"),
            ("/v1/latest/", 422, "unsupported_base"), ("/v1/latest/USD?symbols=EUX", 400, "invalid_request"),
            ("/v1/latest/USD?symbols=HRK", 400, "invalid_request"), ("/v1/2026-13-01/USD", 400, "bad_date"),
            ("/v1/2026-1-1", 400, "bad_date"), ("/v1/1998-12-31/USD", 404, "no_data_for_date"),
            ("/v1/2027-01-01/USD", 404, "no_data_for_date"), ("/v1/2026-01-05/HRK", 404, "no_data_for_date"),
            ("/v1/2026-01-05/EUR?symbols=HRK", 404, "no_data_for_date"),
            ("/v1/2026-01-05/XXX", 422, "unsupported_base"), ("/v1/rate/EURUSD", 422, "invalid_pair"),
            ("/v1/rate/eur-eur", 422, "invalid_pair"), ("/v1/rate/xxx-usd", 422, "unsupported_base"),
            ("/v1/rate/usd-xxx", 422, "invalid_pair"), ("/v1/convert/USD/EUR/x", 400, "invalid_amount"),
            ("/v1/convert/USD/EUR/-5", 400, "invalid_amount"),
            ("/v1/convert/USD/EUR/0", 400, "invalid_amount"),
            ("/v1/convert/USD/EUR/1e3", 400, "invalid_amount"),
            ("/v1/convert/XXX/EUR/1", 422, "unsupported_base"),
            ("/v1/convert/USD/XXX/1", 422, "invalid_pair"), ("/v1/convert/USD/USD/1", 422, "invalid_pair"),
            ("/v1/range?symbols=EUR&start_date=2026-01-01&end_date=2026-02-01", 400, "missing_parameter"),
            ("/v1/range?base=USD&start_date=2026-01-01&end_date=2026-02-01", 400, "missing_parameter"),
            ("/v1/range?base=USD&symbols=EUR&end_date=2026-02-01", 400, "missing_parameter"),
            ("/v1/range?base=USD&symbols=EUR&start_date=2026-01-01", 400, "missing_parameter"),
            ("/v1/range?base=USD&symbols=EUR&start_date=2026-03-01&end_date=2026-02-01", 400, "bad_date"),
            (
                "/v1/range?base=USD&symbols=EUR&start_date=2026-01-01&end_date=2026-02-01&format=parquet",
                400,
                "invalid_request"
            ),
            (
                "/v1/range?base=USD&symbols=EUR&start_date=2026-01-01&end_date=2026-02-01&cursor=zz", 400,
                "invalid_request"
            ),
            ("/v1/account", 401, "invalid_api_key"), ("/v1/rates/USD/EUR", 404, "not_found"),
            ("/v1/latest/USD/EUR", 404, "not_found"), ("/v1/convert", 400, "missing_parameter"),
        ])
    func mistake(target: String, status: Int, code: String) throws {
        var bench = try SimulatorBench()
        let answer = bench.get(target)
        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer.text.memberNames == ["result", "code", "message"])
    }

    @Test(
        "a POST body is checked",
        arguments: [
            ("", 400, "invalid_request"), ("[]", 400, "invalid_request"), ("{}", 400, "missing_parameter"),
            (#"{"from":"USD"}"#, 400, "missing_parameter"),
            (#"{"from":"USD","pairs":[]}"#, 400, "missing_parameter"),
            (#"{"from":"USD","pairs":[["EUR"]]}"#, 400, "invalid_request"),
            (#"{"from":"USD","pairs":[["EUR",-1]]}"#, 400, "invalid_amount"),
            (#"{"from":"XXX","pairs":[["EUR",1]]}"#, 422, "unsupported_base"),
            (#"{"from":"USD","pairs":[["XXX",1]]}"#, 422, "invalid_pair"),
        ])
    func post(body: String, status: Int, code: String) throws {
        var bench = try SimulatorBench()
        let answer = bench.post("/v1/convert", body)
        #expect(answer.status == status)
        #expect(answer.code == code)
    }

    @Test("other methods are refused")
    func methods() throws {
        var bench = try SimulatorBench()
        #expect(bench.post("/v1/latest/USD", "").status == 405)
    }

    @Test("before the first fix there is no latest table")
    func tooEarly() throws {
        var bench = try SimulatorBench(at: "1999-01-04T14:59:59Z")
        #expect(bench.get("/v1/latest/EUR").code == "data_unavailable")
        bench.pass(.seconds(1))
        #expect(bench.get("/v1/latest/EUR").status == 200)
    }

    @Test(
        "a key is taken by its prefix, or by the list; a bad one is never anonymous use",
        arguments: [
            ("Bearer exr_live_abc", [], 200), ("bearer exr_live_abc", [], 200), ("exr_live_abc", [], 401),
            ("Bearer other", [], 401), ("Bearer exr_live_", [], 401), ("Bearer  exr_live_abc", [], 401),
            ("Bearer exr_live_abc", ["exr_live_abc"], 200), ("Bearer exr_live_abd", ["exr_live_abc"], 401),
            ("Bearer custom", ["a", "custom"], 200), ("", [], 401),
        ] as [(String, [String], Int)])
    func keys(authorization: String, accepted: [String], status: Int) throws {
        var bench = try SimulatorBench { $0.keys = accepted }
        var request = UpstreamRequest(target: "/v1/latest/USD")
        request.authorization = authorization
        let answer = bench.call(request)
        #expect(answer.status == status)
        #expect(answer.code == (status == 401 ? "invalid_api_key" : nil))
        #expect(bench.state.log.entries.last?.isAuthorized == (status == 200))
        request.authorization = nil
        request.apiKey = accepted.first ?? "exr_live_abc"
        #expect(bench.call(request).status == 200)
    }
}
