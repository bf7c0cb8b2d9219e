import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Who may ask", .timeLimit(.minutes(3)))
struct ClientAnswersTests {
    private static let target = "/v1/latest?symbols=EUR"
    private static let bearer = "Authorization: Bearer \(SampleClients.token)"
    private static let reports = SampleClients.entry("reports", SampleClients.token)

    /// Runs `body` with a table that is held and these clients.
    private func run(
        _ clients: [ClientEntry]?, loops: Int = 1, accessLog: AccessLogRate = .off,
        hasRatelimitFields: Bool = false, _ body: (GatewayRig) async throws -> Void
    ) async throws {
        try await GatewayRig.run(
            loops: loops, token: "admin", clients: clients, accessLog: accessLog,
            corsOrigins: ["https://a.test"], hasRatelimitFields: hasRatelimitFields
        ) { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            try await body(rig)
        }
    }

    @Test("a token in either field opens /v1, known targets and new ones alike")
    func tokens() async throws {
        try await run([Self.reports, SampleClients.entry("shop", SampleClients.other)]) {
            (rig) async throws -> Void in
            for field in [
                Self.bearer, "authorization: bEARER   \(SampleClients.token)",
                "X-API-Key: \(SampleClients.token)", "X-Api-Key: \(SampleClients.other)",
            ] {
                for target in [
                    Self.target, Self.target, "/v1/rate/EUR-USD", "/v1/convert/USD/EUR/3", "/v1/status",
                    "/v1/quota",
                ] {
                    #expect(try rig.ask(target, fields: [field]).status == 200, "\(field) \(target)")
                }
            }
            // Another scheme is no token; the key beside it is.
            let both = ["Authorization: Basic eDp5", "X-API-Key: \(SampleClients.token)"]
            #expect(try rig.ask(Self.target, fields: both).status == 200)
            let batch = "{\"from\":\"USD\",\"pairs\":[[\"EUR\",1]]}"
            #expect(
                try rig.ask("/v1/convert", method: "POST", fields: [Self.bearer], body: batch).status == 200)
            #expect(try rig.ask("/v1/convert", method: "POST", body: batch).status == 401)
        }
    }

    @Test("no token is 401 with its challenge, an unknown one 403; neither is stored or says more")
    func refusals() async throws {
        try await run([Self.reports]) { (rig) async throws -> Void in
            // Once let in, the target is known: the refusal must come before it.
            #expect(try rig.ask(Self.target, fields: [Self.bearer]).status == 200)
            for target in [
                Self.target, "/v1/latest?symbols=GBP", "/v1/status", "/v1/quota", "/v1/nothing",
                "/%761/latest", "/v1/latest?symbols=!",
            ] {
                for fields in [[], ["Authorization: Bearer"], ["Authorization: Basic eDp5"], ["X-API-Key:"]] {
                    let answer = try rig.ask(target, fields: fields)
                    #expect(answer.status == 401, "\(target) \(fields)")
                    #expect(answer.field("www-authenticate") == "Bearer")
                    #expect(answer.field("cache-control") == "no-store")
                    #expect(answer.text.contains("\"code\":\"unauthorized\""))
                }
                for token in [
                    "x", SampleClients.token + "x", SampleClients.hexadecimal(SampleClients.token), "reports",
                ] {
                    let answer = try rig.ask(target, fields: ["Authorization: Bearer \(token)"])
                    #expect(answer.status == 403, "\(target)")
                    #expect(answer.field("www-authenticate") == nil)
                    #expect(answer.field("cache-control") == "no-store")
                    #expect(answer.text.contains("\"code\":\"forbidden\""))
                    #expect(!answer.text.contains(SampleClients.token))
                }
            }
            #expect(rig.counts(of: "reports").requests == 1)
        }
    }

    @Test("health, readiness, metrics, OPTIONS, methods and admin routes need no client's token")
    func open() async throws {
        try await run([Self.reports]) { (rig) async throws -> Void in
            for target in ["/healthz", "/readyz", "/metrics"] { #expect(try rig.ask(target).status == 200) }
            #expect(try rig.ask("/nothing").status == 404)
            #expect(try rig.ask("/v1/latest", method: "OPTIONS").status == 204)
            #expect(try rig.ask("/v1/nothing", method: "OPTIONS").status == 404)
            #expect(try rig.ask("/v1/latest", method: "DELETE").status == 405)
            #expect(try rig.ask("/admin/cache", method: "DELETE").status == 401)
            #expect(try rig.ask("/admin/cache", method: "DELETE", fields: [Self.bearer]).status == 403)
            let admin = ["Authorization: Bearer admin"]
            #expect(try rig.ask("/admin/cache", method: "DELETE", fields: admin).status == 200)
            #expect(try rig.ask(Self.target, fields: admin).status == 403)
        }
    }

    @Test(
        "without a file everybody may ask, whatever token is sent; clients are counted by the name they give")
    func unguarded() async throws {
        try await run(nil) { (rig) async throws -> Void in
            for fields in [
                [], [Self.bearer], ["X-API-Key: x"], ["X-Client-Name: billing"], ["X-Client-Name: b b"],
            ] {
                #expect(try rig.ask(Self.target, fields: fields).status == 200)
            }
            _ = try rig.ask("/v1/status", fields: ["X-Client-Name: billing"])
            _ = try rig.ask("/healthz", fields: ["X-Client-Name: probe"])
            #expect(rig.counts(of: "billing").requests == 2)
            #expect(rig.names.all == ["(none)", "(unnamed)", "(other)", "billing"])
            #expect(rig.users == ["(unnamed)", "billing"])
        }
    }

    @Test("over its allowance a client is told when to come back, on all loops and connections together")
    func allowance() async throws {
        let clients = [
            SampleClients.entry("reports", SampleClients.token, perMinute: 3),
            SampleClients.entry("shop", SampleClients.other),
        ]
        try await run(clients, loops: 2, hasRatelimitFields: true) { (rig) async throws -> Void in
            for left in [2, 1, 0] {
                let answer = try rig.ask(left == 1 ? "/v1/status" : Self.target, fields: [Self.bearer])
                #expect(answer.status == 200)
                #expect(answer.field("ratelimit-policy") == "\"client\";q=3;w=60")
                #expect(answer.field("ratelimit") == "\"client\";r=\(left);t=20")
            }
            for target in [Self.target, "/v1/status", "/v1/nothing"] {
                let over = try rig.ask(target, fields: [Self.bearer])
                #expect(over.status == 429)
                #expect(over.field("retry-after") == "20")
                #expect(over.field("ratelimit") == "\"client\";r=0;t=20")
                #expect(over.field("cache-control") == "no-store")
                #expect(over.text.contains("\"code\":\"rate_limited\""))
            }
            let free = try rig.ask(Self.target, fields: ["X-API-Key: \(SampleClients.other)"])
            #expect(free.status == 200 && free.field("ratelimit") == nil)
            rig.time.advance(by: .milliseconds(19_999))
            #expect(try rig.ask(Self.target, fields: [Self.bearer]).field("retry-after") == "1")
            rig.time.advance(by: .milliseconds(1))
            let answer = try rig.ask("/v1/latest?symbols=!", fields: [Self.bearer])
            #expect(answer.status == 400)
            #expect(answer.field("ratelimit") == "\"client\";r=0;t=20")
            #expect(rig.counts(of: "reports") == (8, 4))
            #expect(try rig.ask("/healthz").field("ratelimit") == nil)
        }
    }

    @Test("without FXGW_RATELIMIT_FIELDS a client is told of nothing but the wait")
    func quiet() async throws {
        try await run([SampleClients.entry("reports", SampleClients.token, perMinute: 1)]) {
            (rig) async throws -> Void in
            for status in [200, 429] {
                let answer = try rig.ask(Self.target, fields: [Self.bearer])
                #expect(answer.status == status)
                #expect(answer.field("ratelimit") == nil && answer.field("ratelimit-policy") == nil)
            }
        }
    }

    @Test("a client's own freshness holds where a request doesn't say, also for a target that is known")
    func freshness() async throws {
        let clients = [
            SampleClients.entry("reports", SampleClients.token) { $0.sources = [.ecbDaily] },
            SampleClients.entry("shop", SampleClients.other),
        ]
        try await run(clients) { (rig) async throws -> Void in
            let shop = ["X-API-Key: \(SampleClients.other)"]
            for _ in 0..<2 {
                #expect(try rig.ask(Self.target, fields: shop).status == 200)
                let answer = try rig.ask(Self.target, fields: [Self.bearer])
                #expect(answer.status == 503)
                #expect(answer.text.contains("freshness-unavailable"))
            }
            #expect(try rig.ask("/v1/latest?symbols=ISK", fields: [Self.bearer]).status == 200)
            #expect(try rig.ask(Self.target + "&sources=live", fields: [Self.bearer]).status == 200)
            let batch = "{\"from\":\"USD\",\"pairs\":[[\"EUR\",1]]}"
            #expect(
                try rig.ask("/v1/convert", method: "POST", fields: [Self.bearer], body: batch).status == 503)
            await rig.use([
                SampleClients.entry("reports", SampleClients.token) {
                    $0.maxDataAge = .seconds(5)
                    $0.rejectsStale = true
                }
            ])
            #expect(try rig.ask(Self.target, fields: [Self.bearer]).status == 503)
            #expect(try rig.ask(Self.target + "&max_data_age=1h", fields: [Self.bearer]).status == 200)
            rig.time.advance(by: .seconds(80))
            let old = "&max_data_age=1h"
            #expect(try rig.ask(Self.target + old, fields: [Self.bearer]).status == 503)
            #expect(try rig.ask(Self.target + old + "&on_stale=serve", fields: [Self.bearer]).status == 200)
            // What one client has said of itself is no other client's: the target stands for nobody's wish.
            #expect(try rig.ask(Self.target + old, fields: [Self.bearer]).status == 503)
        }
    }

    @Test("a new file holds on connections that are open; one that was parked is still answered")
    func reload() async throws {
        try await GatewayRig.run(clients: [Self.reports]) { (rig) async throws -> Void in
            let open = try rig.client()
            let waiting = try rig.client()
            try waiting.send(GatewayRig.request(Self.target, fields: [Self.bearer]))
            await rig.waiting(atLeast: 1)
            await rig.use([SampleClients.entry("shop", SampleClients.other)])
            let old = try open.exchange(GatewayRig.request(Self.target, fields: [Self.bearer]))
            #expect(old.status == 403)
            await rig.hold(SampleTable.usd)
            #expect(try waiting.answers(1).answers.first?.status == 200)
            let new = GatewayRig.request(Self.target, fields: ["X-API-Key: \(SampleClients.other)"])
            #expect(try open.exchange(new).status == 200)
        }
    }

    @Test("uses are told of once an interval and minute for each client; one that waited asks once")
    func uses() async throws {
        try await GatewayRig.run(clients: [Self.reports, SampleClients.entry("shop", SampleClients.other)]) {
            rig in
            let waiting = try rig.client()
            try waiting.send(GatewayRig.request(Self.target, fields: [Self.bearer]))
            await rig.waiting(atLeast: 1)
            #expect(rig.users == ["reports"])
            await rig.hold(SampleTable.usd)
            _ = try waiting.answers(1)
            #expect(rig.users == ["reports"])
            for _ in 0..<3 { _ = try rig.ask(Self.target, fields: [Self.bearer]) }
            _ = try rig.ask(Self.target, fields: ["X-API-Key: \(SampleClients.other)"])
            #expect(rig.users == ["reports", "reports", "shop"])
            rig.time.advance(by: .milliseconds(59_999))
            _ = try rig.ask(Self.target, fields: [Self.bearer])
            #expect(rig.users.count == 3)
            rig.time.advance(by: .milliseconds(1))
            _ = try rig.ask(Self.target, fields: [Self.bearer])
            #expect(rig.users.count == 4)
            await rig.hold(SampleTable.usd, token: 2, fetchedAt: SampleTable.fetchedAt + .seconds(60))
            _ = try rig.ask("/v1/rate/EUR-USD", fields: [Self.bearer])
            #expect(rig.users.count == 5)
        }
    }

    @Test("who waits for several years is told of with each")
    func severalYears() async throws {
        try await GatewayRig.run(clients: [Self.reports]) { rig in
            await rig.hold(SampleTable.usd)
            let waiting = try rig.client()
            try waiting.send(
                GatewayRig.request(
                    "/v1/range?symbols=EUR&start_date=2020-01-01&end_date=2022-12-31&format=csv",
                    fields: [Self.bearer]))
            await rig.waiting(atLeast: 1)
            #expect(rig.users == ["reports", "reports", "reports"])
        }
    }

    @Test("who waits for a day is told of with the pivot, and with the year that comes after it")
    func yearBehindPivot() async throws {
        try await GatewayRig.run(clients: [Self.reports]) { rig in
            let waiting = try rig.client()
            try waiting.send(GatewayRig.request("/v1/2025-03-03", fields: [Self.bearer]))
            await rig.waiting(atLeast: 1)
            #expect(rig.users == ["reports"])
            await rig.hold(SampleTable.usd)
            #expect(rig.users == ["reports", "reports"])
            await rig.hold(SampleYear.table(2025))
            #expect(try waiting.answers(1).answers.first?.status == 200)
            #expect(rig.users.count == 2)
        }
    }

    @Test("the access log names a client also where its allowance is spent")
    func limitedLine() async throws {
        try await run(
            [SampleClients.entry("reports", SampleClients.token, perMinute: 1)], accessLog: .oneIn(1)
        ) { (rig) async throws -> Void in
            for _ in 0..<2 { _ = try rig.ask(Self.target, fields: [Self.bearer]) }
            let limited = try #require(rig.logged.first { $0.contains("\"status\":\"429\"") })
            #expect(limited.contains("\"client\":\"reports\""))
        }
    }

    @Test("P8: tokens and digests are in no answer and no line, at whatever level")
    func secrecy() async throws {
        try await run(
            [SampleClients.entry("reports", SampleClients.token, perMinute: 2)], accessLog: .oneIn(1)
        ) { (rig) async throws -> Void in
            var seen = ""
            for fields in [
                [Self.bearer], ["X-API-Key: \(SampleClients.token)"], [Self.bearer],
                ["X-API-Key: \(SampleClients.token)x"], [],
            ] {
                for target in [Self.target, "/v1/quota", "/v1/status", "/metrics", "/nothing"] {
                    let answer = try rig.ask(target, fields: fields)
                    seen += answer.fields.map { "\($0.name): \($0.value)\n" }.joined() + answer.text
                }
            }
            let lines = rig.logged.joined()
            #expect(lines.contains("\"client\":\"reports\"") && lines.contains("\"status\":\"429\""))
            for secret in [SampleClients.token, SampleClients.hexadecimal(SampleClients.token)] {
                #expect(!seen.contains(secret) && !lines.contains(secret))
            }
        }
    }
}
