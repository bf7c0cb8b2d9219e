import CacheLayer
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("Explanations", .timeLimit(.minutes(3)))
struct ExplainTests {
    private static let usd = Resource.latest(base: .usd)
    private static let eur = Resource.latest(base: .eur)
    private static let later = SampleTable.fetchedAt + .seconds(600)

    private func json(_ answer: RawHTTPClient.Answer) throws -> JSONTree { try JSONTree.parse(answer.body) }

    private func explain(_ rig: GatewayRig, _ query: String = "") throws -> JSONTree {
        let answer = try rig.ask("/v1/explain" + query)
        #expect(answer.status == 200, "\(answer.text)")
        return try json(answer)
    }

    /// A fleet of which another instance fetches the pivot; all as this one knows it.
    private func fleet(_ rig: GatewayRig, told age: Duration = .seconds(1)) -> FleetView {
        let now = rig.time.source.now()
        let shadow = Shadow(
            now: rig.time.wall, birth: "b", epoch: FencingToken(7), month: "2026-06", counted: 9_060, external: 40,
            reserved: 1, plan: 10_000,
            cooldowns: [
                Shadow.Cooldown(scope: .short, rest: .seconds(90), strikes: 2, reason: "rate_limited")
            ], nextAt: nil, slowLevel: 2,
            flights: [
                Shadow.Flight(
                    resource: Self.usd, holder: "host-b:17", token: FencingToken(7), rest: .seconds(9))
            ])
        let asking = Asking(at: now.advanced(by: .seconds(95)), cause: .heldBack, jitter: .milliseconds(700))
        let status = RefreshStatus(
            shadow: shadow, shadowAge: age, instances: nil, key: .anonymous, isStoreReachable: true,
            resources: [],
            flights: [], hasTriedToLoad: true, offlineCalls: 0, offlineLastHour: 0, offlineRefusal: nil,
            missedPublications: [Self.usd: 3],
            outlooks: [
                Self.usd: RefreshOutlook(
                    asking: asking, lastDemand: now.advanced(by: .seconds(-5)),
                    allowedAt: rig.time.wall + .seconds(270), failures: 4)
            ])
        let call = CallRecord(
            at: rig.time.wall, result: .limited, status: 429, code: .rateLimited, reason: "rate_limited",
            duration: .milliseconds(120))
        return FleetView(
            status: status, plan: QuotaPlan(monthly: 10_000, perMinute: 12), instance: "host-a:4",
            store: StoreView(link: .init(isConnected: true, breaker: .halfOpen, lastEnd: .commandTimedOut)),
            calls: [Self.usd: call])
    }

