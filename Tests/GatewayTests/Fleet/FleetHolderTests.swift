import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("The holder of the lease")
    struct Holder {
        /// Waits for the one gateway that the control names as holder.
        private func holder(of fleet: Fleet) async throws -> GatewayProcess {
            var holder: GatewayProcess?
            _ = try await eventually(within: .seconds(3)) {
                holder = try fleet.holders().first
                return holder != nil
            }
            return try #require(holder, "no flight record names a gateway")
        }

        private func slow(_ delay: Duration) -> Fault {
            var fault = Fault()
            fault.delay = delay
            return fault
        }

        @Test(
            "L1, C113: killed in mid-call, it costs its peers one lease and a back-off, and one call more",
            .timeLimit(.minutes(3)))
        func killed() async throws {
            try await FleetTests.run(FleetOptions { $0.environment["FXGW_LIVE_TTL"] = "60s" }) { fleet in
                let checks = try await FleetChecks(fleet)
                fleet.simulator.script(slow(.milliseconds(1_800)))
                let clients = fleet.gateways.map {
                    CrowdClient(port: $0.port, requests: [GatewayProcess.request("GET", "/v1/rate/EUR-USD")])
                }
                let asked = ContinuousClock.now
                let crowd = Task { try await Crowd.ask(clients, within: .seconds(20)) }
                try #require(await fleet.calls(atLeast: 1))
                let holder = try await holder(of: fleet)
                let killed = ContinuousClock.now - asked
                holder.signal(SIGKILL)
                let answers = try await crowd.value
                let waited = (answers.map(\.after).max() ?? .zero) - killed
                #expect(answers.map(\.answer.status) == [200, 200])
                // The lease, the first back-off of one second and a twentieth, and one second.
                #expect(waited <= .seconds(5) + .milliseconds(1_050) + .seconds(1))
                print("fleet: answered \(waited) after the holder was killed, with a lease of 5 s")
                try await checks.spend(calls: 2)
                let keys = try fleet.keys()
                #expect(keys.filter { $0.value < 0 }.map(\.key) == ["control:2"])
                let expected = ["control:2", "limits", "members", "snap:latest:EUR"]
                #expect(
                    keys.keys.filter { !$0.hasPrefix("archive") && !$0.hasPrefix("ledger:") }.sorted()
                        == expected)
                #expect(try fleet.control()["flights"]?.contains(":\(holder.process.identifier)\"") == true)
            }
        }

        @Test(
            "L2: paused past its lease, it overwrites nothing newer and settles nothing twice",
            .timeLimit(.minutes(3)))
        func paused() async throws {
            try await FleetTests.run { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                fleet.simulator.script(slow(.milliseconds(1_500)))
                let before = fleet.calls
                try #require(await fleet.calls(atLeast: before + 1))
                // The script may be taken by the call after: wait for the slow one.
                try #require(await eventually(within: .seconds(10)) { fleet.simulator.counts.inFlight == 1 })
                let holder = try await holder(of: fleet)
                holder.signal(SIGSTOP)
                let calls = fleet.calls
                // The lease ends, the others fetch: at least two newer snapshots.
                try #require(await fleet.calls(atLeast: calls + 2, within: .seconds(20)))
                try #require(
                    await eventually(within: .seconds(5)) { fleet.simulator.counts.inFlight == 0 })
                let token = try await storedToken(fleet)
                holder.signal(SIGCONT)
                let late = try await eventually(within: .seconds(5), step: .milliseconds(100)) {
                    try await lateEnds(of: holder) >= 1
                }
                let fenced = try await holder.metric("fxgateway_lease_fenced_total") ?? 0
                print("fleet: the paused holder's answer was \(fenced > 0 ? "fenced" : "cut off")")
                #expect(late, "the late answer was neither refused nor cut off")
                #expect(try await storedToken(fleet) >= token)
                let reading = try await holder.rates()
                #expect(reading.status == 200)
                // It is back in the fleet: it follows what the others fetch.
                let others = fleet.gateways.filter { $0 !== holder }
                let isLevel = try await eventually(within: .seconds(5), step: .milliseconds(50)) {
                    let mine = try await holder.rates()
                    let theirs = try await others[0].rates()
                    return mine.snapshot == theirs.snapshot && mine.state == "fresh"
                }
                #expect(isLevel)
                // Each call is reserved once and given back never.
                try await checks.spend()
            }
        }

        @Test(
            "L2, C115: cut off from Redis with an answer in hand and paused, it is refused as fenced when it tells",
            .timeLimit(.minutes(3)))
        func fenced() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.environment["FXGW_LIVE_TTL"] = "60s"
            }
            try await FleetTests.run(options) { fleet in
                let proxy = try TCPProxy(to: fleet.redis.port)
                fleet.simulator.script(slow(.milliseconds(1_500)))
                let late = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://127.0.0.1:\(proxy.port)"
                ])[0]
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.calls(atLeast: 1))
                await proxy.set(.hang)
                let others = try await fleet.add(2)
                // It has the answer and can't tell.
                let isHeld = try await eventually(within: .seconds(5)) {
                    try await late.metric("fxgateway_upstream_requests_total{outcome=\"ok\"}") == 1
                }
                try #require(isHeld)
                late.signal(SIGSTOP)
                try #require(await fleet.calls(atLeast: 2))
                let theirs = try await others[0].rates()
                let token = try await storedToken(fleet)
                await proxy.set(.none)
                await proxy.reset()
                late.signal(SIGCONT)
                let isFenced = try await eventually(within: .seconds(8), step: .milliseconds(100)) {
                    try await late.metric("fxgateway_lease_fenced_total") == 1
                }
                #expect(isFenced)
                #expect(try await storedToken(fleet) == token)
                #expect(try await late.rates().snapshot == theirs.snapshot)
                try await checks.spend(calls: 2)
                late.stop()
                await proxy.stop()
            }
        }

        /// Answers that came too late, however the process noticed.
        private func lateEnds(of gateway: GatewayProcess) async throws -> Double {
            let fenced = try await gateway.metric("fxgateway_lease_fenced_total") ?? 0
            let cut =
                try await gateway.metric("fxgateway_upstream_requests_total{outcome=\"cut_off\"}") ?? 0
            return fenced + cut
        }

        private func storedToken(_ fleet: Fleet) async throws -> Int {
            let text = try fleet.redis.cli("HGET", fleet.prefix + "snap:latest:EUR", "token")
            return try #require(Int(text))
        }
    }
}
