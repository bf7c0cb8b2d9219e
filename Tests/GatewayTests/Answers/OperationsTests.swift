import CacheLayer
import EventLoop
import TestSupport
import Testing

@testable import FXGateway

@Suite("Operations and refusals", .timeLimit(.minutes(3)))
struct OperationsTests {
    @Test("/healthz answers whatever is held; /readyz says whether traffic should come")
    func probes() async throws {
        try await GatewayRig.run { rig in
            let health = try rig.ask("/healthz")
            #expect(health.status == 200)
            #expect(health.text == "ok\n")
            #expect(health.field("cache-control") == "no-store")
            let ready = try rig.ask("/readyz")
            #expect(ready.status == 200)
            rig.readiness.withLock {
                $0 = Readiness(isReady: true, isDraining: true, degraded: ["store_down"])
            }
            let draining = try rig.ask("/readyz")
            #expect(draining.status == 503)
            #expect(draining.text == #"{"ready":false,"draining":true,"degraded":["store_down"]}"#)
        }
    }

    @Test("requests are counted by route, status and state, over all loops, whatever the paths")
    func metrics() async throws {
        try await GatewayRig.run(loops: 2) { rig in
            await rig.hold(SampleTable.usd)
            for _ in 0..<6 { _ = try rig.ask("/v1/latest?symbols=EUR") }
            _ = try rig.ask("/v1/latest", fields: ["If-None-Match: *"])
            _ = try rig.ask("/v1/latest?symbols=")
            for number in 0..<5 { _ = try rig.ask("/nothing/\(number)") }
            let text = try rig.ask("/metrics")
            #expect(text.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
            for line in [
                #"fxgateway_http_requests_total{route="latest",status="200",state="fresh"} 6"#,
                #"fxgateway_http_requests_total{route="latest",status="304",state="fresh"} 1"#,
                #"fxgateway_http_requests_total{route="latest",status="400",state="none"} 1"#,
                #"fxgateway_http_requests_total{route="none",status="404",state="none"} 5"#,
            ] {
                #expect(text.text.contains(line + "\n"), "\(text.text)")
            }
        }
    }

