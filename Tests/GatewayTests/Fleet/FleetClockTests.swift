import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Clocks that lie")
    struct Clocks {
        @Test(
            "C1: instances ten minutes apart, then stepping back an hour and ahead a day, share one pace and one truth",
            .timeLimit(.minutes(4)))
        func apart() async throws {
            let options = FleetOptions {
                $0.gateways = 1
                $0.environment["FXGW_LIVE_TTL"] = "3s"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                let (fast, slow) = try await (ShiftedClock(ahead: 600), ShiftedClock(ahead: -600))
                let ahead = try await fleet.add(environment: fast.environment.mapValues { $0 })[0]
                let behind = try await fleet.add(environment: slow.environment.mapValues { $0 })[0]
                try #require(await fleet.isWarm())
                // The skew is Redis's clock less one's own: so the fault is there, it is measured, and it is said.
                for (gateway, seconds) in [(ahead, -600.0), (behind, 600.0)] {
                    let skew = try await gateway.metric("fxgateway_redis_clock_skew_seconds") ?? 0
                    #expect(abs(skew - seconds) < 2, "\(gateway.name): \(skew)")
                    #expect(await gateway.hasLogged("Redis's clock differs from this machine's"))
                }
                #expect(!fleet.gateways[0].log.contains("clock differs"))
                let load = SteadyLoad(fleet.gateways)
                let calls = fleet.calls
                #expect(await fleet.calls(atLeast: calls + 2))
                try fast.set(ahead: 600 - 3_600)
                try slow.set(ahead: 86_400 - 600)
                #expect(await fleet.calls(atLeast: calls + 5, within: .seconds(25)))
                #expect(await fleet.isWarm(within: .seconds(5)))
                let samples = await load.stop()
                #expect(samples.allSatisfy { $0.reading?.status == 200 })
                // A lifetime of three and ten seconds at the most, whatever any clock says.
                let ages = samples.compactMap { $0.reading?.age }
                #expect(ages.count == samples.count && ages.allSatisfy { (0...13).contains($0) })
                FleetChecks.truth(samples)
                checks.intervals(.seconds(3))
                try await checks.spend(spare: 1)
                for gateway in fleet.gateways { #expect(gateway.process.status == nil) }
            }
        }

        @Test(
            "R16: a real Redis whose clock jumps an hour ahead and back costs one call each, and never the ledger's order",
            .timeLimit(.minutes(4)))
        func redisJumps() async throws {
            let clock = try await ShiftedClock(ahead: 0)
            let options = FleetOptions {
                $0.redis.launcher = ["env"] + clock.environment.map { "\($0.key)=\($0.value)" }
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let load = SteadyLoad(fleet.gateways)
                var epochs = [try Self.epoch(fleet)]
                for ahead in [3_600, 0] as [Int64] {
                    let calls = fleet.calls
                    try clock.set(ahead: ahead)
                    // P6 counts from the fault's end; that there are calls at all while it lasts is more.
                    #expect(await fleet.calls(atLeast: calls + 2, within: .seconds(15)), "at \(ahead) s")
                    epochs.append(try Self.epoch(fleet))
                }
                #expect(await fleet.isWarm(within: .seconds(7)))
                epochs.append(try Self.epoch(fleet))
                let samples = await load.stop()
                #expect(samples.allSatisfy { $0.reading?.status == 200 })
                #expect(epochs == epochs.sorted() && Set(epochs).count >= 3, "\(epochs)")
                let close = checks.callDistances().count { $0 < .milliseconds(1_900) }
                #expect(close <= 2, "more than a call for each jump")
                #expect(fleet.simulator.counts.maxInFlight <= 1)
                try checks.covered()
                for gateway in fleet.gateways { #expect(gateway.process.status == nil) }
            }
        }

        private static func epoch(_ fleet: Fleet) throws -> Int {
            try #require(try fleet.control()["epoch"].flatMap { Int($0) })
        }
    }
}
