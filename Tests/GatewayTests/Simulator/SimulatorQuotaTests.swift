import Testing

@testable import UpstreamSimulator

@Suite("Simulator quotas")
struct SimulatorQuotaTests {
    @Test("a key's minute ends at the minute of the clock and says so")
    func minute() throws {
        var bench = try SimulatorBench(at: "2026-10-28T10:00:11Z") { $0.limits.perMinute = 2 }
        for remaining in ["1", "0"] {
            let answer = bench.get("/v1/latest/USD", key: "exr_live_a")
            #expect(answer.status == 200)
            #expect(answer.header("X-RateLimit-Remaining") == remaining)
            #expect(answer.header("X-RateLimit-Reset") == "1793181660")
        }
        let refused = bench.get("/v1/latest/USD", key: "exr_live_a")
        #expect(refused.status == 429)
        #expect(refused.code == "rate_limited")
        #expect(refused.header("Retry-After") == "49")
        #expect(refused.header("X-RateLimit-Remaining") == "0")
        #expect(bench.get("/v1/latest/USD", key: "exr_live_b").status == 200)
        bench.pass(.milliseconds(48_999))
        #expect(bench.get("/v1/latest/USD", key: "exr_live_a").header("Retry-After") == "1")
        bench.pass(.milliseconds(1))
        #expect(bench.get("/v1/latest/USD", key: "exr_live_a").status == 200)
    }

    @Test("a key's month ends at 00:00 UTC on the 1st")
    func month() throws {
        var bench = try SimulatorBench(at: "2026-12-31T23:59:50Z") { $0.limits.monthly = 1 }
        #expect(bench.get("/v1/latest/USD", key: "exr_live_a").header("X-RateLimit-Reset") == "1798761600")
        let refused = bench.get("/v1/latest/USD", key: "exr_live_a")
        #expect(refused.status == 429)
        #expect(refused.code == "quota_exceeded")
        #expect(refused.header("Retry-After") == "10")
        bench.pass(.seconds(10))
        #expect(bench.get("/v1/latest/USD", key: "exr_live_a").status == 200)
    }

    @Test("anonymous use is limited by address, by minute and hour, never by month")
    func anonymous() throws {
        var bench = try SimulatorBench(at: "2026-10-28T10:30:00Z") {
            $0.limits = QuotaLimits(monthly: 1, perMinute: 2, perHour: 3)
        }
        #expect(bench.get("/v1/latest/USD").status == 200)
        #expect(bench.get("/v1/latest/USD").status == 200)
        let minute = bench.get("/v1/latest/USD")
        #expect(minute.code == "ip_rate_limited")
        #expect(minute.header("Retry-After") == "60")
        bench.pass(.seconds(60))
        #expect(bench.get("/v1/latest/USD").header("X-RateLimit-Remaining") == "0")
        let hour = bench.get("/v1/latest/USD")
        #expect(hour.code == "ip_rate_limited")
        #expect(hour.header("Retry-After") == "1740")
        var other = UpstreamRequest(target: "/v1/latest/USD")
        other.peer = "127.0.0.2"
        #expect(bench.call(other).status == 200)
        bench.pass(.seconds(1_740))
        #expect(bench.get("/v1/latest/USD").status == 200)
    }

    @Test("mistakes count, refusals don't, and without limits no limit is told")
    func counting() throws {
        var bench = try SimulatorBench { $0.limits.monthly = 3 }
        #expect(bench.get("/v1/latest/XXX", key: "exr_live_a").header("X-RateLimit-Remaining") == "2")
        #expect(bench.get("/v1/account", key: "exr_live_a").header("X-RateLimit-Remaining") == "1")
        #expect(bench.get("/v1/latest/USD", key: "wrong").header("X-RateLimit-Remaining") == nil)
        _ = bench.get("/v1/latest/USD", key: "exr_live_a")
        for _ in 0..<3 { #expect(bench.get("/v1/latest/USD", key: "exr_live_a").status == 429) }
        #expect(
            bench.state.quota.callsThisMonth(of: .key("exr_live_a"), at: bench.now) == 3)
        var free = try SimulatorBench()
        #expect(free.get("/v1/latest/USD").header("X-RateLimit-Remaining") == nil)
    }

    @Test("control is no call: neither counted nor limited")
    func control() throws {
        var bench = try SimulatorBench { $0.limits.perMinute = 1 }
        for _ in 0..<20 { #expect(bench.control("GET", "/control/counts").status == 200) }
        #expect(bench.get("/v1/latest/USD").status == 200)
        #expect(bench.get("/v1/latest/USD").status == 429)
        #expect(bench.state.log.counts.calls == 2)
        #expect(bench.control("POST", "/control/reset").text.contains("\"calls\":0"))
        #expect(bench.get("/v1/latest/USD").status == 200)
    }
}
