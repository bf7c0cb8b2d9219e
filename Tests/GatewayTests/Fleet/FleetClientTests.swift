import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Clients", .timeLimit(.minutes(4)))
    struct Clients {
        private static let token = "tok-9f8e7d6c5b4a39281706"
        private static let second = "tok-0011223344556677aabb"
        private static let lost = "tok-ffeeddccbbaa99887766"

        private static func entry(_ name: String, _ token: String, more: String = "") -> String {
            "{\"name\":\"\(name)\",\"token_sha256\":\"\(SampleClients.hexadecimal(token))\"\(more)}"
        }

        private static func write(_ entries: [String], to path: String) throws {
            try Data("{\"clients\":[\(entries.joined(separator: ",\n"))]}".utf8).write(
                to: URL(fileURLWithPath: path))
        }

        private static func ask(_ gateway: GatewayProcess, _ target: String, _ token: String?) async throws
            -> RawHTTPClient.Answer
        {
            try await gateway.ask("GET", target, fields: token.map { ["Authorization: Bearer \($0)"] } ?? [])
        }

        @Test(
            "a bad clients file at the start is a configuration error that names every problem, and no secret"
        )
        func badStart() async throws {
            let options = FleetOptions { $0.gateways = 0 }
            try await FleetTests.run(options) { fleet in
                let path = fleet.directory + "/clients.json"
                try Self.write([Self.entry("a b", Self.token), Self.entry("c", Self.token)], to: path)
                for command in ["serve", "check-config"] {
                    let ended = try await GatewayProcess.run(
                        [command], environment: fleet.environment(["FXGW_CLIENTS_FILE": path]),
                        directory: fleet.directory)
                    #expect(ended.status == 78)
                    #expect(ended.text.contains("FXGW_CLIENTS_FILE entry 1: name must be"))
                    #expect(ended.text.contains("FXGW_CLIENTS_FILE entry 2: token_sha256 is that of entry 1"))
                    #expect(!ended.text.contains(SampleClients.hexadecimal(Self.token)))
                }
                // The supervisor's question is of the running process, not of a file that is being edited.
                let health = try await GatewayProcess.run(
                    ["healthcheck"], environment: fleet.environment(["FXGW_CLIENTS_FILE": path]),
                    directory: fleet.directory)
                #expect(health.status == 69)
            }
        }

        @Test(
            "P8: a SIGHUP brings new clients onto open connections; a broken file changes nothing; no secret shows"
        )
        func reload() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.environment["FXGW_LOG_LEVEL"] = "trace"
                $0.environment["FXGW_ACCESS_LOG"] = "on"
                $0.environment["FXGW_RATELIMIT_FIELDS"] = "on"
            }
            try await FleetTests.run(options) { fleet in
                let path = fleet.directory + "/clients.json"
                try Self.write([Self.entry("reports", Self.token, more: ",\"per_minute\":600")], to: path)
                let gateway = try await fleet.add(environment: ["FXGW_CLIENTS_FILE": path])[0]
                var seen = ""
                let isWarm = try await eventually(within: .seconds(20)) {
                    try await Self.ask(gateway, "/v1/latest/EUR", Self.token).status == 200
                }
                #expect(isWarm)
                let open = try RawHTTPClient(port: gateway.port)
                func status(_ token: String) throws -> Int {
                    let request = GatewayProcess.request(
                        "GET", "/v1/latest/EUR", fields: ["Authorization: Bearer \(token)"])
                    let answer = try open.exchange(request)
                    seen += answer.fields.map { "\($0.name): \($0.value)\n" }.joined() + answer.text
                    return answer.status
                }
                #expect(try status(Self.token) == 200)
                #expect(try status(Self.second) == 403)
                try Self.write([Self.entry("reports", Self.second, more: ",\"per_minute\":600")], to: path)
                gateway.signal(SIGHUP)
                let isNew = try await eventually(within: .seconds(5)) { try status(Self.second) == 200 }
                #expect(isNew)
                #expect(try status(Self.token) == 403)
                let broken =
                    "{\"clients\":[{\"name\":\"\(Self.lost)\",\"token_sha256\":\"\(Self.lost)\",\"\(Self.token)\":1}]}"
                for text in [broken, "{\"clients\":[\n\"\(Self.lost)", "", "[\"\(Self.lost)\"]"] {
                    let before = Self.complaints(gateway)
                    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                    gateway.signal(SIGHUP)
                    #expect(await eventually(within: .seconds(5)) { Self.complaints(gateway) > before })
                    #expect(try status(Self.second) == 200)
                    #expect(try status(Self.lost) == 403)
                }
                #expect(await gateway.hasLogged("FXGW_CLIENTS_FILE entry 1: token_sha256 must be 64"))
                #expect(await gateway.hasLogged("FXGW_CLIENTS_FILE isn't JSON from line 2 on"))
                for token in [nil, Self.token, Self.second, Self.lost] {
                    for target in [
                        "/v1/quota", "/v1/status", "/v1/explain", "/metrics", "/v1/latest/EUR", "/nothing",
                        "/",
                    ] {
                        let answer = try await Self.ask(gateway, target, token)
                        seen += answer.fields.map { "\($0.name): \($0.value)\n" }.joined() + answer.text
                    }
                }
                #expect(seen.contains("\"name\":\"reports\",\"verified\":true"))
                #expect(
                    seen.contains("fxgateway_client_requests_total{client=\"reports\",verified=\"true\"}"))
                gateway.signal(SIGTERM)
                #expect(await gateway.ended(within: .seconds(10)) == 0)
                let redis = try Secrets.dump(fleet.redis)
                #expect(gateway.log.contains("\"client\":\"reports\""))
                for secret in [Self.token, Self.second, Self.lost].flatMap({
                    [$0, SampleClients.hexadecimal($0)]
                }) {
                    let forms = [
                        secret, Data(secret.utf8).base64EncodedString(), String(secret.dropFirst(9)),
                    ]
                    for form in forms {
                        #expect(!gateway.log.contains(form) && !seen.contains(form) && !redis.contains(form))
                    }
                }
            }
        }

        private static func complaints(_ gateway: GatewayProcess) -> Int {
            gateway.log.matches(of: /what was read before stays/).count
        }

        @Test("what the instances attribute adds up to the ledger, and is of those who asked each of them")
        func attribution() async throws {
            let options = FleetOptions { $0.environment["FXGW_LIVE_TTL"] = "1s" }
            try await FleetTests.run(options) { fleet in
                let names = ["red", "green", "blue"]
                let isSpread = try await eventually(within: .seconds(40)) {
                    for (name, gateway) in zip(names, fleet.gateways) {
                        _ = try await gateway.ask("GET", "/v1/latest/EUR", fields: ["X-Client-Name: \(name)"])
                    }
                    return fleet.calls >= 8
                }
                #expect(isSpread)
                // Nobody asks any more, but an hour's demand goes on: between two calls everything is settled.
                let isSettled = try await eventually(within: .seconds(20), step: .milliseconds(20)) {
                    let before = fleet.calls
                    var calls = 0
                    var classes: [String: Int] = [:]
                    for (name, gateway) in zip(names, fleet.gateways) {
                        let attribution = try await Self.attribution(of: gateway)
                        let own = attribution["calls"] as? Int ?? -1
                        calls += own
                        let clients = attribution["clients"] as? [[String: Any]] ?? []
                        let shares = clients.compactMap { ($0["calls"] as? NSNumber)?.decimalValue }
                        #expect(shares.reduce(0, +) == Decimal(own))
                        #expect(clients.allSatisfy { ["(none)", name].contains($0["name"] as? String) })
                        let mine = clients.first { $0["name"] as? String == name }
                        #expect(mine?["resources"] as? [String] == ["latest:EUR"])
                        #expect(clients.allSatisfy { $0["verified"] as? Bool == false })
                        classes.merge(attribution["classes"] as? [String: Int] ?? [:], uniquingKeysWith: +)
                    }
                    // The same in the month's report, where the ledger's own numbers begin in mid-month.
                    let report = try Self.report(fleet)
                    guard fleet.calls == before, calls == before else { return false }
                    return report == classes && classes.values.reduce(0, +) == calls
                }
                #expect(isSettled)
                var sum = 0.0
                for gateway in fleet.gateways {
                    for name in names {
                        sum +=
                            try await gateway.metric(
                                "fxgateway_client_calls_total{client=\"\(name)\",verified=\"false\"}") ?? 0
                    }
                }
                #expect(sum >= 7)
            }
        }

        /// The settled calls by class, as the scripts have counted them.
        private static func report(_ fleet: Fleet) throws -> [String: Int] {
            var classes: [String: Int] = [:]
            for key in try fleet.keys().keys where key.hasPrefix("ledger:") {
                let lines = try fleet.redis.cli("HGETALL", fleet.prefix + key).split(separator: "\n")
                for (field, count) in zip(lines, lines.dropFirst()) where field.hasPrefix("class:") {
                    classes[String(field.dropFirst(6)), default: 0] += Int(count) ?? 0
                }
            }
            return classes
        }

        private static func attribution(of gateway: GatewayProcess) async throws -> [String: Any] {
            let answer = try await gateway.ask(
                "GET", "/v1/quota", fields: ["X-Client-Name: \(name(of: gateway))"])
            let body = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            return body?["attribution"] as? [String: Any] ?? [:]
        }

        /// The client that asks this one of the three.
        private static func name(of gateway: GatewayProcess) -> String {
            ["gateway-0": "red", "gateway-1": "green", "gateway-2": "blue"][gateway.name] ?? "none"
        }
    }
}
