import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("The end of an instance")
    struct Stop {
        @Test(
            "L9, C174: at SIGTERM all 100 that wait are answered, new ones are refused, and the lease is free",
            .timeLimit(.minutes(3)))
        func waiting() async throws {
            let options = FleetOptions {
                $0.gateways = 1
                $0.upstream.latency = .seconds(1)
                $0.environment["FXGW_LIVE_TTL"] = "60s"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                let gateway = fleet.gateways[0]
                let idle = try (0..<200).map { _ in try RawHTTPClient(port: gateway.port) }
                let clients = (0..<100).map { _ in
                    CrowdClient(
                        port: gateway.port, requests: [GatewayProcess.request("GET", "/v1/latest/EUR")])
                }
                let answers = Task { try await Crowd.ask(clients, within: .seconds(15)) }
                try #require(await fleet.calls(atLeast: 1))
                let began = ContinuousClock.now
                gateway.signal(SIGTERM)
                let isRefused = await eventually(within: .milliseconds(800)) {
                    (try? RawHTTPClient(port: gateway.port)) == nil
                }
                #expect(isRefused, "a new connection was taken while draining")
                let answered = try await answers.value
                #expect(answered.count == 100)
                #expect(answered.allSatisfy { $0.answer.status == 200 })
                #expect(answered.allSatisfy { $0.answer.field("connection") == "close" })
                #expect(await gateway.ended(within: .seconds(10)) == 0)
                print("fleet: drained 200 idle and 100 waiting in \(ContinuousClock.now - began)")
                #expect(idle.allSatisfy { $0.isClosedByServer(within: .seconds(1)) })
                #expect(try fleet.control()["flights"] == "[]")
                try await checks.spend(calls: 1)
                // What it has paid for serves the next one, and an operator may fetch at once.
                let next = try await fleet.add()[0]
                #expect(try await next.rates().status == 200)
                #expect(try await next.refresh().text.contains("\"outcome\":\"fetched\""))
                try await checks.spend(calls: 2)
            }
        }

        @Test(
            "C174: what can't be answered within the drain time is cut off, and the lease is free all the same",
            .timeLimit(.minutes(3)))
        func drainLimit() async throws {
            let options = FleetOptions {
                $0.gateways = 1
                $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "8s"
                $0.environment["FXGW_LEASE_TTL"] = "11s"
                $0.environment["FXGW_DRAIN_TIMEOUT"] = "1s"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                var fault = Fault()
                fault.ending = .hang
                fleet.simulator.script(fault)
                let gateway = fleet.gateways[0]
                let cut = Task { try? await gateway.rates(within: .seconds(9)) }
                try #require(await fleet.calls(atLeast: 1))
                let end = try await gateway.end(by: SIGTERM, within: .seconds(6))
                #expect(end.status == 0)
                #expect(end.after >= .milliseconds(900) && end.after < .seconds(3))
                #expect(await cut.value == nil)
                #expect(try fleet.control()["flights"] == "[]")
                let next = try await fleet.add()[0]
                #expect(try await next.rates().status == 200)
                try await checks.spend(calls: 2)
            }
        }

        @Test(
            "L9: a holder that nobody waits for hands over within a second",
            .timeLimit(.minutes(3)))
        func handOver() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.environment["FXGW_LIVE_TTL"] = "4s"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                var fault = Fault()
                fault.delay = .milliseconds(1_900)
                fleet.simulator.script(fault)
                let before = fleet.calls
                try #require(await fleet.calls(atLeast: before + 1))
                var holder: GatewayProcess?
                _ = try await eventually(within: .seconds(1)) {
                    holder = try fleet.holders().first
                    return holder != nil
                }
                let gateway = try #require(holder)
                let began = Int64(Date().timeIntervalSince1970 * 1_000)
                let end = try await gateway.end(by: SIGTERM, within: .seconds(5))
                #expect(end.status == 0)
                #expect(end.after < .seconds(1))
                let other = try #require(fleet.gateways.first { $0 !== gateway })
                try #require(await fleet.calls(atLeast: before + 2))
                let handedOver = fleet.simulator.log[before + 1].received - began
                print("fleet: stopped in \(end.after), the next call \(handedOver) ms after the signal")
                #expect(handedOver < 1_000)
                try #require(await eventually(within: .seconds(3)) { fleet.simulator.counts.inFlight == 0 })
                let isFree = try await eventually(within: .seconds(2)) {
                    try fleet.control()["flights"] == "[]"
                }
                #expect(isFree)
                #expect(try await other.rates().status == 200)
                try await checks.spend(spare: 0)
            }
        }
    }
}