    @Test("say what was chosen, from what, how old it is, and how each class of it stands")
    func chosen() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd, condition: .cooldown(until: Self.later))
            rig.time.advance(by: .seconds(85))
            let page = try explain(rig, "?base=EUR&symbols=ISK,GBP,ZZZ")
            #expect(page["base"] == .string("EUR"))
            #expect(page["symbols"] == .array([.string("GBP"), .string("ISK"), .string("ZZZ")]))
            let answer = try #require(page["answer"])
            #expect(answer["status"] == .number("200") && answer["resource"] == .string("latest:USD"))
            #expect(answer["age_seconds"] == .number("85") && answer["token"] == .number("1"))
            // The very words of the answer itself.
            let latest = try json(rig.ask("/v1/latest/EUR?symbols=ISK,GBP,ZZZ"))
            #expect(answer["cache"] == latest["cache"])
            #expect(answer["data_updated_at"] == latest["data_updated_at"])
            #expect(answer["unavailable"] == .array([.string("ZZZ")]))
            // A cross with a daily fix is of its slower leg, and stands as the worse of the two.
            let classes = try #require(answer["classes"]?.elements)
            #expect(classes.map { $0["source"] } == [.string("live"), .string("ecb_daily")])
            #expect(classes[0]["symbols"] == .array([.string("GBP")]))
            #expect(classes[0]["state"] == .string("stale") && classes[0]["reason"] == .string("cooldown"))
            #expect(classes[0]["lifetime_seconds"] == .number("70"))
            #expect(classes[0]["fresh_until"] == .string("2026-06-16T14:03:13Z"))
            #expect(classes[0]["served_until"] == .string("2026-06-16T14:18:13Z"))
            #expect(classes[0]["interval_seconds"] == .number("60"))
            #expect(classes[1]["next_publication"] == .string("2026-06-16T14:00:00Z"))
            let fixes = try explain(rig, "?symbols=ISK")["answer"]?["classes"]?.elements
            #expect(fixes?.map { $0["state"] } == [.string("fresh")])
            #expect(fixes?[0]["reason"] == nil)
        }
    }

    @Test("say of each candidate why it was chosen or not, and go by the order of the answers")
    func candidates() async throws {
        try await GatewayRig.run(bases: [.usd, .eur]) { (rig) async throws -> Void in
            func verdicts(_ query: String = "?base=EUR&symbols=GBP") throws -> [String] {
                let page = try explain(rig, query)
                return try #require(page["candidates"]?.elements).map { candidate in
                    "\(candidate["resource"]?.string ?? "") \(candidate["verdict"]?.string ?? "")"
                }
            }
            #expect(try verdicts() == ["latest:EUR not_held", "latest:USD not_held"])
            await rig.hold(SampleTable.usd)
            #expect(try verdicts() == ["latest:EUR not_held", "latest:USD chosen"])
            #expect(try verdicts("") == ["latest:USD chosen"])
            let own = SampleTable.table("EUR", [SampleTable.live("GBP", "0.8671")])
            await rig.hold(own)
            #expect(try verdicts() == ["latest:EUR chosen", "latest:USD not_needed"])
            #expect(try verdicts("?base=EUR&symbols=JPY") == ["latest:EUR lacks_code", "latest:USD chosen"])
            rig.time.advance(by: .seconds(970))
            await rig.hold(SampleTable.usd, token: 2, fetchedAt: rig.time.wall)
            #expect(try verdicts() == ["latest:EUR too_old", "latest:USD chosen"])
        }
    }

    @Test("say when the next refresh is due and why then")
    func refresh() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            func refresh() throws -> JSONTree {
                try #require(try explain(rig)["candidates"]?.elements?.first?["refresh"])
            }
            let calm = try refresh()
            #expect(calm["condition"] == .string("idle") && calm["detail"] == nil)
            #expect(calm["due"] == .string("2026-06-16T14:03:03Z") && calm["due_by"] == .string("live_ttl"))
            #expect(calm["next"] == calm["due"] && calm["next_by"] == .string("live_ttl"))
            #expect(calm["asked_for_by"] == .string("not_in_demand"))
            await rig.hold(SampleTable.usd, condition: .cooldown(until: Self.later), token: 2)
            rig.fleet.withLock { $0 = fleet(rig) }
            let paused = try refresh()
            #expect(paused["condition"] == .string("cooldown"))
            #expect(paused["detail"]?.string?.contains("limited") == true)
            #expect(paused["due"] == .string("2026-06-16T14:03:03Z"))
            #expect(paused["next"] == .string("2026-06-16T14:12:03Z") && paused["next"] == paused["until"])
            #expect(paused["next_by"] == .string("cooldown"))
            let field = try rig.ask("/v1/latest").field("fx-next-refresh")
            #expect(paused["next"] == .string(try #require(field)))
            #expect(paused["asked_for_at"] == .string("2026-06-16T14:03:38Z"))
            #expect(paused["asked_for_by"] == .string("held_back"))
            #expect(paused["jitter_ms"] == .number("700"))
            #expect(paused["last_demand_seconds_ago"] == .number("5"))
            #expect(paused["allowed_at"] == .string("2026-06-16T14:06:33Z"))
            #expect(paused["failures_in_a_row"] == .number("4"))
        }
    }

    @Test("say who fetches it, how the last call went, what is left, and how the store is reached")
    func fleetPart() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            rig.fleet.withLock { $0 = fleet(rig) }
            let page = try explain(rig)
            #expect(page["instance"] == .string("host-a:4"))
            let candidate = try #require(page["candidates"]?.elements?.first)
            #expect(
                candidate["lease"]
                    == .object([
                        .init("holder", .string("host-b:17")), .init("is_this_instance", .bool(false)),
                        .init("token", .number("7")), .init("until", .string("2026-06-16T14:02:11Z")),
                    ]))
            let call = try #require(candidate["last_call"])
            #expect(call["outcome"] == .string("limited") && call["upstream_status"] == .number("429"))
            #expect(call["code"] == .string("rate_limited") && call["duration_ms"] == .number("120"))
            let quota = try #require(page["quota"])
            #expect(quota["used"] == .number("9100") && quota["remaining"] == .number("900"))
            #expect(quota["reserved"] == .number("1") && quota["target"] == .number("0.95"))
            #expect(quota["slow_down"] == .number("2") && quota["pace_seconds"] != nil)
            let cooldown = try #require(page["cooldowns"]?.elements?.first)
            #expect(cooldown["scope"] == .string("short") && cooldown["reason"] == .string("rate_limited"))
            #expect(cooldown["until"] == .string("2026-06-16T14:03:32Z"))
            let store = try #require(page["store"])
            #expect(store["kind"] == .string("redis") && store["breaker"] == .string("half_open"))
            #expect(store["connected"] == .bool(true) && store["last_error"] == .string("command_timed_out"))
            let missed = page["answer"]?["classes"]?.elements?.last?["missed_publications"]
            #expect(missed == .number("3"))
        }
    }

    @Test("a lease that has run out meanwhile is nobody's")
    func endedLease() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            for (age, holder) in [
                (Duration.milliseconds(8_999), JSONTree.string("host-b:17")), (.seconds(9), .null),
            ] {
                rig.fleet.withLock { $0 = fleet(rig, told: age) }
                let lease = try explain(rig)["candidates"]?.elements?.first?["lease"]
                #expect(lease?["holder"] ?? lease == holder)
            }
            #expect(fleet(rig).flight(of: Self.eur) == nil)
        }
    }

    @Test("with nothing held say so with 200: what a request would get now, and whether it would wait")
    func cold() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            let page = try explain(rig, "?base=QQQ")
            let answer = try #require(page["answer"])
            #expect(answer["status"] == .number("503") && answer["is_waited_for"] == .bool(true))
            #expect(answer["type"] == .string("urn:fxgateway:problem:warming-up"))
            await rig.show(
                Self.usd, ResourceView(adopted: nil, condition: .cooldown(until: Self.later)))
            let paused = try #require(try explain(rig)["answer"])
            #expect(paused["type"] == .string("urn:fxgateway:problem:upstream-cooldown"))
            #expect(paused["is_waited_for"] == .bool(false) && paused["retry_after"] == .number("600"))
            let refused = try rig.ask("/v1/latest")
            #expect(refused.field("retry-after") == "600")
            #expect(try json(refused)["type"] == paused["type"])
            #expect(try json(refused)["detail"] == paused["detail"])
            await rig.hold(SampleTable.usd)
            rig.time.advance(by: .seconds(970))
            let old = try #require(try explain(rig, "?symbols=EUR")["answer"])
            #expect(old["type"] == .string("urn:fxgateway:problem:rates-too-old"))
        }
    }

    @Test(
        "unknown codes are 422, malformed ones 400; other methods 405; never stored",
        arguments: [
            ("?base=QQQ", 422), ("?symbols=QQQ", 422), ("?base=E", 400), ("?symbols=EUR,,GBP", 400),
            ("?base=USD&base=USD", 400), ("?_=1", 200),
        ])
    func codes(query: String, status: Int) async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            let answer = try rig.ask("/v1/explain" + query)
            #expect(answer.status == status && answer.field("cache-control") == "no-store")
            #expect(try rig.ask("/v1/explain", method: "POST").field("allow") == "GET, HEAD, OPTIONS")
        }
    }

    @Test("/v1/explain is nobody's demand; explain=1 is a use like the same request without it")
    func demand() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            _ = try explain(rig)
            await rig.hold(SampleTable.usd)
            rig.time.advance(by: .seconds(85))
            for _ in 0..<3 { _ = try explain(rig, "?base=EUR") }
            #expect(rig.wants.isEmpty && rig.users.isEmpty && rig.archive.asked.isEmpty)
            #expect(try rig.ask("/v1/latest?explain=1").status == 200)
            #expect(rig.demands == [.stale] && rig.users.count == 1)
        }
    }

    @Test(
        "explain=1 adds the reason as the last member, and is for nobody to keep",
        arguments: [
            "/v1/latest/EUR?symbols=GBP,ISK", "/v1/rate/EUR-GBP?numbers=string",
            "/v1/convert/EUR/JPY/3?rounding=up",
        ])
    func added(target: String) async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            let plain = try rig.ask(target)
            let before = (await rig.latestAnswers(), plain.field("etag"))
            for _ in 0..<2 {
                rig.time.advance(by: .seconds(7))
                let answer = try rig.ask(target + "&explain=1")
                #expect(answer.status == 200 && answer.field("cache-control") == "no-store")
                #expect(answer.field("etag") == nil && answer.field("last-modified") == nil)
                for name in ["fx-state", "fx-snapshot", "fx-source", "fx-next-refresh"] {
                    #expect(answer.field(name) == plain.field(name), "\(name)")
                }
                let members = try #require(try json(answer).members)
                #expect(members.last?.name == "explain")
                #expect(Array(members.dropLast()) == (try json(plain).members))
                #expect(members.last?.value["answer"]?["cache"] == nil)
                let age = members.last?.value["answer"]?["age_seconds"]
                #expect(age == .number(try #require(answer.field("age"))))
            }
            // Neither the kept answer nor its short cut has become another.
            let again = try rig.ask(target)
            #expect(again.body == plain.body && again.field("etag") == before.1)
            #expect(try rig.ask(target + "&explain=0").body == plain.body)
            #expect(await rig.latestAnswers() == before.0)
        }
    }

    @Test("explain=1 waits where the request would wait, also in a batch; it speaks of now alone")
    func addedElsewhere() async throws {
        try await GatewayRig.run { (rig) async throws -> Void in
            let client = try rig.client()
            try client.send(GatewayRig.request("/v1/rate/USD-EUR?explain=1"))
            await rig.waiting(atLeast: 1)
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            let filled = try #require(try client.answers(1).answers.first)
            #expect(filled.field("cache-status") == "fxgateway; fwd=uri-miss; fwd-status=200; stored; ttl=70")
            #expect(try json(filled)["explain"]?["answer"]?["status"] == .number("200"))
            let batch = try rig.ask(
                "/v1/convert?explain=1", method: "POST", body: #"{"from":"EUR","pairs":[["JPY",120]]}"#)
            #expect(try json(batch)["explain"]?["symbols"] == .array([.string("JPY")]))
            for (target, status) in [
                ("/v1/latest?explain=1&as_of=2026-06-15", 400), ("/v1/latest?explain=yes", 400),
                ("/v1/latest?explain=1&snapshot=01J0F3ZK7Q-7f3a9c2e", 400),
                ("/v1/convert/USD/EUR/1?explain=1&date=2026-06-10", 400), ("/v1/latest/QQQ?explain=1", 422),
            ] { #expect(try rig.ask(target).status == status, "\(target)") }
        }
    }

    @Test("what is held back is named, of the symbols asked for")
    func quarantine() async throws {
        let heldBack = QuarantinedRate(
            first: SampleTable.rate("1.1612"), rate: SampleTable.rate("1.1612"),
            effectiveAt: SampleTable.dataTime, confirmations: 0, since: SampleTable.fetchedAt,
            keptUntil: SampleTable.fetchedAt + .seconds(900))
        let euro = SymbolRate(
            currency: .eur, rate: SampleTable.rate("0.8612"), source: .live,
            effectiveAt: SampleTable.dataTime, kept: .quarantine, quarantined: heldBack)
        try await GatewayRig.run { (rig) async throws -> Void in
            await rig.hold(SampleTable.table("USD", [euro, SampleTable.live("GBP", "0.7402")]))
            func names(_ query: String) throws -> [JSONTree?] {
                try #require(try explain(rig, query)["answer"]?["quarantine"]?.elements).map { $0["id"] }
            }
            #expect(try names("") == [.string("USD-EUR")])
            #expect(try names("?symbols=GBP").isEmpty)
            #expect(try names("?base=EUR&symbols=GBP") == [.string("USD-EUR")])
        }
    }

    @Test("needs a client's token like the other routes of /v1, and counts against its allowance")
    func tokens() async throws {
        let clients = [SampleClients.entry("reports", SampleClients.token, perMinute: 2)]
        try await GatewayRig.run(clients: clients) { (rig) async throws -> Void in
            await rig.hold(SampleTable.usd)
            let bearer = ["Authorization: Bearer \(SampleClients.token)"]
            #expect(try rig.ask("/v1/explain").status == 401)
            #expect(try rig.ask("/v1/explain", fields: ["X-API-Key: x"]).status == 403)
            for status in [200, 200, 429] {
                let answer = try rig.ask("/v1/explain", fields: bearer)
                #expect(answer.status == status && !answer.text.contains(SampleClients.token))
            }
        }
    }
}
