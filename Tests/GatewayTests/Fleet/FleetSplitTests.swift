import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Two masters at once")
    struct Split {
        @Test(
            "R9: a fleet split over two real masters makes one extra call an interval; healed, the lower epoch is refused",
            .timeLimit(.minutes(4)))
        func split() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.environment["FXGW_LIVE_TTL"] = "3s"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try await withRedisServer { other in
                    try other.cli("REPLICAOF", "127.0.0.1", "\(fleet.redis.port)")
                    let isCopy = try await eventually(within: .seconds(10)) {
                        try other.cli("INFO", "replication").contains("master_link_status:up")
                    }
                    try #require(isCopy)
                    let proxy = try TCPProxy(to: fleet.redis.port)
                    let url = "redis://127.0.0.1:\(proxy.port)"
                    let alone = try await fleet.add(environment: ["FXGW_REDIS_URL": url])[0]
                    try #require(await fleet.isWarm())
                    let load = SteadyLoad(fleet.gateways)

                    // The replica is made a master, though the old one lives; one instance is on its side.
                    let (before, began) = (fleet.calls, ContinuousClock.now)
                    try other.cli("REPLICAOF", "NO", "ONE")
                    await proxy.aim(at: other.port)
                    await proxy.reset()
                    let isApart = try await eventually(within: .seconds(20)) {
                        let theirs = try Self.state(other, fleet)
                        let ours = try Self.state(fleet.redis, fleet)
                        return theirs.birth != ours.birth && theirs.token > 0 && ours.token > 0
                            && fleet.calls >= before + 5
                    }
                    try #require(isApart, "each side fetches under a control of its own")
                    let made = fleet.calls - before
                    let length = ContinuousClock.now - began
                    // On each side one call an interval, and the one that was due.
                    #expect(made <= 2 * (Int(length / .seconds(3)) + 1), "\(made) calls in \(length)")
                    let log = fleet.simulator.log.map(\.received)
                    #expect(zip(log, log.dropFirst(2)).allSatisfy { $1 - $0 >= 2_900 }, "\(log)")

                    // Healed: the other master is gone, and who was with it comes back with what it has seen there.
                    let theirs = try Self.state(other, fleet)
                    let ours = try Self.state(fleet.redis, fleet)
                    await proxy.aim(at: fleet.redis.port)
                    other.stop()
                    await proxy.reset()
                    let calls = fleet.calls
                    #expect(await fleet.calls(atLeast: calls + 2, within: .seconds(20)))
                    #expect(await fleet.isWarm(within: .seconds(8)))
                    let healed = try Self.state(fleet.redis, fleet)
                    #expect(healed.used >= max(ours.used, theirs.used), "the ledger takes the larger one")
                    #expect(healed.epoch > max(ours.epoch, theirs.epoch))
                    #expect(healed.token > max(ours.token, theirs.token))
                    let isLevel = try await eventually(within: .seconds(5), step: .milliseconds(50)) {
                        try await alone.rates().snapshot == fleet.gateways[0].rates().snapshot
                    }
                    #expect(isLevel)
                    let samples = await load.stop()
                    #expect(samples.allSatisfy { $0.reading?.status == 200 })
                    FleetChecks.truth(samples)
                    try checks.covered()
                    print(
                        "fleet: \(made) calls in \(length) of two masters; ledgers \(ours.used), "
                            + "\(theirs.used), healed \(healed.used)")
                    alone.stop()
                    await proxy.stop()
                }
            }
        }

        private struct State {
            let birth: String
            let used: Int
            let epoch: Int
            /// Of the stored table.
            let token: Int
        }

        private static func state(_ server: RedisServer, _ fleet: Fleet) throws -> State {
            let session = try server.session()
            func number(_ key: String, _ field: String) throws -> Int {
                Int(try session.send(["HGET", fleet.prefix + key, field])) ?? 0
            }
            return State(
                birth: try session.send(["HGET", fleet.prefix + "control:2", "birth"]),
                used: try number("control:2", "counted"), epoch: try number("control:2", "epoch"),
                token: try number("snap:latest:EUR", "token"))
        }
    }
}
