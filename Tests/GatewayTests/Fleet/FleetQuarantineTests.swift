import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Rates that jump upstream")
    struct Quarantine {
        private static let jump: Fault = {
            var fault = Fault(times: nil)
            fault.overrides.rates = ["USD": "3.5"]
            return fault
        }()

        private func text(_ gateway: GatewayProcess) async throws -> String {
            try await gateway.ask("GET", "/v1/latest/EUR?symbols=USD,JPY").text
        }

        /// Whether the dollar is held back at an instance, and the yen is not.
        private func isHeldBack(_ gateway: GatewayProcess) async throws -> Bool {
            let body = try await text(gateway)
            return body.contains(#""stale_symbols":["USD"]"#) && body.contains(#""reason":"quarantine""#)
                && !body.contains("3.5,")
        }

        private func isTaken(_ gateway: GatewayProcess) async throws -> Bool {
            let body = try await text(gateway)
            return body.contains(#""USD":3.5"#) && !body.contains("stale_symbols")
        }

        private func sum(_ metric: String, _ fleet: Fleet) async throws -> Double {
            var sum = 0.0
            for gateway in fleet.gateways { sum += try await gateway.metric(metric) ?? 0 }
            return sum
        }

        @Test(
            "U11: one instance sees the jump, all hold it back; an operator's word at another one ends it everywhere",
            .timeLimit(.minutes(3)))
        func operatorsWord() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.environment["FXGW_LIVE_TTL"] = "300s"
            }
            try await FleetTests.run(options) { fleet in
                try #require(await fleet.isWarm())
                let (one, two) = (fleet.gateways[0], fleet.gateways[1])
                fleet.simulator.script(Self.jump)
                #expect(try await one.refresh().status == 200)
                for gateway in fleet.gateways {
                    let isThere = try await eventually(within: .seconds(5)) {
                        try await isHeldBack(gateway)
                    }
                    #expect(isThere, "\(gateway.name)")
                }
                let status = try await two.ask("GET", "/v1/status").text
                #expect(status.contains(#""id":"EUR-USD""#) && status.contains(#""held_back":3.5,"#))
                let calls = fleet.calls
                let fields = ["Authorization: Bearer \(FleetOptions.adminToken)"]
                let wrong = try await two.ask(
                    "POST", "/admin/quarantine/EUR-JPY/accept", fields: fields, within: .seconds(10))
                #expect(wrong.status == 404)
                let answer = try await two.ask(
                    "POST", "/admin/quarantine/eur-usd/accept", fields: fields, within: .seconds(10))
                #expect(
                    answer.status == 200 && answer.text.contains(#""accepted":["USD"]"#), "\(answer.text)")
                for gateway in fleet.gateways {
                    let isThere = try await eventually(within: .seconds(5)) { try await isTaken(gateway) }
                    #expect(isThere, "\(gateway.name)")
                    #expect(
                        try await gateway.metric("fxgateway_quarantine_symbols{resource=\"latest:EUR\"}") == 0
                    )
                }
                #expect(fleet.calls == calls)
                #expect(try await sum("fxgateway_quarantine_total{outcome=\"held_back\"}", fleet) == 1)
                #expect(try await sum("fxgateway_quarantine_total{outcome=\"by_operator\"}", fleet) == 1)
                // The next answer is measured from what was accepted.
                #expect(try await one.refresh().status == 200)
                #expect(try await isTaken(one))
            }
        }

        @Test(
            "U11: three answers in a row let it in, whoever fetches them, with one line each in the whole fleet",
            .timeLimit(.minutes(3)))
        func confirmed() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                try #require(await fleet.isWarm())
                fleet.simulator.script(Self.jump)
                var sawHeldBack = false
                let isIn = try await eventually(within: .seconds(20)) {
                    for gateway in fleet.gateways where try await isHeldBack(gateway) { sawHeldBack = true }
                    for gateway in fleet.gateways {
                        guard try await isTaken(gateway) else { return false }
                    }
                    return true
                }
                #expect(isIn && sawHeldBack)
                for outcome in ["held_back", "confirmed"] {
                    #expect(
                        try await sum("fxgateway_quarantine_total{outcome=\"\(outcome)\"}", fleet) == 1,
                        "\(outcome)")
                }
                let lines = fleet.gateways.map(\.log).joined()
                #expect(lines.split(separator: "rates jumped and are held back").count == 2)
                #expect(lines.split(separator: "rates that were held back have been confirmed").count == 2)
            }
        }
    }
}
