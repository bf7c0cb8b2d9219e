import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Secrets")
    struct Secrets {
        private static let key = "exr_live_Zq7SECRETKEY42xW"
        private static let admin = "Adm1nS3cretTok3n-77"
        private static let password = "R3disP4ssw0rd-88"
        private static let wrong = "Wr0ngP4ssw0rd-99"

        @Test(
            "C190, C192, C194, P8: they are in no log, answer, metric, key or value, however upstream fails",
            .timeLimit(.minutes(3)))
        func nowhere() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.redis.password = Self.password
                $0.environment["EXCHANGERATE_API_KEY"] = Self.key
                $0.environment["FXGW_ADMIN_TOKEN"] = Self.admin
                $0.environment["FXGW_LOG_LEVEL"] = "trace"
                $0.environment["FXGW_ACCESS_LOG"] = "on"
                $0.environment["FXGW_LIVE_TTL"] = "30s"
                $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "1s"
                $0.environment["FXGW_LEASE_TTL"] = "4s"
                $0.environment["FXGW_WAIT_LIMIT"] = "8s"
            }
            try await FleetTests.run(options) { fleet in
                let url = "redis://:\(Self.password)@127.0.0.1:\(fleet.redis.port)"
                let closed = try TCPProxySocket.freePort()
                let main = try await fleet.add(environment: ["FXGW_REDIS_URL": url])[0]
                // Each in a fleet of its own: what fails for one must not pause another.
                let others = try await [
                    fleet.add(environment: [
                        "FXGW_REDIS_URL": url, "FXGW_UPSTREAM_URL": "http://127.0.0.1:\(closed)",
                    ])[0],
                    fleet.add(environment: [
                        "FXGW_REDIS_URL": url, "FXGW_FLEET": "tls",
                        "FXGW_UPSTREAM_URL": "https://127.0.0.1:\(fleet.simulator.port)",
                    ])[0],
                    fleet.add(environment: [
                        "FXGW_FLEET": "locked-out",
                        "FXGW_REDIS_URL": "redis://:\(Self.wrong)@127.0.0.1:\(fleet.redis.port)",
                    ])[0],
                ]
                var seen = ""
                seen += try await everyAnswer(of: main)
                let isWarm = try await eventually(within: .seconds(8)) {
                    try await main.rates().status == 200
                }
                #expect(isWarm)
                for (name, fault, reason) in Self.failures() {
                    let calls = fleet.calls
                    fleet.simulator.script(fault)
                    let answer = try await refresh(main)
                    #expect(answer.status != 200, "\(name)")
                    #expect(fleet.calls == calls + 1, "\(name)")
                    #expect(
                        main.log.contains("\"reason\":\"\(reason)\""), "\(name) isn't logged as \(reason)")
                    seen += Self.whole(answer)
                    seen += try await everyAnswer(of: main)
                }
                for gateway in others {
                    seen += Self.whole(try await refresh(gateway))
                    seen += try await everyAnswer(of: gateway)
                }
                #expect(await others[0].hasLogged("\"reason\":\"refused\""))
                #expect(await others[1].hasLogged("\"reason\":\"tls_handshake\""))
                try check(seen, "an answer")
                for gateway in fleet.gateways {
                    try check(gateway.log, "the log of \(gateway.name)")
                    let commandLine = try String(
                        contentsOfFile: "/proc/\(gateway.process.identifier)/cmdline", encoding: .utf8)
                    try check(commandLine, "a command line")
                }
                let dump = try Self.dump(fleet.redis)
                #expect(dump.contains("control"))
                try check(dump, "Redis")
                for gateway in fleet.gateways { gateway.signal(SIGTERM) }
                for gateway in fleet.gateways { #expect(await gateway.ended(within: .seconds(10)) == 0) }
                for gateway in fleet.gateways { try check(gateway.log, "the last lines of \(gateway.name)") }
            }
        }

        /// Ways of upstream to fail, most of them with the key in what comes back, and the word for each.
        private static func failures() -> [(name: String, fault: Fault, reason: String)] {
            var hang = Fault()
            hang.ending = .hang
            var html = Fault.status(
                500, body: "<html>{authorization} <b>\(key)</b></html>",
                headers: [("Content-Type", "text/html")])
            html.echoesKey = true
            var json = Fault.status(200, body: "{\"result\":\"success\",\"key\":\"\(key) {authorization}\",")
            json.echoesKey = true
            var redirect = Fault()
            redirect.redirect = "http://127.0.0.1:1/?key=\(key)&a={authorization}"
            redirect.echoesKey = true
            var reset = Fault()
            reset.ending = .reset
            var named = Fault.status(
                400, body: "{\"result\":\"error\",\"code\":\"\(key)\",\"message\":\"{authorization}\"}",
                headers: [("X-Key", key)])
            named.echoesKey = true
            // Last: it opens the circuit of the key.
            var refused = Fault.status(
                401,
                body:
                    "{\"result\":\"error\",\"code\":\"invalid_api_key\",\"message\":\"bad {authorization}\"}",
                headers: [("WWW-Authenticate", "Bearer realm=\"\(key)\"")])
            refused.echoesKey = true
            return [
                ("no answer in time", hang, "timed_out"), ("HTML with the key", html, "not_2xx"),
                ("broken JSON with the key", json, "not_json"),
                ("a redirect with the key", redirect, "not_2xx"),
                ("a reset", reset, "connection_lost"), ("an error named like the key", named, "not_2xx"),
                ("401 with the key", refused, "not_2xx"),
            ]
        }

        /// A forced refresh; one that only the rate limit is in the way of is asked for again.
        private func refresh(_ gateway: GatewayProcess) async throws -> RawHTTPClient.Answer {
            var answer: RawHTTPClient.Answer?
            _ = try await eventually(within: .seconds(5), step: .milliseconds(20)) {
                answer = try await gateway.ask(
                    "POST", "/admin/refresh/EUR?force=true", fields: ["Authorization: Bearer \(Self.admin)"],
                    within: .seconds(15))
                return answer?.status != 409
            }
            return try #require(answer)
        }

        /// Head and body of what every route answers, right and wrong requests alike.
        private func everyAnswer(of gateway: GatewayProcess) async throws -> String {
            let order = "{\"from\":\"EUR\",\"pairs\":[[\"USD\",1]]}"
            let requests: [(String, String, [String], String)] = [
                ("GET", "/v1/latest/EUR", ["Cache-Control: only-if-cached"], ""),
                ("GET", "/v1/rate/EUR-USD", ["Cache-Control: only-if-cached"], ""),
                ("GET", "/v1/convert/EUR/USD/10", ["Cache-Control: only-if-cached"], ""),
                ("POST", "/v1/convert", ["Cache-Control: only-if-cached"], order),
                ("POST", "/v1/convert", [], "{"), ("GET", "/v1/status", [], ""), ("GET", "/healthz", [], ""),
                ("GET", "/v1/sources", [], ""), ("GET", "/v1/explain", [], ""),
                ("GET", "/v1/latest/EUR?explain=1", ["Cache-Control: only-if-cached"], ""),
                ("POST", "/admin/quarantine/EUR-USD/accept", [], ""),
                ("GET", "/readyz", [], ""), ("GET", "/metrics", [], ""), ("GET", "/", [], ""),
                ("GET", "/no/such/path", [], ""), ("GET", "/v1/latest/EUR?symbols=!", [], ""),
                ("OPTIONS", "/v1/latest", [], ""), ("OPTIONS", "*", [], ""), ("DELETE", "/v1/latest", [], ""),
                ("POST", "/admin/refresh/EUR", ["Authorization: Bearer guessed"], ""),
                ("POST", "/admin/refresh/EUR", [], ""),
                ("GET", "/v1/status", ["Authorization: Bearer \(Self.key)", "X-API-Key: \(Self.key)"], ""),
                (
                    "GET", "/v1/latest/EUR", ["Authorization: \(Self.key)", "Cache-Control: only-if-cached"],
                    ""
                ),
            ]
            var seen = ""
            for (method, target, fields, body) in requests {
                seen += Self.whole(try await gateway.ask(method, target, fields: fields, body: body))
            }
            return seen
        }

        private static func whole(_ answer: RawHTTPClient.Answer) -> String {
            let head = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            return "\(answer.status)\n\(head)\n\(answer.text)\n"
        }

        /// Every key and value of a server.
        static func dump(_ redis: RedisServer) throws -> String {
            let session = try redis.session()
            var text = ""
            for key in try session.send(["KEYS", "*"]).split(separator: "\n").map(String.init) {
                text += key + "\n"
                switch try session.send(["TYPE", key]) {
                case "hash": text += try session.send(["HGETALL", key])
                case "zset": text += try session.send(["ZRANGE", key, "0", "-1", "WITHSCORES"])
                case "string": text += try session.send(["GET", key])
                case let other: Issue.record("\(key) is a \(other)")
                }
                text += "\n"
            }
            return text
        }

        private func check(_ text: String, _ place: String) throws {
            for secret in [Self.key, Self.admin, Self.password, Self.wrong] {
                let forms = [secret, Data(secret.utf8).base64EncodedString(), String(secret.dropFirst(9))]
                #expect(!forms.contains { text.contains($0) }, "\(place) holds a secret")
            }
        }

        @Test(
            "U6: a changed key file is used from the next call on after a SIGHUP, at once",
            .timeLimit(.minutes(3)))
        func newKey() async throws {
            let options = FleetOptions {
                $0.gateways = 0
                $0.upstream.keys = ["exr_live_new"]
                $0.environment["EXCHANGERATE_API_KEY"] = nil
                $0.upstream.latency = .milliseconds(300)
            }
            try await FleetTests.run(options) { fleet in
                let path = fleet.directory + "/key"
                try Data("exr_live_old\n".utf8).write(to: URL(fileURLWithPath: path))
                try await fleet.add(2, environment: ["EXCHANGERATE_API_KEY_FILE": path])
                let clients = fleet.gateways.map {
                    CrowdClient(port: $0.port, requests: [GatewayProcess.request("GET", "/v1/latest/EUR")])
                }
                let refused = try await Crowd.ask(clients, within: .seconds(15))
                #expect(refused.count == 2)
                #expect(refused.allSatisfy { $0.answer.text.contains("upstream-key-rejected") })
                // Whoever waits for another one's call is told at once how it ended.
                let spread = (refused.map(\.after).max() ?? .zero) - (refused.map(\.after).min() ?? .zero)
                #expect(spread < .seconds(1))
                #expect(fleet.simulator.log.map(\.status) == [401])
                try Data("exr_live_new\n".utf8).write(to: URL(fileURLWithPath: path))
                let began = ContinuousClock.now
                for gateway in fleet.gateways { gateway.signal(SIGHUP) }
                #expect(await fleet.isWarm(within: .seconds(5)))
                print("fleet: fresh \(ContinuousClock.now - began) after the new key")
                #expect(fleet.simulator.log.dropFirst().allSatisfy { $0.status == 200 })
                #expect(fleet.simulator.log.last?.isAuthorized == true)
                // One that has not been told yet must not close the circuit again by itself.
                #expect(!fleet.gateways.contains { $0.log.contains("exr_live_") })
            }
        }
    }
}
