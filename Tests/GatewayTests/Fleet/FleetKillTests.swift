import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("A holder killed at each step")
    struct Kill {
        private static let lease = Duration.seconds(4)
        private static let interval = Duration.seconds(1)
        /// The first one and a twentieth.
        private static let backOff = Duration.milliseconds(1_050)

        private static let options = FleetOptions {
            $0.gateways = 0
            $0.environment["FXGW_LIVE_TTL"] = "1s"
            $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "1s"
            $0.environment["FXGW_LEASE_TTL"] = "4s"
            // Longer than it takes to find the holder: no reply that is held meanwhile is given up.
            $0.environment["FXGW_REDIS_COMMAND_TIMEOUT"] = "1s"
        }

        @Test(
            "L1: kill -9 costs one call at most, the reservation stays counted, and the others go on",
            .timeLimit(.minutes(3)), arguments: FleetKillStep.allCases)
        func killed(at step: FleetKillStep) async throws {
            try await FleetTests.run(Self.options) { fleet in
                let proxies = try await start(fleet)
                let checks = try await FleetChecks(fleet)
                let load = try await warm(fleet)
                var old = try stored(fleet)
                try await step.arm(fleet, proxies)
                let place = try await holder(at: step, fleet, proxies)
                // Until its write has been executed nothing is new.
                if step != .afterWrite { old = try stored(fleet) }
                let holder = fleet.gateways[place]
                let killed = Self.now
                let began = ContinuousClock.now
                await kill(place, fleet, proxies)

                let limit = step == .afterWrite ? .seconds(1) : Self.lease + Self.backOff + .seconds(1)
                let isLevel = try await eventually(within: limit) {
                    try await showsNewer(fleet, but: holder, than: old)
                }
                let recovered = ContinuousClock.now - began
                #expect(isLevel, "no fresh table on all others within \(limit)")
                let calls = fleet.calls
                let next = await fleet.calls(atLeast: calls + 1, within: Self.interval + .milliseconds(1_500))
                #expect(next, "nothing was fetched in the interval after it")
                let samples = await load.stopAfterAnotherRound()
                try await checks.spend(spare: step == .beforeCall ? 1 : 0)
                try checkRemains(of: holder, killedAt: step, fleet, checks)
                let terms = PromiseTerms(interval: Self.interval) {
                    $0.lostLeases = step == .afterWrite ? 0 : 1
                    // Of a death after the write nobody has to notice anything.
                    let length = step == .afterWrite ? Self.interval / 2 : Self.lease
                    $0.faults = [killed..<killed + Int64(length / .milliseconds(1))]
                    $0.ends = [place: killed]
                }
                try checks.promises(terms, samples)
                print("fleet: killed \(step.rawValue), the others are fresh \(recovered) later")
                for other in proxies.indices where other != place { await proxies[other].stop() }
            }
        }

        @Test(
            "L8: killed between a 429 and its write, it leaves one call to the next holder, who meets it and writes it",
            .timeLimit(.minutes(3)))
        func killedWithLimit() async throws {
            try await FleetTests.run(Self.options) { fleet in
                let pause: Int64 = 3
                let proxies = try await start(fleet)
                let checks = try await FleetChecks(fleet)
                let load = try await warm(fleet)
                try await FleetKillStep.beforeWrite.arm(fleet, proxies)
                fleet.simulator.script(.status(429, headers: [("Retry-After", "\(pause)")], times: 2))
                let place = try await holder(at: .beforeWrite, fleet, proxies)
                try #require(fleet.simulator.counts.byStatus[429] == 1)
                let killed = Self.now
                await kill(place, fleet, proxies)
                #expect(try fleet.keys()["cooldown"] == nil, "nobody else knows of it yet")

                let isMet = try await eventually(within: Self.lease + Self.backOff + .seconds(1)) {
                    try fleet.keys()["cooldown"] ?? 0 > 0
                }
                try #require(isMet, "the next holder has not written what it met")
                let limited = fleet.simulator.log.filter { $0.status == 429 }
                #expect(limited.count == 2)
                let met = try #require(limited.last?.received)
                // Its end, a twentieth of jitter, a look.
                let isProbed = await fleet.calls(
                    atLeast: fleet.calls + 1, within: .milliseconds(pause * 1_050 + 1_500))
                #expect(isProbed)
                #expect(await fleet.isWarm(within: .seconds(2)))
                let samples = await load.stopAfterAnotherRound()
                try await checks.spend()
                let terms = PromiseTerms(interval: Self.interval) {
                    $0.lostLeases = 1
                    $0.faults = [killed..<killed + Int64(Self.lease / .milliseconds(1))]
                    // The first one to meet it took it along.
                    $0.untold = [killed..<killed + 1]
                    // The call that met it is none of those that it forbids.
                    $0.cooldowns = [met + 1..<met + pause * 1_000]
                    $0.ends = [place: killed]
                }
                try checks.promises(terms, samples)
                for other in proxies.indices where other != place { await proxies[other].stop() }
            }
        }

        /// Three gateways, each with a proxy of its own before Redis.
        private func start(_ fleet: Fleet) async throws -> [TCPProxy] {
            let proxies = try (0..<3).map { _ in try TCPProxy(to: fleet.redis.port) }
            for proxy in proxies {
                try await fleet.add(environment: ["FXGW_REDIS_URL": "redis://127.0.0.1:\(proxy.port)"])
            }
            return proxies
        }

        /// Loads a fleet whose first refresh has just ended: the next one is most of an interval away.
        private func warm(_ fleet: Fleet) async throws -> SteadyLoad {
            try #require(await fleet.isWarm())
            try #require(try await fleet.isQuiet())
            return SteadyLoad(fleet.gateways)
        }

        private func holder(
            at step: FleetKillStep, _ fleet: Fleet, _ proxies: [TCPProxy]
        ) async throws -> Int {
            var place: Int?
            _ = try await eventually(within: .seconds(6), step: .milliseconds(5)) {
                place = try step.holder(in: fleet, proxies)
                return place != nil
            }
            return try #require(place, "no gateway was met \(step.rawValue)")
        }

        private func kill(_ place: Int, _ fleet: Fleet, _ proxies: [TCPProxy]) async {
            fleet.gateways[place].signal(SIGKILL)
            for other in proxies.indices where other != place { await proxies[other].release() }
            #expect(await fleet.gateways[place].ended(within: .seconds(2)) == 128 + SIGKILL)
            // What it had sent and was held is never delivered.
            await proxies[place].stop()
        }

        /// Whether all others show the table that is stored, fresh, and it is newer than `old`.
        private func showsNewer(
            _ fleet: Fleet, but holder: GatewayProcess, than old: String
        ) async throws -> Bool {
            let id = try stored(fleet)
            guard id > old else { return false }
            for gateway in fleet.gateways where gateway !== holder {
                let reading = try await gateway.rates()
                guard reading.snapshot == id, reading.state == "fresh" else { return false }
            }
            return true
        }

        /// What stays of the dead holder: its reservation for ever, its record for an hour unless it had finished, and no key
        /// without a lifetime but the control.
        private func checkRemains(
            of holder: GatewayProcess, killedAt step: FleetKillStep, _ fleet: Fleet, _ checks: FleetChecks
        ) throws {
            // Calls are read first: the ledger may only be ahead of them.
            let calls = fleet.calls
            let used = try #require(try fleet.used()) - checks.firstUsed
            #expect(used >= calls + (step == .beforeCall ? 1 : 0))
            let isRecorded = try fleet.control()["flights"]?.contains(":\(holder.process.identifier)\"")
            #expect(isRecorded == (step != .afterWrite))
            let keys = try fleet.keys()
            #expect(keys.filter { $0.value < 0 }.map(\.key) == ["control:2"])
            let others = fleet.gateways.filter { $0 !== holder }
            #expect(others.allSatisfy { $0.process.status == nil })
        }

        private func stored(_ fleet: Fleet) throws -> String {
            try fleet.redis.cli("HGET", fleet.prefix + "snap:latest:EUR", "id")
        }

        private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
    }
}
