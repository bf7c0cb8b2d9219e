import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Redis is away for long")
    struct Outage {
        /// Five minutes are five lifetimes of live rates as they are by default; here a lifetime is a second.
        private static let length = Duration.seconds(8)

        @Test(
            "C146: over lifetimes without Redis last rates go on, marked, calls are bounded, probes stay green, and it is over at once",
            .timeLimit(.minutes(3)))
        func long() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.environment["FXGW_LIVE_TTL"] = "1s"
            }
            try await FleetTests.run(options) { fleet in
                let directory = "\(fleet.directory)/state"
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: false)
                // The first as it is by default; the second may call twice an hour.
                try await fleet.add()
                try await fleet.add(environment: [
                    "FXGW_OFFLINE_CALLS_PER_HOUR": "2", "FXGW_STATE_DIR": directory,
                ])
                try #require(await fleet.isWarm())
                let load = SteadyLoad(fleet.gateways)
                try #require(await fleet.calls(atLeast: fleet.calls + 1))
                try #require(try await fleet.isQuiet())
                let calls = fleet.calls
                let down = Self.now
                fleet.redis.stop()
                let over = ContinuousClock.now + Self.length
                var probes = 0
                while .now < over {
                    for gateway in fleet.gateways {
                        #expect(try await gateway.ask("GET", "/healthz").status == 200)
                        #expect(try await gateway.ask("GET", "/readyz").status == 200)
                    }
                    probes += 1
                    _ = await eventually(within: .milliseconds(200)) { false }
                }
                #expect(probes > 10)
                for gateway in fleet.gateways {
                    #expect(try await gateway.ask("GET", "/readyz").text.contains("store_down"))
                }
                let made = fleet.calls - calls
                #expect((1...2).contains(made), "\(made) calls of the one that may make two")
                #expect(try await fleet.gateways[0].metric("fxgateway_offline_calls_total") == 0)
                let up = Self.now
                try await fleet.redis.restart()
                let began = ContinuousClock.now
                #expect(await fleet.isWarm(within: .seconds(7)))
                let recovered = ContinuousClock.now - began
                #expect(recovered <= .seconds(7))
                for gateway in fleet.gateways {
                    let isWell = try await eventually(within: .seconds(3), step: .milliseconds(50)) {
                        try await gateway.ask("GET", "/readyz").text.contains("\"degraded\":[]")
                    }
                    #expect(isWell)
                }
                let samples = await load.stop()
                let failed = samples.filter { $0.reading?.status != 200 }
                #expect(failed.isEmpty)
                FleetChecks.truth(samples)
                // A lifetime, the look that finds Redis gone, and its command's limit.
                let late = samples.filter { $0.gateway == 0 && $0.wall > down + 3_000 && $0.wall < up }
                #expect(late.count > 50)
                #expect(
                    late.allSatisfy { $0.reading?.state == "stale" && $0.reading?.reason == "store_down" })
                print("fleet: \(made) calls in \(Self.length) without Redis, fresh \(recovered) after it")
            }
        }

        private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
    }
}
