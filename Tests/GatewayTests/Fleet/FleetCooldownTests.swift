import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Limits of upstream")
    struct Limits {
        private static let pause = 30

        @Test(
            "C083, C090, U3, U4: a 429 stops all instances for its time, then one probe, then a doubled interval",
            .timeLimit(.minutes(4)))
        func cooldown() async throws {
            try await FleetTests.run { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                fleet.simulator.script(.status(429, headers: [("Retry-After", "\(Self.pause)")]))
                try #require(
                    await eventually(within: .seconds(10)) { fleet.simulator.counts.byStatus[429] == 1 })
                let limited = fleet.calls
                let load = SteadyLoad(fleet.gateways, every: .milliseconds(50))
                try await cooldownKey(of: fleet)
                try #require(await fleet.calls(atLeast: limited + 2, within: .seconds(Self.pause + 19)))
                let samples = await load.stop()
                try check(samples, fleet, limited: limited)
                let distances = checks.callDistances()
                let doubled = distances[limited]
                let pause = distances[limited - 1]
                print("fleet: pause \(pause) of \(Self.pause) s, then an interval of \(doubled) for 2 s")
                // Twice the interval, a twentieth of jitter, and a look's distance.
                #expect(doubled >= .seconds(4) - .milliseconds(100))
                #expect(doubled <= .milliseconds(4_200) + .milliseconds(1_500))
                checks.intervals(.seconds(2))
                try await checks.spend(spare: 1)
            }
        }

        private func cooldownKey(of fleet: Fleet) async throws {
            var rest = 0
            _ = try await eventually(within: .seconds(2)) {
                rest = try fleet.keys()["cooldown"] ?? 0
                return rest > 0
            }
            #expect((1...(Self.pause * 1_000)).contains(rest))
            let text = try fleet.redis.cli("GET", fleet.prefix + "cooldown")
            #expect(text.hasPrefix("short "))
        }

        private func check(_ samples: [SteadyLoad.Sample], _ fleet: Fleet, limited: Int) throws {
            let log = fleet.simulator.log
            let met = log[limited - 1].received
            let probe = log[limited].received
            #expect(probe - met >= Int64(Self.pause) * 1_000 - 20)
            // The end, a twentieth of jitter, a look.
            #expect(probe - met <= Int64(Self.pause) * 1_050 + 1_500)
            FleetChecks.truth(samples)
            let lag = PromiseCheck(PromiseTerms(interval: .seconds(2)), answers: samples).publicationLag()
            #expect(lag <= .seconds(1))
            print("fleet: a snapshot is on all instances \(lag) after the first")
            #expect(samples.allSatisfy { $0.reading?.status == 200 })
            // Answered before the pause ends: from then on the probe is on its way, and that is the reason.
            let end = met + Int64(Self.pause) * 1_000
            let inPause = samples.filter {
                $0.wall > met + 500 && $0.wall + Int64($0.latency / .milliseconds(1)) < end
            }
            let stale = inPause.filter { $0.reading?.state == "stale" }
            #expect(Set(stale.map(\.gateway)).count == 3, "stale answers of every instance")
            for sample in stale {
                #expect(sample.reading?.reason == "cooldown")
                #expect(sample.reading?.cacheStatus?.contains("detail=cooldown") == true)
                let until = sample.reading?.cooldownUntil.flatMap(RateReading.instant) ?? 0
                #expect(abs(until - met - Int64(Self.pause) * 1_000) < 1_500)
            }
        }

        @Test(
            "C090: forced refreshes within a pause are refused with its end, on every instance, without call or strike",
            .timeLimit(.minutes(1)))
        func forcedWithin() async throws {
            try await FleetTests.run { fleet in
                try #require(await fleet.isWarm())
                fleet.simulator.script(.status(429, headers: [("Retry-After", "\(Self.pause)")]))
                try #require(
                    await eventually(within: .seconds(10)) { fleet.simulator.counts.byStatus[429] == 1 })
                let isKnown = try await eventually(within: .seconds(5)) {
                    try fleet.control()["cd:short"] != nil
                }
                try #require(isKnown)
                let (calls, used) = (fleet.calls, try fleet.used())
                for _ in 0..<3 {
                    for answer in try await forced(3, fleet) {
                        #expect(answer.status == 503 && answer.text.contains("upstream-cooldown"))
                        #expect(answer.text.contains("The pause ends at "))
                        let wait = answer.field("retry-after").flatMap(Int.init) ?? 0
                        #expect((1...Self.pause).contains(wait), "\(wait) s")
                    }
                }
                #expect(fleet.calls == calls)
                #expect(try fleet.used() == used)
                let record = try fleet.control()["cd:short"] ?? ""
                #expect(record.contains(#""strikes":1"#) || record.contains(#""strikes":"1""#), "\(record)")
                #expect(
                    try await fleet.gateways[0].ask(
                        "DELETE", "/admin/cooldown",
                        fields: ["Authorization: Bearer \(FleetOptions.adminToken)"]
                    ).status == 200)
                let isFetched = try await eventually(within: .seconds(10)) {
                    try await forced(1, fleet).first?.status == 200
                }
                #expect(isFetched && fleet.calls > calls)
            }
        }

        @Test(
            "a plan with 8 calls left stands 30 forced refreshes at once: 8 calls at most, then honest refusals",
            .timeLimit(.minutes(3)))
        func lastCalls() async throws {
            let options = FleetOptions {
                $0.environment["FXGW_QUOTA_MONTHLY"] = "1000"
                $0.environment["FXGW_LIVE_TTL"] = "60s"
            }
            try await FleetTests.run(options) { fleet in
                _ = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let before = fleet.calls
                try fleet.redis.cli("HSET", fleet.prefix + "control:2", "counted", "992")
                var rounds = 0
                var refused: [RawHTTPClient.Answer] = []
                var unexpected: [String] = []
                repeat {
                    rounds += 1
                    let answers = try await forced(30, fleet)
                    refused = answers.filter { $0.text.contains("quota-exhausted") }
                    for answer in answers where answer.status != 200 && answer.status != 409 {
                        if !answer.text.contains("quota-exhausted") { unexpected.append(answer.text) }
                    }
                } while refused.count < 30 && rounds < 15
                let calls = fleet.calls - before
                #expect(calls == 8)
                #expect(try fleet.used() == 1_000)
                #expect(refused.count == 30, "after \(rounds) rounds")
                #expect(unexpected.isEmpty, "\(unexpected.prefix(2))")
                for answer in refused {
                    #expect(answer.status == 503)
                    let wait = answer.field("retry-after").flatMap(Int.init) ?? 0
                    #expect((1...(32 * 86_400)).contains(wait))
                }
                #expect(fleet.simulator.counts.maxInFlight <= 1)
                // What is held is still served.
                #expect(try await fleet.gateways[0].rates().status == 200)
                print("fleet: \(calls) calls in \(rounds) rounds of 30 forced refreshes with 8 left")
            }
        }

        /// So many forced refreshes at once, spread over the instances.
        private func forced(_ count: Int, _ fleet: Fleet) async throws -> [RawHTTPClient.Answer] {
            let request = GatewayProcess.request(
                "POST", "/admin/refresh/EUR?force=true",
                fields: ["Authorization: Bearer \(FleetOptions.adminToken)"])
            let clients = (0..<count).map {
                CrowdClient(port: fleet.gateways[$0 % 3].port, requests: [request])
            }
            return try await Crowd.ask(clients, within: .seconds(Self.pause + 19)).map(\.answer)
        }
    }
}
