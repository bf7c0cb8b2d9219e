import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    /// What operators change in mid-month, one instance after the other, with clients all the while.
    @Suite("Changing plan and key", .timeLimit(.minutes(3)))
    struct Rolling {
        private static let small = 1_000
        private static let large = 10_000_000

        /// The load on each instance that gets traffic; a balancer takes one out before it is ended.
        private final class Traffic {
            private var loads: [String: SteadyLoad] = [:]
            private var ended = 0
            private(set) var samples: [SteadyLoad.Sample] = []

            func begin(_ gateway: GatewayProcess) {
                loads[gateway.name] = SteadyLoad([gateway], every: .milliseconds(25))
            }

            func end(_ gateway: GatewayProcess) async {
                let seen = await loads.removeValue(forKey: gateway.name)?.stop() ?? []
                ended += 1
                samples += seen.map { [number = ended] sample in
                    SteadyLoad.Sample(
                        gateway: number, wall: sample.wall, at: sample.at, latency: sample.latency,
                        reading: sample.reading)
                }
            }

            /// None has failed, and there were some.
            func check(sourceLocation: SourceLocation = #_sourceLocation) {
                let failed = samples.filter { $0.reading?.status != 200 }
                #expect(
                    failed.isEmpty, "\(failed.count) of \(samples.count): \(failed.prefix(2))",
                    sourceLocation: sourceLocation)
                #expect(samples.count > 100, sourceLocation: sourceLocation)
                FleetChecks.truth(samples, sourceLocation: sourceLocation)
            }
        }

        /// Puts an instance with other settings in the place of an old one.
        private func replace(
            _ old: GatewayProcess, _ environment: [String: String?], _ fleet: Fleet, _ traffic: Traffic
        ) async throws -> GatewayProcess {
            let new = try await fleet.add(environment: environment)[0]
            let isReady = try await eventually(within: .seconds(15)) {
                try await new.ask("GET", "/readyz").status == 200
            }
            #expect(isReady)
            traffic.begin(new)
            await traffic.end(old)
            #expect(try await old.end(by: SIGTERM, within: .seconds(15)).status == 0)
            return new
        }

        private func limits(_ gateways: [GatewayProcess]) async throws -> [Double?] {
            var limits: [Double?] = []
            for gateway in gateways { limits.append(try await gateway.metric("fxgateway_quota_limit")) }
            return limits
        }

        private func hold(
            _ limit: Int, _ gateways: [GatewayProcess], within time: Duration = .seconds(20),
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var seen: [Double?] = []
            let isEqual = try await eventually(within: time, step: .milliseconds(100)) {
                seen = try await limits(gateways)
                return seen.allSatisfy { $0 == Double(limit) }
            }
            #expect(isEqual, "\(seen)", sourceLocation: sourceLocation)
        }

        /// Forces refreshes until the plan refuses one; tells how many went through.
        private func spendAll(_ gateway: GatewayProcess) async throws -> Int {
            var fetched = 0
            var isSpent = false
            for _ in 0..<60 where !isSpent {
                let answer = try await gateway.refresh()
                if answer.status == 200 { fetched += 1 }
                isSpent = answer.text.contains("quota-exhausted")
            }
            #expect(isSpent, "the plan never refused")
            return fetched
        }

        @Test(
            "a plan that is lowered and raised again by rolling restarts never lets more through than the smaller one"
        )
        func plan() async throws {
            let options = FleetOptions {
                $0.environment["FXGW_QUOTA_MONTHLY"] = "\(Self.large)"
                $0.environment["FXGW_LIVE_TTL"] = "1s"
            }
            try await FleetTests.run(options) { fleet in
                _ = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let traffic = Traffic()
                var gateways = fleet.gateways
                for gateway in gateways { traffic.begin(gateway) }
                try await hold(Self.large, gateways)
                try #require(try await fleet.isQuiet())
                // Five calls short of the smaller plan.
                try fleet.redis.cli("HSET", fleet.prefix + "control:2", "counted", "\(Self.small - 5)")
                let lowered = ["FXGW_QUOTA_MONTHLY": "\(Self.small)"]
                gateways[0] = try await replace(gateways[0], lowered, fleet, traffic)
                try await hold(Self.small, gateways)
                // One with the larger plan asks as often as it likes.
                let before = fleet.calls
                let fetched = try await spendAll(gateways[1])
                #expect(fetched <= 5 && fleet.calls - before <= 5)
                #expect(try fleet.used() == Self.small)
                for place in 1...2 {
                    gateways[place] = try await replace(gateways[place], lowered, fleet, traffic)
                    #expect(try await spendAll(gateways[place]) == 0)
                }
                #expect(try fleet.used() == Self.small)
                let spent = fleet.calls
                let raised = ["FXGW_QUOTA_MONTHLY": "\(Self.large)"]
                for place in 0...2 {
                    gateways[place] = try await replace(gateways[place], raised, fleet, traffic)
                    guard place < 2 else { continue }
                    try await hold(Self.small, gateways)
                    #expect(try await spendAll(gateways[place]) == 0)
                }
                #expect(fleet.calls == spent)
                let began = ContinuousClock.now
                try await hold(Self.large, gateways)
                // The smaller plan was spent, and all were told to wait for the reset.
                #expect(await fleet.calls(atLeast: spent + 3, within: .seconds(20)))
                print("fleet: calls again \(ContinuousClock.now - began) after the last restart")
                let used = try #require(try fleet.used())
                #expect(used > Self.small && used <= Self.small + fleet.calls - spent + 1)
                for gateway in gateways { await traffic.end(gateway) }
                traffic.check()
            }
        }

        /// A fleet whose instances have each a key file of its own.
        private func withKeyFiles(
            _ body: (Fleet, [GatewayProcess], (Int, String) throws -> Void) async throws -> Void
        ) async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.upstream.keys = [Self.oldKey]
                $0.environment["EXCHANGERATE_API_KEY"] = nil
                $0.environment["FXGW_LIVE_TTL"] = "1s"
            }
            try await FleetTests.run(options) { fleet in
                let write = { (place: Int, key: String) in
                    try Data("\(key)\n".utf8).write(
                        to: URL(fileURLWithPath: "\(fleet.directory)/key-\(place)"))
                }
                var gateways: [GatewayProcess] = []
                for place in 0..<3 {
                    try write(place, Self.oldKey)
                    let path = "\(fleet.directory)/key-\(place)"
                    gateways += try await fleet.add(environment: ["EXCHANGERATE_API_KEY_FILE": path])
                }
                try #require(await fleet.isWarm())
                try await body(fleet, gateways, write)
            }
        }

        private static let oldKey = "exr_live_old_Zq7SECRET"
        private static let newKey = "exr_live_new_Xw9SECRET"

        private func reload(_ gateway: GatewayProcess) async {
            gateway.signal(SIGHUP)
            let isRead = await eventually(within: .seconds(10)) { gateway.log.contains("secrets read again") }
            #expect(isRead)
        }

        /// Nobody is paused for a key, and calls go on and well.
        private func goesOn(
            _ fleet: Fleet, _ gateways: [GatewayProcess], hasRefused: Bool = false
        ) async throws {
            let calls = fleet.calls
            #expect(await fleet.calls(atLeast: calls + 3))
            let entries = fleet.simulator.log.dropFirst(calls)
            // The last one may still be under way.
            #expect(entries.dropLast().allSatisfy { $0.status == 200 && $0.isAuthorized })
            for gateway in gateways {
                #expect(try await gateway.metric("fxgateway_key_rejected") == 0, "\(gateway.name)")
                let until = try await gateway.metric(
                    "fxgateway_cooldown_until_timestamp_seconds{scope=\"key\"}")
                // The refused key's own hour is still told; it holds nobody who has the new one.
                #expect((until != nil) == hasRefused, "\(gateway.name)")
                #expect(try await !gateway.ask("GET", "/readyz").text.contains("key_rejected"))
                #expect(!gateway.log.contains("SECRET"))
            }
        }

        @Test(
            "U6: a new key by file and SIGHUP, one instance after the other, fails no answer and leaves no pause"
        )
        func newKey() async throws {
            try await withKeyFiles { fleet, gateways, write in
                let traffic = Traffic()
                for gateway in gateways { traffic.begin(gateway) }
                fleet.simulator.accept(keys: [Self.oldKey, Self.newKey])
                for (place, gateway) in gateways.enumerated() {
                    try write(place, Self.newKey)
                    await reload(gateway)
                    #expect(await fleet.calls(atLeast: fleet.calls + 1))
                }
                fleet.simulator.accept(keys: [Self.newKey])
                try await goesOn(fleet, gateways)
                #expect(!fleet.simulator.log.contains { $0.status == 401 })
                #expect(try fleet.control()["cd:key"] == nil)
                for gateway in gateways { await traffic.end(gateway) }
                traffic.check()
            }
        }

        @Test(
            "U6: an old key that is revoked too early pauses only those who still have it, and their SIGHUP ends that"
        )
        func revokedTooEarly() async throws {
            try await withKeyFiles { fleet, gateways, write in
                let traffic = Traffic()
                for gateway in gateways { traffic.begin(gateway) }
                fleet.simulator.accept(keys: [Self.newKey, Self.oldKey])
                for place in 0...1 {
                    try write(place, Self.newKey)
                    await reload(gateways[place])
                }
                try #require(try await fleet.isQuiet())
                fleet.simulator.accept(keys: [Self.newKey])
                // The last one finds out.
                let isPaused = try await eventually(within: .seconds(20), step: .milliseconds(20)) {
                    _ = try await gateways[2].refresh()
                    return try await gateways[2].metric("fxgateway_key_rejected") == 1
                }
                #expect(isPaused)
                let calls = fleet.calls
                #expect(await fleet.calls(atLeast: calls + 3))
                #expect(fleet.simulator.log.count { $0.status == 401 } == 1)
                try write(2, Self.newKey)
                await reload(gateways[2])
                _ = await eventually(within: .seconds(5)) {
                    (try? await gateways[2].metric("fxgateway_key_rejected")) == 0
                }
                try await goesOn(fleet, gateways, hasRefused: true)
                for gateway in gateways { await traffic.end(gateway) }
                traffic.check()
            }
        }

        @Test("what another version has written is fetched again or left alone, and no answer fails")
        func otherVersion() async throws {
            let options = FleetOptions { $0.environment["FXGW_LIVE_TTL"] = "1s" }
            try await FleetTests.run(options) { fleet in
                try #require(await fleet.isWarm())
                let traffic = Traffic()
                for gateway in fleet.gateways { traffic.begin(gateway) }
                let (control, snapshot) = (fleet.prefix + "control:2", fleet.prefix + "snap:latest:EUR")
                try fleet.redis.cli("HSET", control, "what-comes-later", "1")
                let birth = try fleet.control()["birth"]
                for _ in 0..<5 {
                    try fleet.redis.cli("HSET", snapshot, "schema", "2", "body", "of another form")
                    let isOurs = await eventually(within: .seconds(10)) {
                        (try? fleet.redis.cli("HGET", snapshot, "schema")) == "1"
                    }
                    #expect(isOurs)
                }
                let fields = try fleet.control()
                #expect(fields["what-comes-later"] == "1" && fields["birth"] == birth)
                #expect(try #require(try fleet.used()) >= fleet.calls)
                for gateway in fleet.gateways { await traffic.end(gateway) }
                traffic.check()
                // One that begins now finds its way as well.
                let late = try await fleet.add()[0]
                let isFresh = try await eventually(within: .seconds(10)) {
                    try await late.rates().state == "fresh"
                }
                #expect(isFresh)
            }
        }
    }
}
