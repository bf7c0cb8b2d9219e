import CacheLayer
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Cold starts")
    struct ColdStart {
        /// Ten bases, each with its own symbols, as table, pair and conversion.
        private static let targets = [
            "/v1/latest/EUR?symbols=USD,GBP,JPY", "/v1/latest/USD?symbols=EUR,CHF", "/v1/latest/GBP",
            "/v1/latest?base=JPY&symbols=EUR", "/v1/rate/CHF-SEK", "/v1/rate/AUD-NZD",
            "/v1/convert/CAD/EUR/120.50", "/v1/latest/SEK?symbols=NOK,DKK", "/v1/convert/NOK/USD/7",
            "/v1/latest/PLN?symbols=CZK,HUF,EUR",
        ]

        @Test(
            "T1, C042, C092, L10: 3,000 requests at once to three cold gateways cost one call and all get 200",
            .timeLimit(.minutes(3)))
        func crowd() async throws {
            let options = FleetOptions {
                $0.upstream.latency = .milliseconds(300)
                $0.environment["FXGW_LIVE_TTL"] = "60s"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                let clients = (0..<750).map { number in
                    CrowdClient(
                        port: fleet.gateways[number % 3].port,
                        requests: (0..<4).map { turn in
                            GatewayProcess.request("GET", Self.targets[(number + turn * 3) % 10])
                        })
                }
                let answers = try await Crowd.ask(clients, within: .seconds(30))
                // Sent within the grace of the new control, before anything was there.
                #expect(answers.map(\.after).max() ?? .zero > .milliseconds(300))
                #expect(answers.count == 3_000)
                #expect(answers.filter { $0.answer.status != 200 }.map(\.answer.text).prefix(3).isEmpty)
                #expect(Set(answers.map { $0.answer.field("fx-snapshot") }).count == 1)
                try await checks.spend(calls: 1)
                let statuses = answers.compactMap { $0.answer.field("cache-status") }
                #expect(statuses.count { $0.contains("stored") && !$0.contains("collapsed") } == 1)
                #expect(statuses.contains { $0.contains("detail=shared") })
                let first = answers.map(\.after).min() ?? .zero
                let last = answers.map(\.after).max() ?? .zero
                print("fleet: 3,000 cold answers within \(last - first) of the first one")
            }
        }

        @Test(
            "without Redis the first call leaves at once: a memory without a past has forgotten nothing",
            .timeLimit(.minutes(1)))
        func alone() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let began = UnixMilliseconds.now
                let gateway = try await fleet.add(environment: ["FXGW_REDIS_URL": nil])[0]
                #expect(try await gateway.rates().status == 200)
                let first = try #require(fleet.simulator.log.first)
                print("fleet: the first call \(first.received - began.value) ms after the start")
                // With the grace after a loss it could not be less.
                #expect(.milliseconds(first.received - began.value) < StoreTimings.grace)
            }
        }
    }
}
