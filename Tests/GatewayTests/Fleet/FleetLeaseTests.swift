import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("The lease and what befalls Redis")
    struct Lease {
        private static func slow(_ delay: Duration) -> Fault {
            var fault = Fault()
            fault.delay = delay
            return fault
        }

        @Test(
            "R12, R14, C119: the control deleted while 50 wait costs one call more at the most; all are answered in time",
            .timeLimit(.minutes(3)))
        func deleted() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.environment["FXGW_LIVE_TTL"] = "60s"
            }
            try await FleetTests.run(options) { fleet in
                fleet.simulator.script(Self.slow(.milliseconds(1_500)))
                let clients = (0..<50).map { number in
                    CrowdClient(
                        port: fleet.gateways[number % 2].port,
                        requests: [GatewayProcess.request("GET", "/v1/latest/EUR")])
                }
                let crowd = Task { try await Crowd.ask(clients, within: .seconds(20)) }
                try #require(await fleet.calls(atLeast: 1))
                try #require(try await eventually(within: .seconds(1)) { try fleet.holders().count == 1 })
                #expect(try fleet.redis.cli("DEL", fleet.prefix + "control:2") == "1")
                let answers = try await crowd.value
                #expect(answers.count == 50 && answers.allSatisfy { $0.answer.status == 200 })
                // FXGW_WAIT_LIMIT of this fleet is 20 s; a whole lease, back-off and grace would be 9 s.
                let longest = answers.map(\.after).max() ?? .zero
                #expect(longest < .seconds(9))
                #expect((1...2).contains(fleet.calls))
                for gateway in fleet.gateways {
                    #expect(gateway.process.status == nil)
                    #expect(!gateway.log.contains("\"level\":\"error\""))
                }
                print(
                    "fleet: control deleted in mid-call: \(fleet.calls) calls, waits up to \(longest)"
                )
            }
        }

        @Test(
            "C121: holder and Redis killed together: the lease comes back from the file, ends in its time, and stale goes on",
            .timeLimit(.minutes(3)))
        func bothKilled() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.redis.appendOnly = true
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                fleet.simulator.script(Self.slow(.milliseconds(1_900)))
                try #require(await eventually(within: .seconds(10)) { fleet.simulator.counts.inFlight == 1 })
                var found: GatewayProcess?
                _ = try await eventually(within: .seconds(1)) {
                    found = try fleet.holders().first
                    return found != nil
                }
                let holder = try #require(found)
                let other = try #require(fleet.gateways.first { $0 !== holder })
                let calls = fleet.calls
                holder.signal(SIGKILL)
                fleet.redis.stop()
                let killed = ContinuousClock.now
                let load = SteadyLoad([other])
                try await fleet.redis.restart()
                #expect(
                    try fleet.control()["flights"]?.contains(":\(holder.process.identifier)\"") == true,
                    "the lease is in the file")
                try #require(await fleet.calls(atLeast: calls + 1, within: .seconds(15)))
                let recovered = ContinuousClock.now - killed
                // The lease or the grace, whichever is longer, the first back-off with its twentieth, and a second.
                #expect(recovered <= .seconds(5) + .milliseconds(1_050) + .seconds(1))
                let isFresh = try await eventually(within: .seconds(3)) {
                    try await other.rates().state == "fresh"
                }
                #expect(isFresh)
                let samples = await load.stop()
                #expect(samples.allSatisfy { $0.reading?.status == 200 })
                #expect(samples.contains { $0.reading?.state == "stale" })
                FleetChecks.truth(samples)
                let lifetimes = try fleet.keys().filter { $0.value < 0 }.map(\.key)
                #expect(lifetimes == ["control:2"])
                try checks.covered()
                print("fleet: called \(recovered) after holder and Redis were killed, with a lease of 5 s")
            }
        }

        @Test(
            "R12, C126: a full allkeys-lru that evicts the control costs few calls, none closer than an interval, and is warned of",
            .timeLimit(.minutes(3)))
        func evicted() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.redis.settings = ["--maxmemory", "6mb", "--maxmemory-policy", "allkeys-lru"]
                $0.redis.settings += ["--maxmemory-samples", "10"]
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                for gateway in fleet.gateways {
                    #expect(await gateway.hasLogged("may evict"))
                    #expect(try await gateway.metric("fxgateway_redis_may_evict_control") == 1)
                }
                let load = SteadyLoad(fleet.gateways)
                let calls = fleet.calls
                let began = ContinuousClock.now
                var losses = 0
                let session = try fleet.redis.session()
                let filler = String(repeating: "x", count: 100_000)
                var number = 0
                while .now - began < .seconds(9) {
                    // Other data that is used all the time: the fleet's keys are the oldest ones.
                    for _ in 0..<150 {
                        number += 1
                        try session.send(["SET", "other:\(number)", filler])
                    }
                    if try fleet.redis.cli("EXISTS", fleet.prefix + "control:2") == "0" { losses += 1 }
                    _ = await eventually(within: .milliseconds(300)) { false }
                }
                let passed = ContinuousClock.now - began
                let samples = await load.stop()
                #expect(losses > 0, "nothing was evicted")
                #expect(samples.allSatisfy { $0.reading?.status == 200 })
                FleetChecks.truth(samples)
                checks.intervals(.seconds(2))
                let made = fleet.calls - calls
                #expect(made <= Int(passed / .seconds(2)) + 1)
                print("fleet: control found evicted \(losses) times in \(passed), \(made) calls")
            }
        }
    }
}
