import Testing

@testable import UpstreamSimulator

@Suite("Simulator live mode")
struct SimulatorLiveTests {
    private func series(seed: UInt64, steps: Int) throws -> [String] {
        var bench = try SimulatorBench {
            $0.mode = .live; $0.seed = seed
        }
        return (0..<steps).map { _ in
            defer { bench.pass(.seconds(60)) }
            return bench.get("/v1/latest/USD?symbols=EUR,JPY,INR").text
        }
    }

    @Test("one seed gives one series, another gives another")
    func seeds() throws {
        #expect(try series(seed: 3, steps: 20) == series(seed: 3, steps: 20))
        #expect(try series(seed: 3, steps: 20) != series(seed: 4, steps: 20))
    }

    @Test("rates stand still within a step, move with the next, and stay within a quarter percent of the fix")
    func moves() throws {
        var bench = try SimulatorBench { $0.mode = .live }
        let first = bench.get("/v1/latest/EUR")
        bench.pass(.milliseconds(59_999))
        let same = bench.get("/v1/latest/EUR")
        #expect(first.digits(of: "USD") == same.digits(of: "USD"))
        #expect(try same.object()["data_updated_at"] as? String == "2026-10-28T10:00:00Z")
        bench.pass(.milliseconds(1))
        let next = bench.get("/v1/latest/EUR")
        #expect(first.digits(of: "USD") != next.digits(of: "USD"))
        #expect(try next.object()["data_updated_at"] as? String == "2026-10-28T10:01:00Z")
        let drift = LiveDrift(seed: 1, intervalMilliseconds: 60_000)
        var seen: Set<Int> = []
        for step in Int64(0)..<5_000 {
            let distance = drift.partsPerMillion(of: "USD", step: step)
            #expect(abs(distance) <= 2_000)
            seen.insert(distance)
        }
        #expect(seen.count > 1_000)
    }

    @Test("everything is live, also at the weekend, and the notice says what it is")
    func labels() throws {
        var bench = try SimulatorBench(at: "2026-10-24T10:00:30Z") { $0.mode = .live }
        let answer = bench.get("/v1/latest/USD?symbols=EUR,ISK")
        let body = try answer.object()
        #expect(body["source"] as? String == "live")
        #expect(body["sources"] as? [String: String] == ["EUR": "live", "ISK": "live"])
        #expect(body["market_session"] as? String == "weekend")
        #expect(
            answer.text.contains("SIMULATED by FX Gateway: drift (seed 1) around the ECB fix of 2026-10-23."))
        let history = try bench.get("/v1/2026-10-23/USD?symbols=EUR").object()
        #expect(history["source"] as? String == "ecb_daily")
    }

    @Test("mixed mode gives each symbol its own class and time; a cross with a daily leg is daily")
    func mixed() throws {
        var bench = try SimulatorBench { $0.mode = .mixed }
        let answer = bench.get("/v1/latest/USD?symbols=EUR,ISK,RON,GBP")
        let body = try answer.object()
        #expect(body["source"] as? String == "live")
        #expect(
            body["sources"] as? [String: String]
                == ["EUR": "live", "ISK": "ecb_daily", "RON": "ecb_daily", "GBP": "live"])
        #expect(
            body["effective_at"] as? [String: String]
                == [
                    "EUR": "2026-10-28T10:00:00Z", "ISK": "2026-10-27T15:00:00Z",
                    "RON": "2026-10-27T15:00:00Z",
                    "GBP": "2026-10-28T10:00:00Z",
                ])
        #expect(body["data_updated_at"] as? String == "2026-10-28T10:00:00Z")
        let daily = try bench.get("/v1/latest/ISK?symbols=EUR,USD").object()
        #expect(daily["source"] as? String == "ecb_daily")
        #expect(daily["data_updated_at"] as? String == "2026-10-27T15:00:00Z")
        let fixed = bench.get("/v1/latest/EUR?symbols=ISK,RON")
        let history = bench.get("/v1/2026-10-27/EUR?symbols=ISK,RON")
        #expect(fixed.digits(of: "RON") == history.digits(of: "RON"))
    }
}
