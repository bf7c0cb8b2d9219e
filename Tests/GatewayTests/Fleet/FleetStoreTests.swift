import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Redis comes and goes")
    struct Store {
        @Test(
            "R2, R8, R14: stopped and started under load, hot answers go on, nobody calls, and nobody is restarted",
            .timeLimit(.minutes(3)))
        func outage() async throws {
            try await FleetTests.run { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let load = SteadyLoad(fleet.gateways)
                try #require(await fleet.calls(atLeast: fleet.calls + 1))
                // Not in mid-call: an answer that can't be told is adopted later, and would make all fresh without a call.
                try #require(try await fleet.isQuiet())
                let calls = fleet.calls
                let used = try #require(try fleet.used())
                let down = Self.now
                fleet.redis.stop()
                let isNoticed = try await eventually(within: .seconds(5), step: .milliseconds(100)) {
                    try await fleet.gateways[2].ask("GET", "/readyz").text.contains("store_down")
                }
                #expect(isNoticed)
                // Past interval and lifetime, so that stale answers are among them.
                let stale = try await eventually(within: .seconds(8), step: .milliseconds(100)) {
                    let reading = try await fleet.gateways[0].rates()
                    return reading.state == "stale" && reading.reason == "store_down"
                }
                #expect(stale)
                for gateway in fleet.gateways {
                    #expect(try await gateway.ask("GET", "/readyz").status == 200)
                }
                let up = Self.now
                try await fleet.redis.restart()
                let began = ContinuousClock.now
                #expect(await fleet.isWarm(within: .seconds(7)))
                let recovered = ContinuousClock.now - began
                try #require(fleet.calls > calls)
                let isReported = try await eventually(within: .seconds(3), step: .milliseconds(100)) {
                    try await fleet.gateways[2].ask("GET", "/readyz").text.contains("\"degraded\":[]")
                }
                #expect(isReported)
                let samples = await load.stop()
                #expect(recovered <= .seconds(7) * MachineLoad.factor)
                let failed = samples.filter { $0.reading?.status != 200 }
                #expect(failed.isEmpty)
                let p99 = samples.filter { $0.wall > down && $0.wall < up }.latency(percent: 99)
                #expect(p99 < .milliseconds(500) * MachineLoad.factor)
                #expect(!fleet.simulator.log.contains { $0.received > down && $0.received < up })
                // A control that is made anew grants nothing for 3 s.
                let first = fleet.simulator.log[calls].received
                print("fleet: first call \(first - up) ms after Redis was started again")
                #expect(first >= up + 3_000)
                FleetChecks.truth(samples)
                checks.intervals(.seconds(2))
                let after = try #require(try fleet.used())
                #expect(after >= used, "an emptied server gave budget back")
                try checks.covered()
                #expect(fleet.gateways.allSatisfy { $0.process.status == nil })
                print("fleet: p99 \(p99) without Redis, fresh \(recovered) after it was back")
            }
        }

        @Test(
            "R13, R14: FLUSHALL under load gives no budget back, and memories refill the snapshots without a call",
            .timeLimit(.minutes(3)))
        func flush() async throws {
            try await FleetTests.run(FleetOptions { $0.environment["FXGW_LIVE_TTL"] = "8s" }) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let token = try fleet.redis.cli("HGET", fleet.prefix + "snap:latest:EUR", "token")
                let load = SteadyLoad(fleet.gateways)
                let used = try #require(try fleet.used())
                let calls = fleet.calls
                try fleet.redis.cli("FLUSHALL")
                let isRefilled = try await eventually(within: .seconds(4)) {
                    try fleet.redis.cli("HGET", fleet.prefix + "snap:latest:EUR", "token") == token
                }
                #expect(isRefilled)
                #expect(try #require(try fleet.used()) >= used)
                // Evicted alone, it is refilled as well.
                try fleet.redis.cli("DEL", fleet.prefix + "snap:latest:EUR")
                let isBack = try await eventually(within: .seconds(3)) {
                    try fleet.redis.cli("HGET", fleet.prefix + "snap:latest:EUR", "token") == token
                }
                #expect(isBack)
                #expect(fleet.calls == calls)
                try #require(await fleet.calls(atLeast: calls + 1))
                let samples = await load.stop()
                let failed = samples.filter { $0.reading?.status != 200 }
                #expect(failed.isEmpty)
                FleetChecks.truth(samples)
                checks.intervals(.seconds(8))
                try checks.covered()
            }
        }

        @Test(
            "R3, R10: one instance cut off from Redis serves its memory and calls nobody, and follows once it is back",
            .timeLimit(.minutes(3)))
        func partition() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                let checks = try await FleetChecks(fleet)
                let proxy = try TCPProxy(to: fleet.redis.port)
                let alone = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://127.0.0.1:\(proxy.port)"
                ])[0]
                try #require(await fleet.isWarm())
                let load = SteadyLoad([alone] + fleet.gateways.prefix(2))
                await proxy.set(.hang)
                let isStale = try await eventually(within: .seconds(10), step: .milliseconds(100)) {
                    let reading = try await alone.rates()
                    return reading.state == "stale" && reading.reason == "store_down"
                }
                #expect(isStale)
                let before = fleet.calls
                #expect(await fleet.calls(atLeast: before + 1), "the others go on")
                await proxy.set(.none)
                await proxy.reset()
                // Two looks and the longest pause of a reconnect.
                #expect(await fleet.isWarm(within: .seconds(5)))
                let samples = await load.stop()
                let failed = samples.filter { $0.reading?.status != 200 }
                #expect(failed.isEmpty)
                let p99 = samples.filter { $0.gateway == 0 }.latency(percent: 99)
                #expect(p99 < .milliseconds(500) * MachineLoad.factor)
                print("fleet: p99 \(p99) of an instance that Redis doesn't answer")
                FleetChecks.truth(samples)
                checks.intervals(.seconds(2))
                // At the most the call that it held a lease for when it was cut off.
                try await checks.spend(spare: 1)
                alone.stop()
                await proxy.stop()
            }
        }

        @Test(
            "R1: away at the start, it is reported, nobody calls, and it is found once it is there",
            .timeLimit(.minutes(3)))
        func awayAtStart() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                fleet.redis.stop()
                let gateway = try await fleet.add(environment: ["FXGW_WAIT_LIMIT": "500ms"])[0]
                let isReady = try await eventually(within: .seconds(10), step: .milliseconds(50)) {
                    try await gateway.ask("GET", "/readyz").status == 200
                }
                #expect(isReady)
                #expect(try await gateway.ask("GET", "/readyz").text.contains("store_down"))
                #expect(try await gateway.ask("GET", "/healthz").status == 200)
                let cold = try await gateway.ask("GET", "/v1/latest/EUR")
                #expect(cold.status == 503)
                #expect(cold.text.contains("store-unavailable"))
                #expect(cold.field("retry-after") != nil)
                #expect(fleet.calls == 0)
                try await fleet.redis.restart()
                let began = ContinuousClock.now
                // The grace of a new control, and five seconds.
                #expect(await fleet.isWarm(within: .seconds(8)))
                print("fleet: first rates \(ContinuousClock.now - began) after Redis came")
                #expect(fleet.calls == 1)
                #expect(gateway.log.split(separator: "\n").count { $0.contains("Redis is not reached") } <= 2)
            }
        }

        @Test("R19: a garbage value is a miss that the next fetch replaces", .timeLimit(.minutes(3)))
        func garbage() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                _ = try await FleetChecks(fleet)
                let key = fleet.prefix + "snap:latest:EUR"
                try fleet.redis.cli("SET", key, "no hash at all")
                try #require(await fleet.isWarm())
                let written = try await eventually(within: .seconds(5)) {
                    try fleet.redis.cli("TYPE", key) == "hash"
                }
                #expect(written)
                // Well-formed but for its body: only whoever reads it can tell.
                let old = Int(try fleet.redis.cli("HGET", key, "token")) ?? 0
                try fleet.redis.cli("HSET", key, "body", "\u{1}garbage", "token", "\(old + 1_000)")
                let newcomer = try await fleet.add()[0]
                #expect(await fleet.isWarm())
                let token = try await eventually(within: .seconds(8), step: .milliseconds(50)) {
                    (Int(try fleet.redis.cli("HGET", key, "token")) ?? 0) > old + 1_000
                }
                #expect(token, "the next fetch has not replaced it")
                #expect(try await newcomer.rates().status == 200)
                #expect(fleet.gateways.allSatisfy { $0.process.status == nil })
            }
        }

        @Test("SCRIPT FLUSH costs nothing, and fleets of other names share nothing", .timeLimit(.minutes(3)))
        func neighbours() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                _ = try await FleetChecks(fleet)
                let other = try await fleet.add(environment: ["FXGW_FLEET": "other", "FXGW_LIVE_TTL": "60s"])
                try #require(await fleet.isWarm())
                try fleet.redis.cli("SCRIPT", "FLUSH")
                let calls = fleet.calls
                try #require(await fleet.calls(atLeast: calls + 2))
                for gateway in fleet.gateways {
                    #expect(!gateway.log.contains("the store can't be asked"), "\(gateway.name)")
                    #expect(try await gateway.metric("fxgateway_store_failures_total") == 0)
                }
                let mine = try await fleet.gateways[0].rates()
                let theirs = try await other[0].rates()
                #expect(mine.snapshot != theirs.snapshot)
                let keys = try fleet.redis.cli("KEYS", "*").split(separator: "\n")
                let foreign = fleet.prefix.replacing("{fxgw:test:", with: "{fxgw:other:")
                #expect(keys.allSatisfy { $0.hasPrefix(fleet.prefix) || $0.hasPrefix(foreign) })
                #expect(try fleet.redis.cli("HGET", foreign + "control:2", "counted") != "(nil)")
                let status = try await other[0].ask("GET", "/v1/status").text
                #expect(status.contains("\"fleet\":\"other\""))
            }
        }

        private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
    }
}
