import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("SIGTERM while Redis is being asked")
    struct Signals {
        /// Where the commands are when the signal comes.
        private enum Moment: CaseIterable {
            /// At the first ones of a link: login and its questions.
            case start
            /// Sent, the reply still on its way.
            case slow
            /// Sent, and there will be no reply.
            case hung
            /// Sent, and the link breaks with the signal.
            case cut
        }

        /// As many as this time holds: 200 would take a minute and more.
        private static let length = Duration.seconds(18)
        private static let atOnce = 4

        @Test(
            "C157: it ends with 0, without a crash, however its commands stand, as often as a quarter of a minute holds",
            .timeLimit(.minutes(3)))
        func inFlight() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "1s"
                $0.environment["FXGW_LEASE_TTL"] = "4s"
                $0.environment["FXGW_DRAIN_TIMEOUT"] = "2s"
            }
            try await FleetTests.run(options) { fleet in
                let over = ContinuousClock.now + Self.length
                var ends = 0
                var longest = Duration.zero
                while .now < over {
                    for moment in Moment.allCases where .now < over {
                        for after in try await Self.round(fleet, moment) { longest = max(longest, after) }
                        ends += Self.atOnce
                    }
                }
                print("fleet: ended \(ends) times with commands in flight, at the longest in \(longest)")
                #expect(ends >= 4 * Self.atOnce)
            }
        }

        /// Starts a few, brings their commands to that moment and ends them; tells how long each took.
        private static func round(_ fleet: Fleet, _ moment: Moment) async throws -> [Duration] {
            let proxy = try TCPProxy(to: fleet.redis.port)
            if moment == .start { await proxy.set(latency: .milliseconds(50), .toClient) }
            let gateways = try await fleet.add(
                atOnce, environment: ["FXGW_REDIS_URL": "redis://127.0.0.1:\(proxy.port)"])
            var asking: [Task<Void, Never>] = []
            if moment != .start {
                for gateway in gateways {
                    let isUp = try await eventually(within: .seconds(5)) {
                        try await gateway.metric("fxgateway_redis_connected") == 1
                    }
                    #expect(isUp)
                }
                if moment == .hung {
                    await proxy.set(.hang)
                } else {
                    await proxy.set(latency: .milliseconds(100), .toClient)
                }
                // Each wants a lease now: the question is under way when the signal comes.
                asking = gateways.map { gateway in
                    Task { _ = try? await gateway.refresh(within: .seconds(5)) }
                }
                try await Task.sleep(for: .milliseconds(30))
            }
            let ends = try await withThrowingTaskGroup(of: (Int32?, Duration).self) { group in
                for gateway in gateways {
                    group.addTask { try await gateway.end(by: SIGTERM, within: .seconds(8)) }
                }
                if moment == .cut { await proxy.reset() }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ends.allSatisfy { $0.0 == 0 }, "\(moment): \(ends)")
            for gateway in gateways {
                #expect(gateway.log.contains("\"message\":\"stopped\""))
                for word in ["Fatal error", "crashed", "Assertion", "Backtrace"] {
                    #expect(!gateway.log.contains(word), "\(moment): \(word)")
                }
            }
            for task in asking { await task.value }
            await proxy.stop()
            return ends.map(\.1)
        }
    }
}
