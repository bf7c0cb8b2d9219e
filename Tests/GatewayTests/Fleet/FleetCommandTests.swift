import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Commands and configuration of the program")
    struct Commands {
        @Test(
            "T10: bad values end it with 78, each is named, and nothing is started", .timeLimit(.minutes(3)))
        func badConfiguration() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let environment = fleet.environment([
                    "FXGW_LISTEN": "nowhere", "FXGW_LIVE_TTL": "60", "FXGW_QUOTA_MONTHLY": "many",
                    "FXGW_LEASE_TTL": "4s", "FXGW_UPSTREAM_TIMEOUT": "10s", "EXCHANGERATE_API_KEY": "",
                    "FXGW_BASES": "EUR,EUR", "FXGW_LOG_LEVEL": "loud", "FXGW_REDIS_URl": "x",
                    "FXGW_UPSTREAM_URL": "http://user:hunter2@127.0.0.1:1",
                ])
                for command in ["serve", "check-config"] {
                    let (status, text) = try await GatewayProcess.run(
                        [command], environment: environment, directory: fleet.directory)
                    #expect(status == 78, "\(command)")
                    for name in [
                        "FXGW_LISTEN", "FXGW_LIVE_TTL", "FXGW_QUOTA_MONTHLY", "FXGW_LEASE_TTL",
                        "EXCHANGERATE_API_KEY", "FXGW_BASES", "FXGW_LOG_LEVEL", "FXGW_UPSTREAM_URL",
                    ] { #expect(text.contains(name), "\(command) doesn't name \(name)") }
                    #expect(!text.contains("hunter2"))
                    #expect(!text.contains("serving"))
                }
                #expect(try fleet.redis.cli("DBSIZE") == "0")
                #expect(fleet.calls == 0)
            }
        }

        @Test("commands end with their stable codes", .timeLimit(.minutes(3)))
        func exitCodes() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let environment = fleet.environment()
                for (arguments, code, text) in [
                    (["version"], 0, "fxgateway 0."), (["help"], 0, "usage: fxgateway"), ([], 64, "usage:"),
                    (["check-config"], 0, "FXGW_BASES"), (["check-config", "--output=json"], 0, "{"),
                    (["no-such-command"], 64, "unknown command"), (["serve", "--fast"], 64, "--fast"),
                    (["check-config", "--output", "xml"], 64, "--output"),
                    (["simulate", "--nope"], 64, "--nope"),
                    (["simulate", "--help"], 0, "--listen"),
                ] as [([String], Int32, String)] {
                    let result = try await GatewayProcess.run(
                        arguments, environment: environment, directory: fleet.directory)
                    #expect(result.status == code, "\(arguments): \(result.text)")
                    #expect(result.text.contains(text), "\(arguments): \(result.text)")
                }
                let shown = try await GatewayProcess.run(
                    ["check-config"], environment: environment, directory: fleet.directory)
                #expect(!shown.text.contains("exr_live_test"))
                #expect(!shown.text.contains(FleetOptions.adminToken))
            }
        }

        @Test(
            "serve alone, with no Redis and no key, works, and healthcheck asks it", .timeLimit(.minutes(3)))
        func alone() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 0 }) { fleet in
                let bare: [String: String?] = [
                    "FXGW_REDIS_URL": nil, "EXCHANGERATE_API_KEY": nil, "FXGW_ADMIN_TOKEN": nil,
                    "FXGW_FLEET": nil, "FXGW_BASES": nil, "FXGW_LIVE_TTL": nil, "FXGW_QUOTA_MONTHLY": nil,
                    "FXGW_QUOTA_PER_MINUTE": nil,
                ]
                let gateway = try await fleet.add(environment: bare)[0]
                let answer = try await gateway.ask("GET", "/v1/latest/USD?symbols=EUR")
                #expect(answer.status == 200)
                #expect(RateReading(answer).state == "fresh")
                #expect(fleet.simulator.log.map(\.isAuthorized) == [false])
                #expect(try await gateway.ask("GET", "/v1/status").text.contains("\"kind\":\"memory\""))
                #expect(try await gateway.ask("POST", "/admin/refresh/USD").status == 404)
                #expect(try fleet.redis.cli("DBSIZE") == "0")
                for (address, arguments, code) in [
                    ("127.0.0.1:\(gateway.port)", ["healthcheck"], 0),
                    ("127.0.0.1:\(gateway.port)", ["healthcheck", "--ready"], 0),
                    ("127.0.0.1:\(try TCPProxySocket.freePort())", ["healthcheck"], 69),
                ] as [(String, [String], Int32)] {
                    let result = try await GatewayProcess.run(
                        arguments, environment: ["FXGW_LISTEN": address], directory: fleet.directory)
                    #expect(result.status == code, "\(arguments) \(address): \(result.text)")
                }
                gateway.signal(SIGTERM)
                #expect(await gateway.ended(within: .seconds(5)) == 0)
            }
        }

        @Test(
            "R15: a wrong Redis password is reported, and there is no reconnect storm",
            .timeLimit(.minutes(3)))
        func wrongPassword() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.redis.password = "the-right-one"
            }
            try await FleetTests.run(options) { fleet in
                let proxy = try TCPProxy(to: fleet.redis.port)
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://:not-the-right-one@127.0.0.1:\(proxy.port)",
                    "FXGW_WAIT_LIMIT": "500ms",
                ])[0]
                let began = ContinuousClock.now
                let isReady = try await eventually(within: .seconds(11), step: .milliseconds(50)) {
                    try await gateway.ask("GET", "/readyz").status == 200
                }
                #expect(isReady)
                #expect(try await gateway.ask("GET", "/readyz").text.contains("store_down"))
                #expect(try await gateway.ask("GET", "/v1/latest/EUR").status == 503)
                // Two links, each with pauses of about 1, 2 and 4 s.
                _ = await eventually(within: .seconds(6) - (.now - began)) { false }
                let accepted = proxy.accepted
                #expect((2...10).contains(accepted))
                #expect(await gateway.hasLogged("Redis refuses the login"))
                #expect(!gateway.log.contains("not-the-right-one"))
                #expect(fleet.calls == 0)
                print("fleet: \(accepted) connections in 6 s with a wrong password")
                gateway.stop()
                await proxy.stop()
            }
        }
    }
}
