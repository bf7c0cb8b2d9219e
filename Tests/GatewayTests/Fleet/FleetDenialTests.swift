import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Odd answers of upstream")
    struct OddAnswers {
        @Test(
            "C056: one answer that denies access without a reason is a failed fetch: fresh rates again within seconds",
            .timeLimit(.minutes(1)))
        func denied() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                try #require(await fleet.isWarm())
                for fault in [
                    Fault.status(
                        403, body: "<html>blocked</html>", headers: [("Content-Type", "text/html")]),
                    .status(401, body: #"{"result":"error","code":"auth_unavailable"}"#),
                    .status(401, body: #"{"error":"who are you?"}"#),
                ] {
                    let (before, seen) = (fleet.calls, fleet.simulator.counts.byStatus)
                    let status = try #require(fault.status)
                    fleet.simulator.script(fault)
                    let isMet = await eventually(within: .seconds(5)) {
                        fleet.simulator.counts.byStatus[status, default: 0] > seen[status, default: 0]
                    }
                    try #require(isMet)
                    // The one that has met it waits five seconds, the others for the shared back-off.
                    try #require(await fleet.calls(atLeast: before + 2, within: .seconds(7)))
                    for gateway in fleet.gateways {
                        #expect(
                            await eventually(within: .seconds(5)) {
                                (try? await gateway.rates().state) == "fresh"
                            })
                    }
                    let control = try fleet.control()
                    #expect(control["cd:key"] == nil && control["refused"] == nil, "\(control)")
                }
            }
        }

        @Test(
            "C049: a rate limit pauses the fleet as long as it asks, also in a 200 and in a 503",
            .timeLimit(.minutes(1)))
        func limited() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                try #require(await fleet.isWarm())
                for status in [200, 503] {
                    let calls = fleet.calls
                    fleet.simulator.script(
                        .status(
                            status, body: #"{"result":"error","code":"rate_limited"}"#,
                            headers: [("Retry-After", "7")]))
                    try #require(await fleet.calls(atLeast: calls + 2, within: .seconds(25)))
                    let log = fleet.simulator.log
                    #expect(log[calls + 1].received - log[calls].received >= 6_980)
                }
            }
        }
    }
}
