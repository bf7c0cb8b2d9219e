import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Conditional requests and HEAD", .timeLimit(.minutes(3)))
struct ConditionalTests {
    private static let cooling = RefreshCondition.cooldown(until: SampleTable.fetchedAt + .seconds(600))
    /// Every kind of answer that can be asked for by its tag.
    private static let targets = [
        "/v1/latest", "/v1/latest/EUR?symbols=GBP,USD", "/v1/rate/EUR-GBP", "/v1/convert/USD/EUR/10",
        "/v1/2025-01-02?symbols=EUR", "/v1/2026-06-15?symbols=EUR",
        "/v1/range?start_date=2025-01-02&end_date=2025-01-10",
        "/v1/range?start_date=2026-06-01&end_date=2026-06-10&format=csv&symbols=EUR",
        "/v1/convert/USD/EUR/10?date=2025-01-02",
    ]
    private static let pages = [
        "/v1/status", "/v1/sources", "/v1/quota", "/v1/explain?base=EUR", "/v1/latest?explain=1", "/healthz",
        "/readyz", "/metrics", "/v1/nothing", "/v1/latest/QQQ", "/v1/latest?symbols=%zz", "/admin/cache",
    ]

    /// A gateway with everything in memory, in two states: fresh, and in a cooldown with stale live rates.
    private func run(
        isStale: Bool, _ body: (GatewayRig, RateSnapshot) async throws -> Void
    ) async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            let snapshot = SampleTable.snapshot(SampleTable.usd)
            try await rig.archive.keep(snapshot)
            await rig.hold(SampleTable.usd, condition: isStale ? Self.cooling : .idle)
            await rig.hold(SampleYear.table(2025))
            await rig.hold(SampleYear.table(2026, through: "2026-06-15"))
            rig.time.advance(by: .seconds(isStale ? 85 : 20))
            try await body(rig, snapshot)
        }
    }

    private func pinned(_ snapshot: RateSnapshot) -> [String] {
        [
            "/v1/snapshots/\(snapshot.id)", "/v1/rate/EUR-GBP?snapshot=\(snapshot.id)",
            "/v1/latest?as_of=2026-06-16T14:02:03Z",
        ]
    }

    private func told(_ answer: RawHTTPClient.Answer, without names: Set<String> = ["date"]) -> [String] {
        answer.fields.filter { !names.contains($0.name) }.map { "\($0.name): \($0.value)" }
    }

    @Test(
        "C168: HEAD equals GET, field for field, on every route and in every state", arguments: [false, true])
    func head(isStale: Bool) async throws {
        try await run(isStale: isStale) { (rig, snapshot) async throws -> Void in
            for target in Self.targets + Self.pages + pinned(snapshot) {
                let fields = ["X-Request-Id: same"]
                // Counters move with each request.
                let moving: Set = target == "/metrics" ? ["date", "content-length"] : ["date"]
                let get = try rig.ask(target, fields: fields)
                let head = try rig.ask(target, method: "HEAD", fields: fields)
                #expect(head.status == get.status && head.body.isEmpty, "\(target)")
                #expect(told(head, without: moving) == told(get, without: moving), "\(target)")
                if target != "/metrics" {
                    #expect(get.field("content-length") == "\(get.body.count)", "\(target)")
                }
            }
        }
    }

    @Test(
        "C103: who has it gets 304 with the fields of the 200, and no body; GET and HEAD, on every route",
        arguments: [false, true])
    func notModified(isStale: Bool) async throws {
        try await run(isStale: isStale) { (rig, snapshot) async throws -> Void in
            for target in Self.targets + pinned(snapshot) {
                let full = try rig.ask(target, fields: ["X-Request-Id: same"])
                let tag = try #require(full.field("etag"), "\(target)")
                for method in ["GET", "HEAD"] {
                    let answer = try rig.ask(
                        target, method: method, fields: ["X-Request-Id: same", "If-None-Match: \(tag)"])
                    #expect(answer.status == 304 && answer.body.isEmpty, "\(method) \(target)")
                    let body: Set = ["date", "content-type", "content-length"]
                    #expect(told(answer) == told(full, without: body), "\(method) \(target)")
                }
            }
        }
    }

    @Test("where nothing may be kept there is no tag, and no condition either")
    func pages() async throws {
        try await run(isStale: false) { (rig, _) async throws -> Void in
            for target in Self.pages {
                let plain = try rig.ask(target)
                let answer = try rig.ask(target, fields: ["If-None-Match: *"])
                #expect(answer.status == plain.status && answer.field("etag") == nil, "\(target)")
                #expect(answer.field("last-modified") == nil, "\(target)")
            }
        }
    }

    @Test("a batch is no GET: it is answered in full, whatever its client has")
    func batch() async throws {
        try await run(isStale: false) { (rig, _) async throws -> Void in
            let body = #"{"from":"USD","pairs":[["EUR",1]]}"#
            let tag = try #require(try rig.ask("/v1/convert", method: "POST", body: body).field("etag"))
            for field in [
                "If-None-Match: \(tag)", "If-None-Match: *",
                "If-Modified-Since: Wed, 17 Jun 2026 00:00:00 GMT",
            ] {
                let answer = try rig.ask("/v1/convert", method: "POST", fields: [field], body: body)
                #expect(answer.status == 200 && !answer.body.isEmpty, "\(field)")
            }
        }
    }

    @Test(
        "If-Modified-Since: three forms, once, only without a tag, and only what is a date",
        arguments: [
            (["If-Modified-Since: Tue, 16 Jun 2026 14:01:51 GMT"], 304),
            (["If-Modified-Since: Tuesday, 16-Jun-26 14:01:51 GMT"], 304),
            (["If-Modified-Since: Tue Jun 16 14:01:51 2026"], 304),
            (["If-Modified-Since: Wed, 16 Jun 2027 14:01:51 GMT"], 304),
            (["If-Modified-Since: Tue, 16 Jun 2026 14:01:50 GMT"], 200),
            (["If-Modified-Since: Tue, 16 Jun 2026 14:01:51"], 200),
            (["If-Modified-Since: Tue, 31 Jun 2026 14:01:51 GMT"], 200),
            (["If-Modified-Since: 2026-06-16T14:01:51Z"], 200), (["If-Modified-Since: "], 200),
            (["If-Modified-Since: 1781618511"], 200),
            (
                [
                    "If-Modified-Since: Tue, 16 Jun 2026 14:01:51 GMT",
                    "If-Modified-Since: Tue, 16 Jun 2026 14:01:51 GMT",
                ], 200
            ),
            (["If-None-Match: \"x\"", "If-Modified-Since: Tue, 16 Jun 2026 14:01:51 GMT"], 200),
            (["If-None-Match: ", "If-Modified-Since: Tue, 16 Jun 2026 14:01:51 GMT"], 200),
            (["If-None-Match: *", "If-Modified-Since: Tue, 16 Jun 2026 14:01:50 GMT"], 304),
        ])
    func dates(fields: [String], status: Int) async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            // Known by heart or not.
            for _ in 0..<2 {
                #expect(try rig.ask("/v1/latest?symbols=EUR", fields: fields).status == status, "\(fields)")
            }
        }
    }

    @Test("P2: a date alone never makes the fresh body of before last for one that has gone stale")
    func staleByDate() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            let target = "/v1/latest?symbols=EUR"
            let fresh = try rig.ask(target)
            let since = "If-Modified-Since: \(try #require(fresh.field("last-modified")))"
            #expect(try rig.ask(target, fields: [since]).status == 304)
            rig.time.advance(by: .seconds(80))
            let stale = try rig.ask(target, fields: [since])
            #expect(stale.status == 200 && stale.text.contains(#""state":"stale""#))
            // Nor has it a date to ask for the next one by: that may be as old, and fresh.
            #expect(stale.field("last-modified") == nil)
            // By its tag it is known all the same.
            let tag = try #require(stale.field("etag"))
            #expect(try rig.ask(target, fields: ["If-None-Match: \(tag)"]).status == 304)
        }
    }

    @Test(
        "P2: an answer with a value that was held back has no date: the next one may have the same, and another value"
    )
    func heldBackByDate() async throws {
        let kept = SymbolRate(
            currency: .sample("BGN"), rate: SampleTable.rate("1.66"), source: .live,
            effectiveAt: SampleTable.dataTime, kept: .quarantine)
        let euro = SampleTable.live("EUR", "0.85")
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.table("USD", [euro, kept]))
            let before = try rig.ask("/v1/latest")
            #expect(before.field("fx-state") == "fresh" && before.field("last-modified") == nil)
            #expect(try rig.ask("/v1/latest?symbols=EUR").field("last-modified") != nil)
            let since = "If-Modified-Since: Tue, 16 Jun 2026 14:01:51 GMT"
            #expect(try rig.ask("/v1/latest", fields: [since]).status == 200)
            // Accepted: of the same data time.
            await rig.hold(SampleTable.table("USD", [euro, SampleTable.live("BGN", "1.86")]), token: 2)
            let after = try rig.ask("/v1/latest", fields: [since])
            #expect(after.field("last-modified") == "Tue, 16 Jun 2026 14:01:51 GMT")
        }
    }

    @Test("a range without rows has no date, and none counts for it")
    func emptyRange() async throws {
        try await run(isStale: false) { (rig, _) async throws -> Void in
            // A weekend has no row.
            let target = "/v1/range?start_date=2025-01-04&end_date=2025-01-05&symbols=EUR"
            let plain = try rig.ask(target)
            #expect(plain.status == 200 && plain.field("last-modified") == nil, "\(plain.text)")
            let later = try rig.ask(target, fields: ["If-Modified-Since: Wed, 17 Jun 2026 00:00:00 GMT"])
            #expect(later.status == 200)
        }
    }
}
