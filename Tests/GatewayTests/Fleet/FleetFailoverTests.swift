import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("A master that dies, a slot that moves")
    struct Failover {
        private static let interval = Duration.seconds(2)

        @Test(
            "R7, R8: kill -9 of the master under load: calls go on within 5 s of the promotion, all answers are 200",
            .timeLimit(.minutes(3)))
        func masterKilled() async throws {
            try await withRedisSentinelTrio { trio in
                try await FleetTests.run(FleetOptions { $0.home = .sentinels(trio) }) { fleet in
                    let checks = try await FleetChecks(fleet)
                    try #require(await fleet.isWarm())
                    let load = SteadyLoad(fleet.gateways)
                    try #require(await fleet.calls(atLeast: fleet.calls + 1))
                    let down = Self.now
                    trio.servers[0].stop()
                    try #require(await eventually(within: .seconds(15)) { trio.servers[1].isMaster })
                    let promoted = Self.now
                    let called = try await resumes(fleet, after: promoted)
                    let samples = await load.stopAfterAnotherRound()
                    let terms = PromiseTerms(interval: Self.interval) {
                        $0.lostLeases = 1
                        $0.faults = [down..<promoted]
                        $0.away = [down..<called.level]
                    }
                    try checks.promises(terms, samples)
                    #expect(samples.allSatisfy { $0.reading?.status == 200 })
                    #expect(fleet.gateways.allSatisfy { $0.process.status == nil })
                    let p99 = samples.filter { (down..<promoted).contains($0.wall) }.latency(percent: 99)
                    print(
                        "fleet: promoted \(promoted - down) ms after the kill, p99 \(p99) until then, called",
                        "\(called.first - promoted) ms and all fresh \(called.level - promoted) ms later")
                }
            }
        }

        @Test(
            "R7, U3: the fleet's slot is moved under load, and back during a pause that upstream has asked for",
            .timeLimit(.minutes(3)))
        func slotMoved() async throws {
            try await withRedisClusterTrio { trio in
                try await FleetTests.run(FleetOptions { $0.home = .cluster(trio) }) { fleet in
                    let checks = try await FleetChecks(fleet)
                    try #require(await fleet.isWarm())
                    let load = SteadyLoad(fleet.gateways)
                    let text = try trio.nodes[0].cli("CLUSTER", "KEYSLOT", fleet.prefix + "control:2")
                    let slot = try #require(Int(text))
                    let home = trio.place(ofSlot: slot)
                    let heir = (home + 1) % 3
                    let there = try await move(slot, from: home, to: heir, trio, fleet)
                    let called = try await resumes(fleet, after: there.upperBound)
                    let pause = try await limit(fleet)
                    let back = try await move(slot, from: heir, to: home, trio, fleet)
                    #expect(back.upperBound < pause.upperBound, "the pause was over before the move was")
                    let limited = fleet.calls
                    // Its end, a twentieth of jitter, a look.
                    let left = Duration.milliseconds(pause.upperBound - Self.now)
                    let isProbed = await fleet.calls(
                        atLeast: limited + 1, within: left + .milliseconds(Self.pause * 50 + 1_500))
                    #expect(isProbed)
                    try #require(await fleet.isWarm(within: .seconds(5)))
                    let level = Self.now
                    let samples = await load.stopAfterAnotherRound()
                    let terms = PromiseTerms(interval: Self.interval) {
                        $0.lostLeases = 2
                        $0.faults = [there, back]
                        $0.away = [there.lowerBound..<called.level, back.lowerBound..<level]
                        $0.cooldowns = [pause]
                    }
                    try checks.promises(terms, samples)
                    #expect(samples.allSatisfy { $0.reading?.status == 200 })
                    #expect(fleet.gateways.allSatisfy { $0.process.status == nil })
                    print(
                        "fleet: slot moved in \(there.count) and \(back.count) ms, called",
                        "\(called.first - there.upperBound) ms after the first move, p99",
                        "\(samples.filter { there.contains($0.wall) || back.contains($0.wall) }.latency(percent: 99))"
                    )
                }
            }
        }

        /// Seconds that upstream asks for.
        private static let pause = 6

        /// Waits for calls again, and until all are fresh by a table that was fetched since.
        private func resumes(
            _ fleet: Fleet, after fault: Int64
        ) async throws -> (first: Int64, level: Int64) {
            var first: Int64?
            _ = await eventually(within: .milliseconds(fault + 5_000 - Self.now)) {
                first = fleet.simulator.log.first { $0.received > fault }?.received
                return first != nil
            }
            let called = try #require(first, "no call within 5 s")
            try #require(await fleet.isWarm(within: .seconds(4)))
            let level = Self.now
            let calls = fleet.calls
            try #require(await fleet.calls(atLeast: calls + 1, within: Self.interval + .milliseconds(1_500)))
            return (called, level)
        }

        /// Moves the fleet's slot, the control ahead of all else, so that every gateway meets it on the way.
        private func move(
            _ slot: Int, from: Int, to: Int, _ trio: RedisClusterTrio, _ fleet: Fleet
        ) async throws -> Range<Int64> {
            let start = Self.now
            var before: [Double] = []
            for gateway in fleet.gateways { before.append(try await Self.detours(of: gateway)) }
            try trio.beginMove(ofSlot: slot, from: from, to: to)
            #expect(try trio.move([fleet.prefix + "control:2"], from: from, to: to))
            let isMet = try await eventually(within: .seconds(3), step: .milliseconds(50)) {
                for (gateway, count) in zip(fleet.gateways, before) {
                    guard try await Self.detours(of: gateway) > count else { return false }
                }
                return true
            }
            #expect(isMet, "a gateway has not met the slot on its way")
            while try trio.moveKeys(ofSlot: slot, from: from, to: to, count: 100) > 0 {}
            try trio.endMove(ofSlot: slot, to: to)
            return start..<Self.now
        }

        /// Replies that tell a gateway that keys are on their way.
        private static func detours(of gateway: GatewayProcess) async throws -> Double {
            var count = 0.0
            for error in ["ASK", "TRYAGAIN"] {
                count += try await gateway.metric("fxgateway_redis_errors_total{error=\"\(error)\"}") ?? 0
            }
            return count
        }

        /// Lets upstream ask for a pause, and waits until the fleet shares it.
        private func limit(_ fleet: Fleet) async throws -> Range<Int64> {
            fleet.simulator.script(.status(429, headers: [("Retry-After", "\(Self.pause)")]))
            let isShared = try await eventually(within: .seconds(4)) {
                try fleet.keys()["cooldown"] ?? 0 > 0
            }
            try #require(isShared)
            let met = try #require(fleet.simulator.log.last { $0.status == 429 }?.received)
            // The call that met it is none of those that it forbids.
            return met + 1..<met + Int64(Self.pause) * 1_000
        }

        private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
    }
}
