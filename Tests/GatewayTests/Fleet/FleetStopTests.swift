import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("The end of an instance")
    struct Stop {
        @Test(
            "L9, C174: at SIGTERM all 100 that wait are answered, new ones are refused, and the lease is free",
            .timeLimit(.minutes(1)))
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
                try checks.spend(calls: 1)
                // What it has paid for serves the next one, and an operator may fetch at once.
                let next = try await fleet.add()[0]
                #expect(try await next.rates().status == 200)
                #expect(try await next.refresh().text.contains("\"outcome\":\"fetched\""))
                try checks.spend(calls: 2)
            }
        }

        @Test(
            "L9: a holder that nobody waits for hands over within a second",
            .timeLimit(.minutes(1)))
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
                let before = fleet.simulator.calls
                try #require(await fleet.calls(atLeast: before + 1))
                var holder: GatewayProcess?
                _ = try await eventually(within: .seconds(1)) {
                    holder = try fleet.holders().first
                    return holder != nil
                }
                let gateway = try #require(holder)
                let began = ContinuousClock.now
                gateway.signal(SIGTERM)
                #expect(await gateway.ended(within: .seconds(5)) == 0)
                let ended = ContinuousClock.now - began
                #expect(ended < .seconds(1))
                #expect(try fleet.control()["flights"] == "[]")
                let other = try #require(fleet.gateways.first { $0 !== gateway })
                try #require(await fleet.calls(atLeast: before + 2))
                let handedOver = ContinuousClock.now - began
                print("fleet: stopped in \(ended), the next call \(handedOver) after the signal")
                #expect(handedOver < .seconds(1))
                try #require(await eventually(within: .seconds(3)) { fleet.simulator.counts.inFlight == 0 })
                #expect(try await other.rates().status == 200)
                try checks.spend(spare: 0)
            }
        }
    }
}
