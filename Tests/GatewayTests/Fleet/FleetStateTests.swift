import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("State files of real processes")
    struct State {
        /// One gateway with a state directory, whose rates live for half a minute.
        private static func run(
            _ environment: [String: String] = [:], _ body: (Fleet, [String: String?]) async throws -> Void
        ) async throws {
            let options = FleetOptions { options in
                options.gateways = 0
                options.environment["FXGW_LIVE_TTL"] = "30s"
                for (name, value) in environment { options.environment[name] = value }
            }
            try await FleetTests.run(options) { fleet in
                let directory = "\(fleet.directory)/state"
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: false)
                try await body(fleet, ["FXGW_STATE_DIR": directory])
            }
        }

        /// The bytes of the only state file there; nil while there is none.
        private static func file(_ fleet: Fleet) throws -> Data? {
            let directory = "\(fleet.directory)/state"
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            guard let name = names.first(where: { $0.hasSuffix(".json") }) else { return nil }
            return FileManager.default.contents(atPath: "\(directory)/\(name)")
        }

        @Test(
            "R1: started without Redis it serves what its file has, ready at once, calls nobody, and comes back",
            .timeLimit(.minutes(3)))
        func redisDown() async throws {
            try await Self.run { fleet, environment in
                let first = try await fleet.add(environment: environment)[0]
                let before = try await first.rates()
                #expect(before.status == 200)
                #expect(try await first.end(by: SIGTERM, within: .seconds(5)).status == 0)
                let secret = try #require(try Self.file(fleet))
                #expect(secret.range(of: Data("exr_live_test".utf8)) == nil)
                fleet.redis.stop()
                let calls = fleet.calls
                let began = ContinuousClock.now
                let second = try await fleet.add(environment: environment)[0]
                let isReady = try await eventually(within: .seconds(2)) {
                    try await second.ask("GET", "/readyz").status == 200
                }
                #expect(isReady)
                let took = ContinuousClock.now - began
                let after = try await second.rates()
                #expect(after.status == 200 && after.snapshot == before.snapshot)
                #expect(after.state == "fresh")
                #expect(try await second.ask("GET", "/readyz").text.contains("store_down"))
                let status = try await second.ask("GET", "/v1/status").text
                #expect(status.contains("\"state_file\":{\"on\":true"))
                #expect(!status.contains(fleet.directory))
                #expect(fleet.calls == calls)
                #expect(try await second.metric("fxgateway_state_file_adopted_total") == 1)
                try await fleet.redis.restart()
                let isBack = try await eventually(within: .seconds(8), step: .milliseconds(100)) {
                    try await second.ask("GET", "/readyz").text.contains("\"degraded\":[]")
                }
                #expect(isBack)
                #expect(try await second.rates().snapshot == before.snapshot)
                #expect(fleet.calls == calls)
                print("state: ready \(took) after the start without Redis")
            }
        }

        @Test(
            "R2: with a number for the time without Redis it calls so often, killed or not",
            .timeLimit(.minutes(3)))
        func offlineNumber() async throws {
            let settings = ["FXGW_LIVE_TTL": "1s", "FXGW_OFFLINE_CALLS_PER_HOUR": "2"]
            try await Self.run(settings) { fleet, environment in
                var gateway = try await fleet.add(environment: environment)[0]
                #expect(try await gateway.rates().status == 200)
                #expect(try await gateway.end(by: SIGTERM, within: .seconds(5)).status == 0)
                fleet.redis.stop()
                let calls = fleet.calls
                for _ in 0..<4 {
                    gateway = try await fleet.add(environment: environment)[0]
                    _ = try await eventually(within: .seconds(5), step: .milliseconds(100)) {
                        _ = try await gateway.rates()
                        return fleet.calls >= calls + 3
                    }
                    gateway.stop()
                }
                #expect(fleet.calls == calls + 2)
            }
        }

        @Test(
            "C087: without Redis a kill at any moment gives no budget back and leaves a whole file",
            .timeLimit(.minutes(4)))
        func killedAlone() async throws {
            try await Self.run(["FXGW_LIVE_TTL": "1s"]) { fleet, environment in
                let alone = environment.merging(["FXGW_REDIS_URL": String?.none]) { $1 }
                var used: [Int] = []
                for round in 0..<6 {
                    let gateway = try await fleet.add(environment: alone)[0]
                    let calls = fleet.calls
                    _ = try await eventually(within: .seconds(8)) {
                        _ = try await gateway.ask("GET", "/v1/latest?base=EUR")
                        return fleet.calls > calls
                    }
                    try await Task.sleep(for: .milliseconds(round * 37))
                    gateway.stop()
                    let bytes = try #require(try Self.file(fleet))
                    let object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
                    let control = object?["control"] as? [String: String]
                    used.append(try #require(control?["counted"].flatMap(Int.init)))
                    #expect(!gateway.log.contains("going on without the state file"))
                }
                #expect(used == used.sorted() && Set(used).count == used.count, "\(used)")
                let first = try #require(used.first)
                #expect(used.last.map { $0 - first >= fleet.calls - 2 } == true)
            }
        }
    }
}
