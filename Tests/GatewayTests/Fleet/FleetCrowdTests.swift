import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Many instances, many clients")
    struct Many {
        private static let codes = [
            "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR",
            "ISK", "JPY", "KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY",
            "USD", "ZAR",
        ]

        @Test(
            "L10: 50 processes that start together cost one call, and a late one none",
            .timeLimit(.minutes(4)))
        func fifty() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.upstream.latency = .milliseconds(200)
                $0.environment["FXGW_LIVE_TTL"] = "10m"
                $0.environment["FXGW_THREADS"] = "1"
            }
            try await FleetTests.run(options) { fleet in
                let started = try await withThrowingTaskGroup(of: GatewayProcess.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            try await GatewayProcess.start(
                                name: "one-of-\(number)", environment: fleet.environment(),
                                directory: fleet.directory, within: .seconds(90))
                        }
                    }
                    return try await group.reduce(into: [GatewayProcess]()) { $0.append($1) }
                }
                defer { for gateway in started { gateway.stop() } }
                var snapshots: Set<String?> = []
                for gateway in started {
                    let isFresh = try await eventually(within: .seconds(30), step: .milliseconds(50)) {
                        let reading = try await gateway.rates()
                        snapshots.insert(reading.snapshot)
                        return reading.status == 200 && reading.state == "fresh"
                    }
                    #expect(isFresh, "\(gateway.name)")
                }
                #expect(fleet.calls == 1)
                #expect(snapshots.subtracting([nil]).count == 1)
                for gateway in started.dropFirst(5) { gateway.stop() }
                _ = try await fleet.add()
                #expect(await fleet.isWarm())
                #expect(fleet.calls == 1)
            }
        }

        @Test(
            "T1: 10,000 cold requests on 435 pairs at 10 instances cost one call; all are answered, in their wait limit",
            .timeLimit(.minutes(3)))
        func tenThousand() async throws {
            let pairs = Self.codes.indices.flatMap { first in
                Self.codes.indices.dropFirst(first + 1).map { "\(Self.codes[first])-\(Self.codes[$0])" }
            }
            #expect(pairs.count == 435)
            let options = FleetOptions {
                $0.gateways = 10
                $0.upstream.mode = .ecb
                $0.upstream.latency = .milliseconds(500)
                $0.environment["FXGW_LIVE_TTL"] = "10m"
                $0.environment["FXGW_THREADS"] = "1"
            }
            try await FleetTests.run(options) { fleet in
                let clients = (0..<1_000).map { number in
                    CrowdClient(
                        port: fleet.gateways[number % 10].port,
                        requests: (0..<10).map { turn in
                            let pair = turn == 0 ? "EUR-USD" : pairs[(number * 10 + turn) % pairs.count]
                            return GatewayProcess.request("GET", "/v1/rate/\(pair)")
                        })
                }
                let answers = try await Crowd.ask(clients, within: .seconds(60))
                #expect(answers.count == 10_000)
                let failed = answers.filter { $0.answer.status != 200 }
                #expect(failed.isEmpty, "\(failed.count): \(failed.first?.answer.text ?? "")")
                #expect(fleet.calls == 1)
                #expect(Set(answers.map { $0.answer.field("fx-snapshot") }).count == 1)
            }
        }

        @Test(
            "T1: where no answer comes, all who wait are told at their limit when to come back, and nobody calls more",
            .timeLimit(.minutes(3)))
        func noAnswer() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.environment["FXGW_WAIT_LIMIT"] = "1s"
                $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "10s"
                $0.environment["FXGW_LEASE_TTL"] = "15s"
            }
            try await FleetTests.run(options) { fleet in
                var hang = Fault(times: nil)
                hang.ending = .hang
                fleet.simulator.script(hang)
                let warm = CrowdClient(
                    port: fleet.gateways[0].port,
                    requests: [GatewayProcess.request("GET", "/v1/rate/EUR-USD")])
                // Beyond the grace of the new control the one call is out, and hangs.
                _ = try await Crowd.ask([warm], within: .seconds(5))
                try #require(await fleet.calls(atLeast: 1))
                let clients = (0..<600).map { number in
                    CrowdClient(
                        port: fleet.gateways[number % 2].port,
                        requests: [GatewayProcess.request("GET", "/v1/rate/EUR-USD")])
                }
                let answers = try await Crowd.ask(clients, within: .seconds(9))
                #expect(answers.count == 600)
                #expect(answers.allSatisfy { $0.answer.status == 503 })
                #expect(answers.allSatisfy { $0.answer.field("retry-after") != nil })
                #expect((answers.map(\.after).max() ?? .zero) < .seconds(5))
                #expect(fleet.calls == 1)
            }
        }
    }
}
