import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Exact values")
    struct Exactness {
        @Test(
            "P7: what upstream writes leaves digit for digit, in plain notation, from whoever got it through Redis",
            .timeLimit(.minutes(3)))
        func digits() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                var fault = Fault(times: nil)
                fault.overrides.rates = [
                    "USD": "0.691", "GBP": "1.1172404971672576", "JPY": "0.92450", "CHF": "9.1234567e-6",
                ]
                fleet.simulator.script(fault)
                try #require(await fleet.isWarm())
                for gateway in fleet.gateways {
                    let answer = try await gateway.ask("GET", "/v1/latest/EUR?symbols=USD,GBP,JPY,CHF")
                    for pair in [
                        "\"USD\":0.691", "\"GBP\":1.1172404971672576", "\"JPY\":0.92450",
                        "\"CHF\":0.0000091234567",
                    ] {
                        #expect(
                            answer.text.contains(pair + ",") || answer.text.contains(pair + "}"),
                            "\(gateway.name): \(answer.text)")
                    }
                    let rate = try await gateway.ask("GET", "/v1/rate/EUR-CHF")
                    #expect(rate.text.contains("\"rate\":0.0000091234567"), "\(rate.text)")
                }
                var shared = 0.0
                for gateway in fleet.gateways {
                    shared +=
                        try await gateway.metric("fxgateway_snapshots_adopted_total{origin=\"shared\"}") ?? 0
                }
                #expect(shared >= 1, "one of the two has never seen upstream's answer itself")
            }
        }
    }
}
