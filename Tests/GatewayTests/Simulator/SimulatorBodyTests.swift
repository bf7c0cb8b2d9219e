import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Simulator bodies")
struct SimulatorBodyTests {
    @Test(
        "each body has the documented members in the documented order",
        arguments: [
            (
                "/v1/latest/USD",
                "result base source sources effective_at market_session timestamp data_updated_at rates notice"
            ),
            (
                "/v1/latest?symbols=EUR",
                "result base source sources effective_at market_session timestamp data_updated_at rates notice"
            ),
            (
                "/v1/2026-06-10/USD?symbols=EUR,GBP",
                "result base date source sources timestamp data_updated_at rates is_forward_filled notice"
            ),
            (
                "/v1/2026-06-10?base=CHF",
                "result base date source sources timestamp data_updated_at rates is_forward_filled notice"
            ),
            (
                "/v1/rate/eur-usd",
                "result pair base quote rate source sources market_session timestamp data_updated_at derived "
                    + "derivation_bps_max notice"
            ),
            (
                "/v1/range?base=USD&symbols=EUR&start_date=2026-06-01&end_date=2026-06-05",
                "result base start_date end_date data has_more next_cursor"
            ),
            (
                "/v1/convert/USD/EUR/100",
                "result from to amount rate converted derived derivation_bps_max source sources market_session "
                    + "timestamp data_updated_at notice"
            ),
            ("/v1/currencies", "result currencies"),
        ])
    func order(target: String, names: String) throws {
        var bench = try SimulatorBench()
        let answer = bench.get(target)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(try answer.object()["result"] as? String == "success")
        #expect(answer.text.memberNames == names.split(separator: " ").map(String.init))
    }

    @Test("a latest table holds every other currency that has a value, by name")
    func wholeTable() throws {
        var bench = try SimulatorBench()
        let body = try bench.get("/v1/latest/USD").object()
        let rates = try #require(body["rates"] as? [String: Any])
        #expect(rates.count == 29)
        #expect(rates["USD"] == nil)
        #expect(rates["BGN"] == nil)
        #expect(rates.keys.sorted() == (body["sources"] as? [String: Any])?.keys.sorted())
        #expect(rates.keys.sorted() == (body["effective_at"] as? [String: Any])?.keys.sorted())
        #expect(body["market_session"] as? String == "open")
        #expect(body["timestamp"] as? String == "2026-10-28T10:00:00Z")
    }

    @Test("symbols come in the order asked for, each once, the base left out")
    func selection() throws {
        var bench = try SimulatorBench()
        let answer = bench.get("/v1/latest/USD?symbols=JPY,eur,USD,JPY%2CGBP")
        #expect(answer.text.contains("\"sources\":{\"JPY\":\"ecb_daily\",\"EUR\":\"ecb_daily\",\"GBP\":"))
        #expect(bench.get("/v1/latest?base=usd&symbols=EUR").digits(of: "EUR") != nil)
    }

    @Test("a small rate is in exponent form, as common JSON writers have it")
    func smallNumbers() throws {
        var bench = try SimulatorBench()
        #expect(try #require(bench.get("/v1/latest/IDR?symbols=USD").digits(of: "USD")).hasSuffix("e-05"))
    }

    @Test("a rate says whether it was derived over the euro, and how far that may be off")
    func derivation() throws {
        var bench = try SimulatorBench()
        for (pair, isDerived) in [("EUR-MXN", false), ("mxn-eur", false), ("usd-mxn", true)] {
            let body = try bench.get("/v1/rate/\(pair)").object()
            #expect(body["derived"] as? Bool == isDerived)
            #expect((body["derivation_bps_max"] is NSNull) == !isDerived)
            #expect(body["pair"] as? String == pair.lowercased())
        }
    }

    @Test("a conversion multiplies by the rate it shows and rounds to the minor unit")
    func convert() throws {
        var bench = try SimulatorBench()
        let yen = bench.get("/v1/convert/EUR/JPY/19.99")
        let rate = try #require(Decimal(string: yen.text.digits(after: "\"rate\":") ?? ""))
        var exact = rate * (Decimal(string: "19.99") ?? 0)
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, 0, .bankers)
        #expect(yen.text.digits(after: "\"converted\":") == rounded.description)
        #expect(yen.text.digits(after: "\"amount\":") == "19.99")
    }

    @Test("the POST form converts many amounts at once")
    func convertMany() throws {
        var bench = try SimulatorBench()
        let answer = bench.post(
            "/v1/convert", #"{"from":"USD","pairs":[["EUR",120],["GBP",45],["JPY",12.5]]}"#)
        #expect(
            answer.text.memberNames
                == [
                    "result", "from", "conversions", "sources", "market_session", "timestamp",
                    "data_updated_at",
                    "notice",
                ])
        let items = try #require(try answer.object()["conversions"] as? [[String: Any]])
        #expect(items.map { $0["to"] as? String } == ["EUR", "GBP", "JPY"])
        #expect(answer.text.contains("\"amount\":12.5,"))
    }

    @Test("currencies tell name, type, decimals")
    func currencies() throws {
        var bench = try SimulatorBench()
        let list = try #require(try bench.get("/v1/currencies").object()["currencies"] as? [[String: Any]])
        #expect(list.count == 30)
        #expect(list.first { $0["code"] as? String == "KRW" }?["decimals"] as? Int == 0)
        #expect(
            bench.get("/v1/currencies").text.contains("{\"code\":\"AUD\",\"name\":\"Australian Dollar\","))
        #expect(
            try (bench.get("/v1/currencies?type=crypto").object()["currencies"] as? [Any])?.isEmpty == true)
    }

    @Test("an account shows the month's calls and never the key")
    func account() throws {
        var bench = try SimulatorBench { $0.limits.monthly = 500 }
        _ = bench.get("/v1/latest/USD", key: "exr_live_SECRETVALUE1234")
        let answer = bench.get("/v1/account", key: "exr_live_SECRETVALUE1234")
        #expect(answer.text.memberNames == ["result", "email", "org", "key", "usage"])
        let body = try answer.object()
        #expect(body["key"] as? String == "exr_live_****1234")
        let usage = try #require(body["usage"] as? [String: Any])
        #expect(usage["calls_this_month"] as? Int == 2)
        #expect(usage["limit"] as? Int == 500)
        #expect(usage["resets_on"] as? String == "2026-11-01")
        #expect(!answer.text.contains("SECRET"))
    }
}
