import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Past days", .timeLimit(.minutes(3)))
struct DayTests {
    private func code(_ answer: RawHTTPClient.Answer) throws -> String? {
        try JSONTree.parse(answer.body)["code"]?.string
    }

    private let immutable = "private, max-age=31536000, immutable"

    @Test("a wish that a settled day can't meet is refused without a refresh that never comes")
    func unmetWish() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2025))
            for target in ["/v1/2025-01-02?", "/v1/range?start_date=2025-01-02&end_date=2025-01-03&"] {
                for wish in ["sources=live", "max_data_age=1d"] {
                    let answer = try rig.ask(target + "symbols=EUR&" + wish)
                    #expect(
                        answer.status == 503 && answer.field("retry-after") == "86400", "\(target)\(wish)")
                    #expect(!answer.text.contains("refresh"))
                }
            }
        }
    }

    @Test("a settled day has upstream's body, the cache's words, and may be kept for ever")
    func settled() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2025))
            rig.time.advance(by: .seconds(20))
            let answer = try rig.ask("/v1/2025-01-02/USD?symbols=EUR,JPY")
            let id = SampleYear.snapshot(SampleYear.table(2025)).id
            #expect(answer.status == 200)
            #expect(
                answer.text
                    == #"{"result":"success","base":"USD","date":"2025-01-02","source":"ecb_daily","#
                    + #""sources":{"EUR":"ecb_daily","JPY":"ecb_daily"},"timestamp":"2026-06-16T14:02:03Z","#
                    + #""data_updated_at":"2025-01-02T15:00:00Z","rates":{"EUR":0.80007,"JPY":150.00070},"#
                    + #""is_forward_filled":false,"#
                    + #""notice":"Indicative rates, not for settlement. Source: incl. ECB statistics.","#
                    + #""cache":{"state":"fresh","snapshot":"\#(id)","fetched_at":"2026-06-16T14:02:03Z","#
                    + #""derivation":"direct"}}"#)
            #expect(answer.field("content-type") == "application/json")
            #expect(answer.field("cache-control") == immutable)
            #expect(answer.field("age") == "20")
            #expect(answer.field("last-modified") == "Thu, 02 Jan 2025 15:00:00 GMT")
            #expect(answer.field("cache-status") == "fxgateway; hit; ttl=31535980")
            #expect(answer.field("fx-source") == "ecb_daily" && answer.field("fx-state") == "fresh")
            #expect(answer.field("fx-snapshot") == "\(id)")
            #expect(answer.field("fx-next-refresh") == nil && answer.field("fx-market-session") == nil)
        }
    }

    @Test("HEAD has the fields of GET and no body, a client that has it gets 304, also after years")
    func conditional() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2025))
            let target = "/v1/2025-01-02?symbols=EUR"
            let get = try rig.ask(target)
            let head = try rig.client().exchange(GatewayRig.request(target, method: "HEAD"))
            #expect(head.status == 200 && head.body.isEmpty)
            let tag = try #require(get.field("etag"))
            #expect(head.field("etag") == tag && tag.count == 34)
            rig.time.advance(by: .seconds(3 * 366 * 86_400))
            let same = try rig.ask(target, fields: ["If-None-Match: \(tag)"])
            #expect(same.status == 304 && same.body.isEmpty)
            #expect(same.field("cache-control") == immutable && same.field("fx-state") == "fresh")
            // A day is always left, or a cache would take it for stale.
            #expect(same.field("age") == "31449600")
            #expect(try rig.ask(target).body == get.body)
        }
    }

    @Test("two instances give one body and tag for a day, in whatever form it is asked for")
    func equalTags() async throws {
        var tags: Set<String> = []
        for target in [
            "/v1/2025-03-03/EUR?symbols=USD,GBP", "/v1/2025-03-03?base=eur&symbols=gbp,usd",
            "/v1/2025-03-03/eur?symbols=GBP,USD&_=1",
        ] {
            try await GatewayRig.run(loops: 2) { rig in
                await rig.hold(SampleTable.usd)
                await rig.hold(SampleYear.table(2025))
                rig.time.advance(by: .seconds(Int64.random(in: 0...1_000)))
                for _ in 0..<3 { tags.insert(try #require(try rig.ask(target).field("etag"))) }
            }
        }
        #expect(tags.count == 1)
    }

    @Test(
        "a weekend or holiday answers the fix before it and says so",
        arguments: [
            ("2025-01-04", "0.80008", true), ("2025-01-05", "0.80008", true),
            ("2025-01-06", "0.80009", false),
            // A holiday that is a row of its own, and New Year by its own year's first rows.
            ("2025-04-18", "0.80083", true), ("2025-01-01", "0.80006", true),
        ])
    func filled(day: String, rate: String, isFilled: Bool) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2025, holidays: ["2025-04-18"]))
            let answer = try JSONTree.parse(try rig.ask("/v1/\(day)?symbols=EUR").body)
            #expect(answer["date"] == .string(day))
            #expect(answer["rates"]?["EUR"] == .number(rate))
            #expect(answer["is_forward_filled"] == .bool(isFilled))
        }
    }

    @Test("another base is derived with its bound and its legs, and numbers may be strings")
    func derived() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2025))
            let answer = try rig.ask("/v1/2025-01-02/EUR?symbols=USD,JPY&numbers=string")
            let body = try JSONTree.parse(answer.body)
            #expect(body["rates"]?["USD"] == .string("1.24989063456947517"))
            #expect(body["rates"]?["JPY"] == .string("187.484470108865474"))
            let cache = try #require(body["cache"])
            #expect(cache["derivation"] == .string("cross") && cache["via"] == .string("USD"))
            #expect(
                cache["legs"]?["EUR"] == .string("0.80007") && cache["derivation_bps_max"] == .number("0.1"))
            #expect(answer.field("cache-status")?.hasSuffix("; detail=derived") == true)
        }
    }

    @Test("C073: days are UTC: tomorrow is 404 and not kept, until it is today; nothing is asked for")
    func days() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2026, through: "2026-06-16"))
            // 23:30 in New York on the 16th is the 17th already; here it is 14:02 on the 16th.
            for day in ["2026-06-17", "2027-01-01", "1999-01-03", "1998-12-31", "0000-01-01", "9999-12-31"] {
                for target in ["/v1/\(day)", "/v1/convert/USD/EUR/1?date=\(day)"] {
                    let answer = try rig.ask(target)
                    #expect(answer.status == 404, "\(target)")
                    #expect(try code(answer) == "no_data_for_date" && answer.text.contains(day))
                    #expect(answer.field("cache-control") == "no-store")
                }
            }
            #expect(try rig.ask("/v1/2026-06-16?symbols=EUR").status == 200)
            #expect(rig.demands.allSatisfy { $0 == .asked })
            rig.time.advance(by: .seconds(35_876))
            #expect(try rig.ask("/v1/2026-06-17").status == 404)
            rig.time.advance(by: .seconds(1))
            let answer = try rig.ask("/v1/2026-06-17?symbols=EUR")
            #expect(answer.status == 200 && answer.text.contains(#""is_forward_filled":true"#))
        }
    }

    @Test("a day of this year is fresh until the next publication, then late, and then too old")
    func unsettled() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2026, through: "2026-06-16"))
            let target = "/v1/2026-06-15?symbols=EUR"
            let fresh = try rig.ask(target)
            // 17 June, 14:30 UTC is 88077 s after the fetch.
            #expect(
                fresh.field("cache-control")
                    == "private, max-age=88077, stale-while-revalidate=30, stale-if-error=345600")
            #expect(fresh.field("fx-next-refresh") == "2026-06-17T14:00:00Z")
            #expect(fresh.text.contains(#""fresh_until":"2026-06-17T14:30:00Z""#))
            #expect(try rig.ask("/v1/2026-06-01?symbols=EUR").field("cache-control") == immutable)
            rig.time.advance(by: .seconds(88_077))
            let late = try rig.ask(target)
            #expect(late.field("fx-state") == "late" && late.text.contains(#""reason":"refreshing""#))
            #expect(rig.wants.last?.resource == .year(base: .usd, year: 2026) && rig.demands.last == .stale)
            #expect(try rig.ask("/v1/2026-06-01?symbols=EUR").field("fx-state") == "fresh")
            rig.time.advance(by: .seconds(345_600))
            let old = try rig.ask(target, fields: ["Cache-Control: only-if-cached"])
            #expect(old.status == 504)
            #expect(try rig.ask("/v1/2026-06-01?symbols=EUR").status == 200)
        }
    }

    @Test("a day whose own fix isn't held yet is not answered with an earlier one once it is over")
    func lacking() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2026, through: "2026-06-15"))
            #expect(try rig.ask("/v1/2026-06-16?symbols=EUR").text.contains(#""is_forward_filled":true"#))
            rig.time.advance(by: .seconds(40_000))
            // It is the 17th: the 16th has a fix by now.
            let client = try rig.client()
            try client.send(GatewayRig.request("/v1/2026-06-16?symbols=EUR"))
            await rig.waiting(atLeast: 1)
            #expect(rig.wants.last?.resource == .year(base: .usd, year: 2026) && rig.demands.last == .cold)
            await rig.hold(
                SampleYear.table(2026, through: "2026-06-16"),
                fetchedAt: SampleYear.fetchedAt + .seconds(40_000), isOwnFetch: true, token: 2)
            let answer = try #require(try client.answers(1).answers.first)
            #expect(answer.status == 200 && answer.text.contains(#""is_forward_filled":false"#))
        }
    }

    @Test("codes: unknown ones are 422 and cost nothing, retired ones are 404 where they had no rate")
    func codes() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for target in [
                "/v1/2015-01-05/QQQ", "/v1/2015-01-05?symbols=QQQ,ZZZ",
                "/v1/convert/USD/QQQ/1?date=2015-01-05",
            ] {
                #expect(try rig.ask(target).status == 422, "\(target)")
            }
            #expect(rig.wants.isEmpty)
            await rig.hold(SampleYear.table(2025))
            for target in [
                "/v1/2025-01-06/HRK", "/v1/2025-01-06?symbols=HRK", "/v1/convert/USD/HRK/1?date=2025-01-06",
            ] {
                let answer = try rig.ask(target)
                #expect(answer.status == 404 && answer.text.contains("HRK"), "\(target)")
                #expect(try code(answer) == "no_data_for_date")
            }
            let some = try JSONTree.parse(try rig.ask("/v1/2025-01-06?symbols=EUR,HRK,QQQ").body)
            #expect(some["unavailable"] == .array([.string("HRK"), .string("QQQ")]))
        }
    }

    @Test("conversions of a day stand on its rates alone, one by one and in a batch")
    func conversions() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.hold(SampleYear.table(2025))
            let one = try rig.ask("/v1/convert/EUR/JPY/10?date=2025-01-04")
            let body = try JSONTree.parse(one.body)
            // 150.00080 / 0.80008.
            #expect(body["converted"] == .number("1875") && body["date"] == .string("2025-01-04"))
            #expect(body["is_forward_filled"] == .bool(true))
            #expect(one.field("cache-control") == immutable)
            let batch = try rig.ask(
                "/v1/convert?date=2025-01-04", method: "POST",
                body: #"{"from":"EUR","pairs":[["JPY",10],["USD","1"]]}"#)
            #expect(batch.status == 200 && batch.text.contains(#""date":"2025-01-04""#))
            #expect(batch.text.contains(#""to":"JPY","amount":10,"rate":187.4822517748225"#), "\(batch.text)")
            let now = try JSONTree.parse(try rig.ask("/v1/convert/EUR/JPY/10").body)
            #expect(now["date"] == nil && now["converted"] != body["converted"])
        }
    }

    @Test("a cold day wants the codes first, then its year, and waits no longer for both")
    func cold() async throws {
        try await GatewayRig.run { rig in
            let client = try rig.client()
            try client.send(GatewayRig.request("/v1/2025-01-02?symbols=EUR"))
            await rig.waiting(atLeast: 1)
            #expect(rig.wants.map(\.resource) == [.latest(base: .usd)])
            rig.time.advance(by: .milliseconds(3_000))
            await rig.hold(SampleTable.usd)
            #expect(rig.wants.map(\.resource) == [.latest(base: .usd), .year(base: .usd, year: 2025)])
            await rig.hold(SampleYear.table(2025, through: "2025-03-01", isComplete: false))
            #expect(await rig.waiting() == 1)
            await rig.hold(SampleYear.table(2025), isOwnFetch: true, token: 2)
            let answer = try #require(try client.answers(1).answers.first)
            #expect(answer.status == 200)
            #expect(answer.field("cache-status")?.contains("fwd=uri-miss; fwd-status=200; stored") == true)
            let late = try rig.client()
            try late.send(GatewayRig.request("/v1/2024-01-02?symbols=EUR"))
            await rig.waiting(atLeast: 1)
            rig.time.advance(by: .milliseconds(5_000))
            let refused = try #require(try late.answers(1).answers.first)
            #expect(refused.status == 503 && refused.text.contains("problem:warming-up"))
        }
    }

    @Test("a year whose turn is far is refused at once with the time until then")
    func queued() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            await rig.show(
                .year(base: .usd, year: 2003),
                ResourceView(adopted: nil, condition: .queued(until: rig.time.wall + .seconds(40))))
            let answer = try rig.ask("/v1/2003-06-10")
            #expect(answer.status == 503 && answer.field("retry-after") == "40")
            #expect(answer.text.contains("problem:warming-up"))
        }
    }

    @Test("news of years leave the latest answers as they are")
    func apart() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            _ = try rig.ask("/v1/latest?symbols=EUR")
            let before = await rig.latestAnswers()
            await rig.hold(SampleYear.table(2025))
            #expect(await rig.latestAnswers() == before && before == 1)
        }
    }
}
