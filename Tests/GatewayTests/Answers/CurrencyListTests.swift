import CacheLayer
import EventLoop
import TestSupport
import Testing

@testable import FXGateway

@Suite("The list of currencies", .timeLimit(.minutes(3)))
struct CurrencyListTests {
    private let target = "/v1/currencies"

    @Test("is upstream's, every field of it, with the state at its end")
    func body() async throws {
        try await GatewayRig.run { rig in
            let snapshot = try await rig.hold(list: SampleList.text)
            let answer = try rig.ask(target)
            #expect(answer.status == 200)
            let cache =
                #","cache":{"state":"fresh","snapshot":"\#(snapshot.id)","fetched_at":"2026-06-16T14:02:03Z","#
                + #""fresh_until":"2026-06-17T16:02:03Z"}}"#
            #expect(answer.text == SampleList.text.dropLast() + cache)
            #expect(answer.field("content-type") == "application/json")
            #expect(
                answer.field("cache-control")
                    == "private, max-age=93600, stale-while-revalidate=30, stale-if-error=2592000")
            #expect(answer.field("age") == "0")
            #expect(answer.field("cache-status") == "fxgateway; hit; ttl=93600")
            #expect(answer.field("last-modified") == "Tue, 16 Jun 2026 14:02:03 GMT")
            #expect(answer.field("fx-state") == "fresh")
            #expect(answer.field("fx-snapshot") == snapshot.id.text)
            #expect(answer.field("fx-next-refresh") == "2026-06-17T14:02:03Z")
            #expect(answer.field("fx-source") == nil && answer.field("fx-market-session") == nil)
        }
    }

    @Test("HEAD, 304 and a cache-buster are as everywhere")
    func conditional() async throws {
        try await GatewayRig.run { rig in
            try await rig.hold(list: SampleList.text)
            let answer = try rig.ask(target)
            let tag = try #require(answer.field("etag"))
            let known = try rig.ask(target, fields: ["If-None-Match: \(tag)"])
            #expect(known.status == 304 && known.body.isEmpty)
            #expect(known.field("etag") == tag && known.field("fx-state") == "fresh")
            let head = try rig.client()
            try head.send(GatewayRig.request(target, method: "HEAD"))
            let length = try #require(answer.field("content-length"))
            let bytes = try head.answers(1, toHEAD: true).answers.first
            #expect(bytes?.status == 200 && bytes?.field("content-length") == length)
            #expect(try rig.ask(target + "?buster=1&symbols=EUR").body == answer.body)
            #expect(rig.demands == [.asked] && rig.wants.first?.resource == .currencies)
        }
    }

    @Test(
        "type= selects a kind, in any letter case; one that there isn't is 400 and names those that there are",
        arguments: [
            ("fiat", 200, "EUR JPY"), ("FIAT", 200, "EUR JPY"), ("metal", 200, "XAU"),
            ("crypto", 400, "the kinds: fiat, metal."), ("", 400, "is not a kind of currency"),
            ("fi%20at", 400, "is not a kind of currency"), ("fiat&type=fiat", 400, "more than once"),
            (String(repeating: "a", count: 33), 400, "is not a kind of currency"),
        ])
    func kinds(type: String, status: Int, text: String) async throws {
        try await GatewayRig.run { rig in
            try await rig.hold(list: SampleList.text)
            for _ in 0..<2 {
                let answer = try rig.ask(target + "?type=" + type)
                #expect(answer.status == status)
                let body = try JSONTree.parse(answer.body)
                guard status == 200 else {
                    #expect(
                        body["code"] == .string("invalid_request") && answer.text.contains(text),
                        "\(answer.text)")
                    continue
                }
                let codes = body["currencies"]?.elements?.compactMap { $0["code"]?.string }
                #expect(codes?.joined(separator: " ") == text)
            }
        }
    }

    @Test("many kinds are answered, however many, and a wrong one leaves nothing behind")
    func manyKinds() async throws {
        try await GatewayRig.run { rig in
            let items = (0..<20).map { #"{"code":"C\#(100 + $0)","type":"kind-\#($0)"}"# }
            try await rig.hold(list: #"{"result":"success","currencies":[\#(items.joined(separator: ","))]}"#)
            for number in Array(0..<20) + Array(0..<20) {
                let answer = try rig.ask(target + "?type=kind-\(number)")
                #expect(answer.text.contains("\"C\(100 + number)\""))
            }
            #expect(try rig.ask(target + "?type=kind-20").status == 400)
        }
    }

    @Test("the form is that of upstream; to a bare map nothing is added")
    func forms() async throws {
        try await GatewayRig.run { rig in
            let map = #"{"result":"success","currencies":{"EUR":{"decimals":2},"XAU":{"type":"metal"}}"#
            try await rig.hold(list: map + #","cache":7}"#)
            let mapped = try rig.ask(target)
            #expect(mapped.text.hasPrefix(map + #","cache":{"state":"fresh""#))
            let bare =
                #"{"EUR":{"name":"Euro","decimals":2},"JPY":{"decimals":0,"type":"fiat"},"notice":"x"}"#
            try await rig.hold(list: bare, token: 2)
            #expect(try rig.ask(target).text == bare)
            #expect(
                try rig.ask(target + "?type=fiat").text
                    == #"{"JPY":{"decimals":0,"type":"fiat"},"notice":"x"}"#)
        }
    }

    @Test("it is stale after 26 hours, says why, and asks for a refresh; a new one takes its place")
    func stale() async throws {
        try await GatewayRig.run { rig in
            let first = try await rig.hold(list: SampleList.text)
            let fresh = try rig.ask(target)
            rig.time.advance(by: .seconds(26 * 3_600))
            let stale = try rig.ask(target)
            #expect(stale.field("cache-status") == "fxgateway; hit; ttl=0; detail=refreshing")
            #expect(stale.field("age") == "93600" && stale.field("fx-state") == "stale")
            #expect(stale.text.contains(#""cache":{"state":"stale","reason":"refreshing""#))
            #expect(stale.field("etag") != fresh.field("etag"))
            #expect(rig.demands == [.asked, .stale])
            let until = rig.time.wall + .seconds(90)
            let adopted = Adopted(first, storeNow: rig.time.wall, arrived: rig.time.source.now())
            await rig.show(.currencies, ResourceView(adopted: adopted, condition: .cooldown(until: until)))
            let paused = try rig.ask(target)
            #expect(paused.text.contains(#""reason":"cooldown""#))
            #expect(paused.field("fx-cooldown-until") == until.rfc3339)
            try await rig.hold(list: SampleList.text, token: 2, fetchedAt: rig.time.wall)
            let renewed = try rig.ask(target)
            #expect(renewed.field("fx-state") == "fresh")
        }
    }

    @Test("one beyond its window is waited for, or refused as too old")
    func tooOld() async throws {
        try await GatewayRig.run { rig in
            let first = try await rig.hold(list: SampleList.text)
            rig.time.advance(by: .seconds(26 * 3_600 + 30 * 86_400))
            let adopted = Adopted(first, storeNow: rig.time.wall, arrived: rig.time.source.now())
            let condition = RefreshCondition.failing(until: rig.time.wall + .seconds(60))
            await rig.show(.currencies, ResourceView(adopted: adopted, condition: condition))
            let refused = try rig.ask(target)
            #expect(refused.status == 503 && refused.field("retry-after") == "60")
            #expect(refused.text.contains("rates-too-old") && refused.text.contains("data_unavailable"))
        }
    }

    @Test("a crowd without one waits for one flight, as for cold rates; other news doesn't answer it")
    func cold() async throws {
        try await GatewayRig.run(loops: 2) { rig in
            var clients: [RawHTTPClient] = []
            for number in 0..<10 {
                let client = try rig.client()
                try client.send(GatewayRig.request(target + (number % 2 == 0 ? "" : "?type=fiat")))
                clients.append(client)
            }
            await rig.waiting(atLeast: 10)
            #expect(rig.wants.allSatisfy { $0.resource == .currencies && $0.demand == .cold })
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            #expect(await rig.waiting() == 10)
            try await rig.hold(list: SampleList.text, isOwnFetch: true)
            var statuses: [String] = []
            for client in clients {
                let answer = try #require(try client.answers(1).answers.first)
                #expect(answer.status == 200)
                statuses.append(answer.field("cache-status") ?? "none")
            }
            let prefix = "fxgateway; fwd=uri-miss; fwd-status=200; stored"
            #expect(statuses.count { $0 == prefix + "; ttl=93600" } == 1)
            #expect(statuses.count { $0 == prefix + "; collapsed; ttl=93600" } == 9)
        }
    }

    @Test("what can't be had in time is told at once: in a cooldown, with a refused list, without Redis")
    func hopeless() async throws {
        try await GatewayRig.run { rig in
            let until = rig.time.wall + .seconds(60)
            for (condition, type, detail) in [
                (.cooldown(until: until), "upstream-cooldown", "limited the gateway's calls"),
                (.forbidden(until: until), "upstream-failed", "Upstream refuses this"),
                (.storeAway(until: until), "store-unavailable", "can't be asked"),
                (.quotaSpent(until: until), "quota-exhausted", "used up"),
            ] as [(RefreshCondition, String, String)] {
                await rig.show(.currencies, ResourceView(adopted: nil, condition: condition))
                let answer = try rig.ask(target)
                #expect(answer.status == 503 && answer.field("retry-after") == "60")
                #expect(answer.text.contains(type) && answer.text.contains(detail))
            }
            await rig.show(.currencies, .empty)
            let cached = try rig.ask(target, fields: ["Cache-Control: only-if-cached"])
            #expect(cached.status == 504)
        }
    }

    @Test(
        "max_data_age and on_stale are honoured by its age; a client's standing wish is of rates, not of it")
    func wishes() async throws {
        let entry = SampleClients.entry("reports", SampleClients.token) { wish in
            wish.maxDataAge = .seconds(1)
            wish.rejectsStale = true
        }
        try await GatewayRig.run(clients: [entry]) { rig in
            try await rig.hold(list: SampleList.text)
            let fields = ["Authorization: Bearer \(SampleClients.token)"]
            rig.time.advance(by: .seconds(26 * 3_600))
            for _ in 0..<2 {
                #expect(try rig.ask(target, fields: fields).status == 200)
                #expect(try rig.ask(target + "?max_data_age=26h", fields: fields).status == 200)
                let old = try rig.ask(target + "?max_data_age=25h", fields: fields)
                #expect(old.status == 503 && old.text.contains("freshness-unavailable"))
                let stale = try rig.ask(target + "?on_stale=reject", fields: fields)
                #expect(stale.status == 503 && stale.text.contains("What is held is stale."))
                #expect(try rig.ask(target + "?sources=live", fields: fields).status == 200)
            }
            #expect(try rig.ask(target).status == 401)
        }
    }

    @Test("the texts of 422 say where the codes are listed")
    func pointers() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for path in ["/v1/latest/QQQ", "/v1/rate/USD-QQQ", "/v1/convert/QQQ/USD/1", "/v1/2026-06-10/QQQ"]
            {
                let answer = try rig.ask(path)
                #expect(answer.status == 422 && answer.text.contains("/v1/currencies"), "\(answer.text)")
                #expect(answer.text.contains("QQQ"))
            }
        }
    }

    @Test("an operator may have it fetched: POST /admin/refresh/currencies")
    func operators() async throws {
        try await GatewayRig.run(token: "t-TEST-1") { rig in
            let client = try rig.client()
            try client.send(
                GatewayRig.request(
                    "/admin/refresh/currencies?force=true", method: "POST",
                    fields: ["Authorization: Bearer t-TEST-1"]))
            let isAsked = await eventually(within: .seconds(5)) { rig.refreshes.withLock { !$0.isEmpty } }
            #expect(isAsked)
            let order = try #require(rig.refreshes.withLock { $0.first })
            #expect(order.resource == .currencies && order.force)
            let snapshot = try SampleList.snapshot()
            order.completion(.fetched(snapshot))
            let answer = try #require(try client.answers(1).answers.first)
            #expect(
                answer.text
                    == #"{"result":"success","resource":"currencies","snapshot":"\#(snapshot.id)","#
                    + #""fetched_at":"2026-06-16T14:02:03Z","outcome":"fetched"}"#)
        }
    }
}
