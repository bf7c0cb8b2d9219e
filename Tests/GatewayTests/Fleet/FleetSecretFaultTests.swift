import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Secrets under faults")
    struct SecretFaults {
        private static let key = "exr_live_Qq9PLANTEDKEY31xZ"
        private static let admin = "Adm1nPl4nted-66"
        private static let password = "R3disPl4nted-55"
        private static let client = "exr_live_aClientsOwn77yT"

        private static let options = FleetOptions {
            $0.gateways = 0
            $0.redis.password = password
            $0.environment["EXCHANGERATE_API_KEY"] = key
            $0.environment["FXGW_ADMIN_TOKEN"] = admin
            $0.environment["FXGW_LOG_LEVEL"] = "trace"
            $0.environment["FXGW_ACCESS_LOG"] = "on"
            $0.environment["FXGW_LIVE_TTL"] = "30s"
            $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "1s"
            $0.environment["FXGW_LEASE_TTL"] = "4s"
        }

        @Test(
            "P8: while Redis fails in every way and upstream in all others, in log, answers, metrics, Redis and state file",
            .timeLimit(.minutes(3)))
        func everyFault() async throws {
            try await FleetTests.run(Self.options) { fleet in
                let proxy = try TCPProxy(to: fleet.redis.port)
                let folder = "\(fleet.directory)/state"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://:\(Self.password)@127.0.0.1:\(proxy.port)",
                    "FXGW_STATE_DIR": folder, "FXGW_OFFLINE_CALLS_PER_HOUR": "100",
                ])[0]
                #expect(await fleet.isWarm())
                var seen = ""
                for trouble in RedisTrouble.allCases {
                    try await trouble.begin(fleet.redis, behind: proxy)
                    seen += try await answers(of: gateway)
                    try await trouble.end(fleet.redis, behind: proxy)
                    // A full server is tried again by the next call that is due, half a minute later at the most.
                    let isBack = try await eventually(within: .seconds(45), step: .milliseconds(50)) {
                        try await !gateway.ask("GET", "/readyz").text.contains("store_down")
                    }
                    #expect(isBack, "\(trouble.rawValue)")
                }
                for (name, fault) in Self.failures {
                    // No forced refresh passes the pause that the failure before may have brought.
                    let lifted = try await gateway.ask(
                        "DELETE", "/admin/cooldown", fields: ["Authorization: Bearer \(Self.admin)"])
                    seen += Self.whole(lifted)
                    fleet.simulator.script(fault)
                    let calls = fleet.calls
                    seen += try await answers(of: gateway)
                    #expect(fleet.calls > calls, "\(name)")
                }
                check(seen, "an answer")
                check(try Secrets.dump(fleet.redis), "Redis")
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                    check(String(decoding: bytes, as: UTF8.self), name)
                }
                #expect(await gateway.hasLogged("\"route\":"), "the access log is on")
                check(gateway.log, "the log")
                gateway.stop()
                await proxy.stop()
            }
        }

        @Test(
            "P8: what a crash writes, Swift's own report of it included, holds neither key nor token",
            .timeLimit(.minutes(4)))
        func crash() async throws {
            try await FleetTests.run(Self.options) { fleet in
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://:\(Self.password)@127.0.0.1:\(fleet.redis.port)",
                    "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,threads=all,registers=all",
                ])[0]
                #expect(await fleet.isWarm())
                gateway.signal(SIGILL)
                // Sent from outside it isn't met again, and the process goes on behind its report.
                let isWritten = await eventually(within: .seconds(60)) {
                    gateway.log.contains("Program crashed") && gateway.log.contains("Images")
                }
                #expect(isWritten, "there is no report: \(gateway.log.suffix(200))")
                check(gateway.log, "the crash text")
            }
        }

        @Test(
            "P8: a client's own key, in whatever field or parameter it comes, goes to no log and not to upstream",
            .timeLimit(.minutes(3)))
        func clientsKey() async throws {
            try await RawHTTPServer.run([.json("{}", status: "500 No")]) { upstream in
                try await FleetTests.run(Self.options) { fleet in
                    let gateway = try await fleet.add(environment: [
                        "FXGW_REDIS_URL": "redis://:\(Self.password)@127.0.0.1:\(fleet.redis.port)",
                        "FXGW_UPSTREAM_URL": upstream.url.absoluteString, "FXGW_WAIT_LIMIT": "2s",
                    ])[0]
                    for fields in [
                        ["Authorization: Bearer \(Self.client)"], ["X-API-Key: \(Self.client)"],
                        ["Cookie: key=\(Self.client)"], ["User-Agent: \(Self.client)"],
                    ] {
                        let target = "/v1/latest/EUR?apikey=\(Self.client)&symbols=USD"
                        let answer = try await gateway.ask("GET", target, fields: fields)
                        #expect(answer.status >= 500)
                        check(Self.whole(answer), "an answer")
                    }
                    #expect(await eventually(within: .seconds(10)) { !upstream.requests.isEmpty })
                    for request in upstream.requests {
                        #expect(!request.head.contains(Self.client))
                        #expect(request.head.contains("Authorization: Bearer \(Self.key)"))
                    }
                    check(gateway.log, "the log")
                    check(try Secrets.dump(fleet.redis), "Redis")
                    gateway.stop()
                }
            }
        }

        /// What the test of plain failures leaves out; the last one ends all calls of this month.
        private static let failures: [(name: String, fault: Fault)] = {
            func echoing(_ status: Int, _ code: String, _ headers: [(String, String?)] = []) -> (
                String, Fault
            ) {
                var fault = Fault.status(
                    status,
                    body: "{\"result\":\"error\",\"code\":\"\(code)\",\"message\":\"{authorization}\"}",
                    headers: headers.map { ($0.0, $0.1) } + [("X-Echo", "{authorization}")])
                fault.echoesKey = true
                return ("\(status) \(code)", fault)
            }
            var bomb = Fault()
            bomb.gzipBomb = 8 << 20
            var endless = Fault()
            endless.fillerFields = 4_000
            var cut = Fault()
            cut.truncate = 30
            return [
                ("gzip bomb", bomb), ("head without end", endless), ("truncated", cut),
                echoing(304, "none", [("ETag", "\"{authorization}\"")]),
                echoing(403, "{authorization}"), echoing(503, "down", [("Retry-After", "{authorization}")]),
                echoing(429, "rate_limited", [("Retry-After", "2")]),
                echoing(429, "quota_exceeded"),
            ]
        }()

        /// What a forced refresh and the pages that tell of it say.
        private func answers(of gateway: GatewayProcess) async throws -> String {
            var seen = ""
            _ = try await eventually(within: .seconds(5), step: .milliseconds(20)) {
                let answer = try await gateway.ask(
                    "POST", "/admin/refresh/EUR?force=true", fields: ["Authorization: Bearer \(Self.admin)"],
                    within: .seconds(15))
                seen += Self.whole(answer)
                return answer.status != 409
            }
            for target in [
                "/v1/latest/EUR", "/v1/rate/EUR-USD", "/v1/status", "/v1/explain?base=EUR", "/v1/sources",
                "/v1/quota", "/v1/account", "/metrics", "/readyz", "/",
            ] {
                seen += Self.whole(
                    try await gateway.ask("GET", target, fields: ["Cache-Control: only-if-cached"]))
            }
            return seen
        }

        private static func whole(_ answer: RawHTTPClient.Answer) -> String {
            let head = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            return "\(answer.status)\n\(head)\n\(answer.text)\n"
        }

        private func check(_ text: String, _ place: String) {
            for secret in [Self.key, Self.admin, Self.password, Self.client] {
                let forms = [secret, Data(secret.utf8).base64EncodedString(), String(secret.dropFirst(9))]
                #expect(!forms.contains { text.contains($0) }, "\(place) holds a secret")
            }
        }
    }
}