    @Test(
        "a problem has RFC 9457's members and upstream's, is never stored and has no Cache-Status",
        arguments: [
            ("/nothing", 404, "not_found"), ("/v1/latest?symbols=", 400, "invalid_request"),
            ("/v1/rate/EURUSD", 422, "invalid_pair"), ("/v1/latest/QQQ", 422, "unsupported_base"),
            ("/v1/convert/USD/EUR/x", 400, "invalid_amount"), ("/v1/convert", 405, "method_not_allowed"),
        ])
    func problems(target: String, status: Int, code: String) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let answer = try rig.ask(target)
            #expect(answer.status == status)
            #expect(answer.field("content-type") == "application/problem+json")
            #expect(answer.field("cache-control") == "no-store")
            #expect(answer.field("cache-status") == nil)
            #expect(answer.field("etag") == nil)
            let body = try JSONTree.parse(answer.body)
            #expect(
                body.members?.map(\.name) == [
                    "type", "title", "status", "detail", "result", "code", "message",
                ])
            #expect(body["status"] == .number("\(status)"))
            #expect(body["result"] == .string("error"))
            #expect(body["code"] == .string(code))
            #expect(body["type"]?.string?.hasPrefix("urn:fxgateway:problem:") == true)
        }
    }

    @Test("C100: a refused request leaves nothing behind for the good one")
    func afterRefusal() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let client = try rig.client()
            let bad = try client.exchange(GatewayRig.request("/v1/latest?symbols=%zz"))
            #expect(bad.status == 400)
            let good = try client.exchange(GatewayRig.request("/v1/latest?symbols=EUR"))
            #expect(good.status == 200)
        }
    }

    @Test(
        "other methods get 405 with Allow, OPTIONS 204 with Allow",
        arguments: [
            ("/v1/latest", "DELETE", 405, "GET, HEAD, OPTIONS"),
            ("/v1/latest", "OPTIONS", 204, "GET, HEAD, OPTIONS"),
            ("/v1/convert", "GET", 405, "POST, OPTIONS"), ("/v1/convert", "OPTIONS", 204, "POST, OPTIONS"),
            ("/v1/rate/USD-EUR", "PUT", 405, "GET, HEAD, OPTIONS"),
            ("/healthz", "TRACE", 405, "GET, HEAD, OPTIONS"),
            ("/v1/latest/EU", "POST", 405, "GET, HEAD, OPTIONS"), ("*", "OPTIONS", 204, "GET, HEAD, OPTIONS"),
        ])
    func methods(target: String, method: String, status: Int, allow: String) async throws {
        try await GatewayRig.run { rig in
            let answer = try rig.ask(target, method: method)
            #expect(answer.status == status)
            #expect(answer.field("allow") == allow)
        }
    }

    @Test("faults on the wire are problems too, and a body is taken only where one belongs")
    func faults() async throws {
        try await GatewayRig.run { rig in
            let body = try rig.ask("/v1/latest", method: "POST", body: "{}")
            #expect(body.status == 413)
            #expect(try JSONTree.parse(body.body)["code"] == .string("content_too_large"))
            let line = try rig.client().exchange("GET /%zz HTTP/3.0\r\nHost: a\r\n\r\n")
            #expect(line.status == 505)
            #expect(line.field("content-type") == "application/problem+json")
            let long = try rig.client().exchange(
                "GET /\(String(repeating: "a", count: 3_000)) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(long.status == 414)
        }
    }

    @Test("the admin route is off without a token, 401 without one in the request, 403 with a wrong one")
    func adminAccess() async throws {
        try await GatewayRig.run { rig in
            let off = try rig.ask("/admin/refresh/USD", method: "POST", fields: ["Authorization: Bearer x"])
            #expect(off.status == 404)
        }
        try await GatewayRig.run(token: "t-TEST-1") { rig in
            let none = try rig.ask("/admin/refresh/USD", method: "POST")
            #expect(none.status == 401)
            #expect(none.field("www-authenticate") == "Bearer")
            for field in ["Bearer t-TEST-2", "Bearer t-TEST-11", "Bearer t-TEST-", "bearer T-TEST-1"] {
                let wrong = try rig.ask(
                    "/admin/refresh/USD", method: "POST", fields: ["Authorization: " + field])
                #expect(wrong.status == 403, "\(field)")
                #expect(!wrong.text.contains("TEST"))
            }
            let basic = try rig.ask(
                "/admin/refresh/USD", method: "POST", fields: ["Authorization: Basic eDp5"])
            #expect(basic.status == 401)
            let other = try rig.ask(
                "/admin/refresh/GBP", method: "POST", fields: ["Authorization: Bearer t-TEST-1"])
            #expect(other.status == 422)
            #expect(rig.refreshes.withLock { $0.isEmpty })
        }
    }

    @Test("an operator accepts what is held back, by pair or by snapshot; all else is 404")
    func acceptance() async throws {
        try await GatewayRig.run(token: "t-TEST-1") { rig in
            let fields = ["Authorization: Bearer t-TEST-1"]
            func post(_ id: String) throws -> RawHTTPClient.Answer {
                try rig.ask("/admin/quarantine/\(id)/accept", method: "POST", fields: fields)
            }
            let id = try #require(SnapshotID(parsing: "01J0F3ZK7Q-7f3a9c2e"))
            rig.outcome.withLock { $0 = .accepted([.eur, .gbp], id) }
            let accepted = try post("usd-Eur")
            #expect(accepted.status == 200)
            #expect(
                accepted.text
                    == #"{"result":"success","accepted":["EUR","GBP"],"snapshot":"01J0F3ZK7Q-7f3a9c2e"}"#)
            #expect(try post("01J0F3ZK7Q-7f3a9c2e").status == 200)
            #expect(
                rig.orders.withLock { $0 } == [
                    .accept(.symbol(base: .usd, .eur)), .accept(.snapshot(id)),
                ])
            for wrong in ["USD", "USD-EUR-GBP", "USD-", "01J0F3ZK7Q-7F3A9C2E", "U-E", "%2e%2e-EUR"] {
                #expect(try post(wrong).status == 404, "\(wrong)")
            }
            #expect(
                try rig.ask("/admin/quarantine/USD-EUR/drop", method: "POST", fields: fields).status == 404)
            #expect(rig.orders.withLock { $0.count } == 2)
            for (outcome, status) in [
                (AdminOutcome.nothingHeldBack, 404), (.busy, 409), (.storeAway, 503),
            ] {
                rig.outcome.withLock { $0 = outcome }
                #expect(try post("USD-EUR").status == status)
            }
            #expect(try rig.ask("/admin/quarantine/USD-EUR/accept", fields: fields).status == 405)
            #expect(try rig.ask("/admin/quarantine/USD-EUR/accept", method: "POST").status == 401)
            let chunked = try rig.ask(
                "/admin/quarantine/USD-EUR/accept", method: "POST", fields: fields, body: "")
            #expect(chunked.status == 503)
        }
    }

    @Test("an operator ends pauses and drops what is held; a month has to be named")
    func adminOrders() async throws {
        try await GatewayRig.run(token: "t-TEST-1") { rig in
            let fields = ["Authorization: Bearer t-TEST-1"]
            rig.outcome.withLock { $0 = .lifted([.short]) }
            let lifted = try rig.ask("/admin/cooldown", method: "DELETE", fields: fields)
            #expect(lifted.status == 200)
            #expect(lifted.text == #"{"result":"success","lifted":["short"]}"#)
            #expect(lifted.field("cache-control") == "no-store")
            _ = try rig.ask("/admin/cooldown?scope=month", method: "DELETE", fields: fields)
            rig.outcome.withLock { $0 = .purged }
            let purged = try rig.ask("/admin/cache", method: "DELETE", fields: fields)
            #expect(purged.text == #"{"result":"success","purged":true}"#)
            #expect(
                rig.orders.withLock { $0 } == [.lift([.short, .key]), .lift([.month]), .purge])
            rig.outcome.withLock { $0 = .storeAway }
            for target in ["/admin/cooldown?scope=key", "/admin/cache"] {
                let away = try rig.ask(target, method: "DELETE", fields: fields)
                #expect(away.status == 503)
                #expect(away.field("retry-after") == "1")
                #expect(away.text.contains("store-unavailable"))
            }
            let count = rig.orders.withLock { $0.count }
            for scope in ["", "all", "Short", "short,key"] {
                let odd = try rig.ask("/admin/cooldown?scope=\(scope)", method: "DELETE", fields: fields)
                #expect(odd.status == 400, "\(scope)")
            }
            for target in ["/admin/cooldown", "/admin/cache"] {
                #expect(try rig.ask(target, method: "DELETE").status == 401)
                let wrong = ["Authorization: Bearer t-TEST-2"]
                #expect(try rig.ask(target, method: "DELETE", fields: wrong).status == 403)
                for method in ["GET", "POST", "PUT"] {
                    let other = try rig.ask(target, method: method, fields: fields)
                    #expect(other.status == 405)
                    #expect(other.field("allow") == "DELETE, OPTIONS")
                }
            }
            #expect(rig.orders.withLock { $0.count } == count)
        }
        try await GatewayRig.run { rig in
            for target in ["/admin/cooldown", "/admin/cache"] {
                let off = try rig.ask(target, method: "DELETE", fields: ["Authorization: Bearer t-TEST-1"])
                #expect(off.status == 404)
            }
            #expect(rig.orders.withLock { $0.isEmpty })
        }
    }

    @Test("an operator's refresh is passed on and answered when it has landed")
    func adminRefresh() async throws {
        try await GatewayRig.run(token: "t-TEST-1") { rig in
            let client = try rig.client()
            let soon = rig.time.wall + .seconds(30)
            let landings: [(RefreshLanding, Int)] = [
                (.fetched(SampleTable.snapshot(SampleTable.usd)), 200),
                (.shared(SampleTable.snapshot(SampleTable.usd)), 200),
                (.refused(.paced(until: soon)), 409), (.refused(.refreshing), 409), (.refused(.idle), 409),
                (.refused(.cooldown(until: soon)), 503),
                (.refused(.quotaSpent(until: soon)), 503), (.refused(.storeAway(until: soon)), 503),
            ]
            for (number, (landing, status)) in landings.enumerated() {
                try client.send(
                    GatewayRig.request(
                        "/admin/refresh/usd?force=true", method: "POST",
                        fields: ["Authorization: Bearer  t-TEST-1"]))
                for _ in 0..<1_000 where rig.refreshes.withLock({ $0.count }) <= number {
                    try await Task.sleep(for: .milliseconds(2))
                }
                let order = try #require(rig.refreshes.withLock { $0.last })
                #expect(order.resource == .latest(base: .usd))
                #expect(order.force)
                order.completion(landing)
                let answer = try #require(try client.answers(1).answers.first)
                #expect(answer.status == status)
                let wait: String? =
                    switch landing {
                    case .fetched, .shared: nil
                    case .refused(.refreshing), .refused(.idle): "1"
                    case .refused: "30"
                    }
                #expect(answer.field("retry-after") == wait)
            }
        }
    }

    @Test("C164: the access log has route, status and time, and nothing that a client wrote")
    func accessLog() async throws {
        try await GatewayRig.run(accessLog: .oneIn(2)) { rig in
            await rig.hold(SampleTable.usd)
            for _ in 0..<3 {
                _ = try rig.ask(
                    "/v1/latest?symbols=EUR&x=FXKEY-TEST-123", fields: ["X-API-Key: FXKEY-TEST-123"])
            }
            _ = try rig.ask("/FXKEY-TEST-123")
            let lines = rig.logged
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains(#""route":"latest","status":"200","ms":"0""#) })
            #expect(!lines.joined().contains("FXKEY"))
        }
    }

    @Test("CORS is off unless origins are listed; a listed origin is named, another one isn't")
    func cors() async throws {
        try await GatewayRig.run { rig in
            let off = try rig.ask("/healthz", fields: ["Origin: https://a.test"])
            #expect(off.field("access-control-allow-origin") == nil)
        }
        try await GatewayRig.run(corsOrigins: ["https://a.test"]) { rig in
            await rig.hold(SampleTable.usd)
            for target in ["/v1/latest", "/nothing"] {
                let good = try rig.ask(target, fields: ["Origin: https://a.test"])
                #expect(good.field("access-control-allow-origin") == "https://a.test")
                #expect(good.field("vary") == "Origin")
                let bad = try rig.ask(target, fields: ["Origin: https://b.test"])
                #expect(bad.field("access-control-allow-origin") == nil)
                #expect(bad.field("vary") == "Origin")
            }
            let preflight = try rig.ask("/v1/convert", method: "OPTIONS", fields: ["Origin: https://a.test"])
            #expect(preflight.field("access-control-allow-methods") == "POST, OPTIONS")
        }
    }
}
