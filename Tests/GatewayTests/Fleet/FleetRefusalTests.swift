import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Refused by Redis, refused by upstream")
    struct Refusals {
        @Test(
            "R15: full of clients at the start, Redis is reported, nobody calls, no storm, and it is found once there is room",
            .timeLimit(.minutes(3)))
        func maxClients() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                try fleet.redis.cli("CONFIG", "SET", "maxclients", "10")
                let proxy = try TCPProxy(to: fleet.redis.port)
                let crowd = try (0..<12).map { _ in try RawHTTPClient(port: UInt16(fleet.redis.port)) }
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://127.0.0.1:\(proxy.port)", "FXGW_WAIT_LIMIT": "500ms",
                ])[0]
                let began = ContinuousClock.now
                let isReported = try await eventually(within: .seconds(11), step: .milliseconds(50)) {
                    let ready = try await gateway.ask("GET", "/readyz")
                    return ready.status == 200 && ready.text.contains("store_down")
                }
                #expect(isReported)
                #expect(try await gateway.ask("GET", "/v1/latest/EUR").status == 503)
                _ = await eventually(within: .seconds(6) - (.now - began)) { false }
                // Two links, each at pauses of up to half a second; a storm would be thousands.
                #expect((2...40).contains(proxy.accepted), "\(proxy.accepted) connections")
                #expect(fleet.calls == 0)
                for client in crowd { client.close() }
                #expect(await fleet.isWarm(within: .seconds(12)))
                gateway.stop()
                await proxy.stop()
            }
        }

        @Test(
            "R15: an account without the rights to run scripts is reported, nobody calls, and a grant ends it by itself",
            .timeLimit(.minutes(3)))
        func noRights() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let rights = [
                    "ACL", "SETUSER", "gateway", "on", ">pw-of-gateway", "~*", "&*", "-@all", "+ping",
                    "+hello", "+auth", "+select", "+role", "+info", "+time", "+client|setname", "+subscribe",
                ]
                let session = try fleet.redis.session()
                #expect(try session.send(rights) == "OK")
                let proxy = try TCPProxy(to: fleet.redis.port)
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://gateway:pw-of-gateway@127.0.0.1:\(proxy.port)",
                    "FXGW_WAIT_LIMIT": "500ms",
                ])[0]
                let began = ContinuousClock.now
                let isReported = try await eventually(within: .seconds(11), step: .milliseconds(50)) {
                    let ready = try await gateway.ask("GET", "/readyz")
                    return ready.status == 200 && ready.text.contains("store_down")
                }
                #expect(isReported)
                #expect(await gateway.hasLogged("NOPERM"))
                #expect(try await gateway.ask("GET", "/v1/latest/EUR").status == 503)
                _ = await eventually(within: .seconds(6) - (.now - began)) { false }
                #expect(proxy.accepted <= 12, "\(proxy.accepted) connections")
                #expect(fleet.calls == 0)
                #expect(!gateway.log.contains("pw-of-gateway"))
                #expect(try session.send(["ACL", "SETUSER", "gateway", "+@all"]) == "OK")
                #expect(await fleet.isWarm(within: .seconds(12)))
                gateway.stop()
                await proxy.stop()
            }
        }

        @Test(
            "R15: a right that is missing is named in one line, the instance is degraded, and a grant ends it by itself",
            .timeLimit(.minutes(1)),
            arguments: ["hset", "hdel", "hget", "exists", "time", "evalsha"])
        func oneRight(command: String) async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let session = try fleet.redis.session()
                let rights = ["ACL", "SETUSER", "gateway", "on", ">pw-of-gateway", "~*", "&*", "+@all"]
                #expect(try session.send(rights + ["-" + command]) == "OK")
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://gateway:pw-of-gateway@127.0.0.1:\(fleet.redis.port)",
                    "FXGW_WAIT_LIMIT": "500ms",
                ])[0]
                #expect(await gateway.hasLogged("lacks permission for a command", within: .seconds(11)))
                let isDegraded = try await eventually(within: .seconds(11), step: .milliseconds(50)) {
                    try await gateway.ask("GET", "/readyz").text.contains("store_down")
                }
                #expect(isDegraded)
                // Long enough for looks, retries and a second fetch.
                _ = await eventually(within: .seconds(3)) { false }
                let lines = gateway.log.split(separator: "\n")
                let named = lines.filter { $0.contains(command.uppercased()) }
                #expect(named.count == 1, "\(named)")
                #expect(lines.count { $0.contains("the store can't be asked") } == 1)
                #expect(lines.count < 60, "\(lines.count) lines")
                #expect(try session.send(["ACL", "SETUSER", "gateway", "+@all"]) == "OK")
                #expect(await fleet.isWarm(within: .seconds(12)))
                let isWell = try await eventually(within: .seconds(12), step: .milliseconds(50)) {
                    try await !gateway.ask("GET", "/readyz").text.contains("store_down")
                }
                #expect(isWell)
                gateway.stop()
            }
        }

        @Test(
            "U5: a quota used up is told once, answers are stale and then 503 with the true wait, the ledger stays",
            .timeLimit(.minutes(3)))
        func quotaExceeded() async throws {
            let options = FleetOptions {
                $0.gateways = 2
                $0.environment["FXGW_LIVE_TTL"] = "1s"
                $0.environment["FXGW_LIVE_MAX_STALE"] = "3s"
            }
            try await FleetTests.run(options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                fleet.simulator.script(
                    .status(402, body: #"{"result":"error","code":"quota_exceeded"}"#, times: nil))
                let isPaused = try await eventually(within: .seconds(8)) {
                    try fleet.control()["cd:month"] != nil
                }
                try #require(isPaused)
                let (calls, used) = (fleet.calls, try fleet.used())
                var states: Set<String> = []
                var refusal: RawHTTPClient.Answer?
                _ = try await eventually(within: .seconds(25), step: .milliseconds(50)) {
                    let answer = try await fleet.gateways[1].ask("GET", "/v1/latest/EUR?symbols=USD")
                    if answer.status == 503 { refusal = answer }
                    if let state = RateReading(answer).state { states.insert(state) }
                    return refusal != nil
                }
                #expect(states.contains("stale"))
                let wait = try #require(refusal?.field("retry-after").flatMap { Int($0) })
                let end = try #require(
                    try fleet.control()["cd:month"]?.firstMatch(of: #/"end":"?(\d+)/#).flatMap {
                        Int64($0.output.1)
                    })
                let now = try #require(
                    try fleet.redis.cli("TIME").split(separator: "\n").first.flatMap { Int64($0) })
                #expect(abs(end / 1_000 - now - Int64(wait)) <= 2, "told \(wait) s")
                #expect(wait > 600)
                #expect(fleet.calls == calls)
                #expect(try fleet.used() == used)
                try await checks.spend()
            }
        }

        @Test(
            "U1: slow upstream is never waited for with rates in hand, its answer is used; half-open ends at the deadline",
            .timeLimit(.minutes(3)))
        func slow() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let proxy = try TCPProxy(to: Int(fleet.simulator.port))
                let gateway = try await fleet.add(environment: [
                    "FXGW_UPSTREAM_URL": "http://127.0.0.1:\(proxy.port)"
                ])[0]
                try #require(await fleet.isWarm())
                let load = SteadyLoad([gateway])
                // Within its deadline of 2 s, far beyond what a client should notice.
                var late = Fault()
                late.delay = .milliseconds(1_600)
                fleet.simulator.script(late)
                let calls = fleet.calls
                #expect(await fleet.calls(atLeast: calls + 2))
                let ok = "fxgateway_upstream_requests_total{outcome=\"ok\"}"
                let used = try await gateway.metric(ok) ?? 0
                #expect(used >= Double(calls + 1), "what came late was used")
                let cut = "fxgateway_upstream_requests_total{outcome=\"cut_off\"}"
                let before = try await gateway.metric(cut)
                #expect(before == 0)
                await proxy.set(.halfOpen)
                let isCut = try await eventually(within: .seconds(12), step: .milliseconds(100)) {
                    try await gateway.metric(cut) ?? 0 >= 1
                }
                #expect(isCut)
                #expect(try await gateway.rates().status == 200)
                await proxy.set(.none)
                await proxy.reset()
                #expect(await fleet.isWarm(within: .seconds(12)))
                let samples = await load.stop()
                #expect(samples.allSatisfy { $0.reading?.status == 200 })
                #expect(samples.latency(percent: 99) < .milliseconds(500) * MachineLoad.factor)
                FleetChecks.truth(samples)
                gateway.stop()
                await proxy.stop()
            }
        }
    }
}
