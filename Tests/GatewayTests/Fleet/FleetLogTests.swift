import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("The log of a process in trouble", .timeLimit(.minutes(4)))
    struct Logs {
        private static let flaps = 14

        /// The lines as objects; fails for one that is none.
        private func objects(_ log: String) throws -> [[String: String]] {
            try log.split(separator: "\n").map { line in
                try #require(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String], "\(line)")
            }
        }

        @Test("C164: a Redis that flaps writes ten lines of a kind and a number, and no rare line is lost")
        func flapping() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.environment["FXGW_LOG_LEVEL"] = "info"
                $0.environment["FXGW_ACCESS_LOG"] = "on"
            }
            try await FleetTests.run(options) { fleet in
                let proxy = try TCPProxy(to: fleet.redis.port)
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://127.0.0.1:\(proxy.port)"
                ])[0]
                try #require(await fleet.isWarm())
                var asked = 0
                for _ in 0..<Self.flaps {
                    await proxy.set(.closed)
                    await proxy.reset()
                    let isDown = try await eventually(within: .seconds(10)) {
                        asked += 1
                        return try await gateway.metric("fxgateway_redis_connected") == 0
                    }
                    #expect(isDown)
                    await proxy.set(.none)
                    let isUp = try await eventually(within: .seconds(10)) {
                        asked += 1
                        return try await gateway.metric("fxgateway_redis_connected") == 1
                    }
                    #expect(isUp)
                }
                #expect(try await gateway.end(by: SIGTERM, within: .seconds(15)).status == 0)
                await proxy.stop()
                let lines = try objects(gateway.log)
                let kinds = Dictionary(grouping: lines) { "\($0["level"] ?? "") \($0["message"] ?? "")" }
                for kind in ["warning Redis is not reached", "notice Redis answers"] {
                    let all = kinds[kind] ?? []
                    let told = all.filter { $0["suppressed"] != nil }
                    #expect(all.count - told.count >= 10, "\(kind): \(all.count)")
                    let suppressed = told.compactMap { $0["suppressed"].flatMap(Int.init) }.reduce(0, +)
                    // Two links, each at every flap.
                    #expect(all.count - told.count + suppressed >= Self.flaps, "\(kind): \(suppressed)")
                    #expect(all[0]["suppressed"] == nil && suppressed > 0)
                    print("fleet: \(kind): \(all.count - told.count) lines and \(suppressed) counted")
                }
                for (kind, all) in kinds where kind != "info request answered" {
                    // In each minute that the run touches.
                    #expect(all.count <= 3 * 11, "\(kind): \(all.count)")
                }
                for kind in ["info serving", "notice draining", "info stopped"] {
                    #expect(kinds[kind]?.count == 1, "\(kind)")
                }
                #expect(kinds["info request answered"]?.count ?? 0 >= asked)
            }
        }
    }
}
