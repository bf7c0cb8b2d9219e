import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Spans of days", .timeLimit(.minutes(3)))
struct RangeTests {
    private let immutable = "private, max-age=31536000, immutable"

    private func rows(_ answer: RawHTTPClient.Answer) throws -> [JSONTree] {
        try #require(try JSONTree.parse(answer.body)["data"]?.elements)
    }

    private func dates(_ answer: RawHTTPClient.Answer) throws -> [String] {
        try rows(answer).compactMap { $0["date"]?.string }
    }

    private func run(_ body: (GatewayRig) async throws -> Void) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for year in 2023...2025 { await rig.hold(SampleYear.table(year, holidays: ["2025-04-18"])) }
            await rig.hold(SampleYear.table(2026, through: "2026-06-16"))
            try await body(rig)
        }
    }

    @Test("a settled span has upstream's shape, the cache's words, and may be kept for ever")
    func settled() async throws {
        try await run { rig in
            let answer = try rig.ask(
                "/v1/range?base=USD&symbols=JPY,EUR&start_date=2025-04-17&end_date=2025-04-20")
            let id = SampleYear.snapshot(SampleYear.table(2025)).id
            #expect(
                answer.text
                    == #"{"result":"success","base":"USD","start_date":"2025-04-17","end_date":"2025-04-20","#
                    + #""data":[{"date":"2025-04-17","rates":{"EUR":0.80082,"JPY":150.00820},"source":"ecb_daily","is_forward_filled":false},"#
                    + #"{"date":"2025-04-18","rates":{"EUR":0.80083,"JPY":150.00830},"source":"ecb_daily","is_forward_filled":true}],"#
                    + #""has_more":false,"next_cursor":null,"#
                    + #""notice":"Indicative rates, not for settlement. Source: incl. ECB statistics.","#
                    + #""cache":{"state":"fresh","snapshot":"\#(id)","fetched_at":"2026-06-16T14:02:03Z","derivation":"direct"}}"#
            )
            #expect(answer.field("cache-control") == immutable)
            #expect(answer.field("fx-source") == "ecb_daily" && answer.field("fx-state") == "fresh")
            #expect(answer.field("fx-snapshot") == "\(id)" && answer.field("fx-next-refresh") == nil)
            #expect(answer.field("last-modified") == "Thu, 17 Apr 2025 14:00:00 GMT")
            let tag = try #require(answer.field("etag"))
            let same = try rig.ask(
                "/v1/range?symbols=EUR,JPY&start_date=2025-04-17&end_date=2025-04-20",
                fields: ["If-None-Match: \(tag)"])
            #expect(same.status == 304)
            let head = try rig.client().exchange(
                GatewayRig.request(
                    "/v1/range?symbols=EUR,JPY&start_date=2025-04-17&end_date=2025-04-20", method: "HEAD"))
            #expect(head.status == 200 && head.body.isEmpty && head.field("etag") == tag)
        }
    }

    @Test("pages of 366 rows join without gap or overlap, over years, and the last one ends it")
    func pages() async throws {
        try await run { rig in
            let target = "/v1/range?base=EUR&symbols=USD&start_date=2023-01-01&end_date=2025-12-31"
            var all: [String] = []
            var sizes: [Int] = []
            var cursor: String?
            repeat {
                let answer = try rig.ask(target + (cursor.map { "&cursor=\($0)" } ?? ""))
                #expect(answer.status == 200 && answer.field("cache-control") == immutable)
                let body = try JSONTree.parse(answer.body)
                let page = try dates(answer)
                all += page
                sizes.append(page.count)
                cursor = body["next_cursor"]?.string
                #expect(body["has_more"] == .bool(cursor != nil))
                #expect(body["start_date"] == .string("2023-01-01"))
            } while cursor != nil && sizes.count < 9
            #expect(sizes == [366, 366, 51])
            #expect(all == Array(Set(all)).sorted())
            #expect(all.first == "2023-01-02" && all.last == "2025-12-31" && all.count == 783)
        }
    }

    @Test("a cursor that nobody here has made names no year that isn't there")
    func forgedCursor() async throws {
        try await run { rig in
            let span = "/v1/range?symbols=EUR&start_date=2026-03-01&end_date=2026-03-11"
            let query = RangeQuery(
                base: .usd, symbols: SymbolList([.eur]), start: SampleYear.day("2026-03-01"),
                end: SampleYear.day("2026-03-11"), after: nil, format: .json, numbers: .number)
            let before = rig.demands.count
            for day in ["2026-03-11", "2026-06-20", "5000-01-01"] {
                let cursor = RangeCursor.text(after: SampleYear.day(day), of: query)
                let answer = try rig.ask(span + "&cursor=\(cursor)")
                #expect(answer.status == 404, "\(day)")
            }
            #expect(rig.demands.count == before)
        }
    }

    @Test("a last page that is full says that there is no more")
    func fullPage() async throws {
        try await run { rig in
            let start = SampleYear.day("2023-01-02")
            for (days, hasMore) in [(73 * 7, false), (73 * 7 + 1, true)] {
                let end = start.advanced(by: days).text
                let answer = try rig.ask("/v1/range?symbols=EUR&start_date=2023-01-02&end_date=\(end)")
                #expect(try rows(answer).count == 366)
                #expect(try JSONTree.parse(answer.body)["has_more"] == .bool(hasMore))
            }
        }
    }

    @Test("spans over several years name all their snapshots, those of one the one")
    func snapshots() async throws {
        try await run { rig in
            let answer = try rig.ask("/v1/range?symbols=EUR&start_date=2024-12-30&end_date=2025-01-03")
            let ids = [2024, 2025].map { SampleYear.snapshot(SampleYear.table($0)).id.text }
            #expect(
                try dates(answer) == ["2024-12-30", "2024-12-31", "2025-01-01", "2025-01-02", "2025-01-03"])
            #expect(answer.field("fx-snapshot") == ids.joined(separator: ", "))
            let cache = try #require(try JSONTree.parse(answer.body)["cache"])
            #expect(cache["snapshots"] == .array(ids.map { .string($0) }))
        }
    }

    @Test("a span that isn't settled stands as its year does, and ends with what there is")
    func unsettled() async throws {
        try await run { rig in
            let target = "/v1/range?symbols=EUR&start_date=2026-06-10&end_date=2026-12-31"
            let fresh = try rig.ask(target)
            #expect(try dates(fresh).last == "2026-06-16")
            #expect(fresh.field("cache-control")?.contains("max-age=88077, stale-while-revalidate") == true)
            #expect(fresh.text.contains(#""fresh_until":"2026-06-17T14:30:00Z""#))
            #expect(fresh.text.contains(#""end_date":"2026-12-31""#))
            rig.time.advance(by: .seconds(90_000))
            // It is the 17th, and its own fix isn't over a day late yet.
            let late = try rig.ask(target)
            #expect(late.field("fx-state") == "late" && rig.demands.last == .stale)
            #expect(
                try rig.ask("/v1/range?symbols=EUR&start_date=2026-05-01&end_date=2026-06-01").field(
                    "cache-control")
                    == immutable)
        }
    }

    @Test("no rows is an answer, a span outside of all days isn't")
    func empty() async throws {
        try await run { rig in
            let weekend = try rig.ask("/v1/range?symbols=EUR&start_date=2025-01-04&end_date=2025-01-05")
            #expect(weekend.status == 200 && weekend.text.contains(#""data":[],"has_more":false"#))
            #expect(weekend.text.contains(#""unavailable":["EUR"]"#))
            for span in [
                "start_date=2026-06-17&end_date=2026-12-31", "start_date=1990-01-01&end_date=1999-01-03",
            ] {
                let answer = try rig.ask("/v1/range?symbols=EUR&" + span)
                #expect(answer.status == 404 && answer.text.contains("no_data_for_date"))
            }
            let client = try rig.client()
            try client.send(
                GatewayRig.request("/v1/range?symbols=EUR&start_date=1990-01-01&end_date=1999-01-05"))
            await rig.waiting(atLeast: 1)
            await rig.hold(SampleYear.table(1999))
            let first = try #require(try client.answers(1).answers.first)
            #expect(try dates(first) == ["1999-01-04", "1999-01-05"])
        }
    }

    @Test("all symbols without a list; those without any rate are listed; only unknown ones are 422")
    func symbols() async throws {
        try await run { rig in
            let all = try rows(try rig.ask("/v1/range?base=EUR&start_date=2025-01-02&end_date=2025-01-02"))
            #expect(all.first?["rates"]?.members?.map(\.name) == ["GBP", "JPY", "USD"])
            let some = try rig.ask(
                "/v1/range?symbols=EUR,HRK,QQQ&start_date=2025-01-02&end_date=2025-01-03")
            #expect(some.text.contains(#""unavailable":["HRK","QQQ"]"#))
            #expect(
                try rig.ask("/v1/range?symbols=QQQ&start_date=2025-01-02&end_date=2025-01-03").status == 422)
            #expect(try rig.ask("/v1/range?base=QQQ&start_date=2025-01-02&end_date=2025-01-03").status == 422)
            let none = try rig.ask("/v1/range?base=HRK&symbols=EUR&start_date=2025-01-02&end_date=2025-01-03")
            #expect(none.status == 200 && none.text.contains(#""data":[]"#))
            let own = try rows(
                try rig.ask("/v1/range?base=EUR&symbols=EUR&start_date=2025-01-02&end_date=2025-01-02"))
            #expect(own.first?["rates"]?["EUR"] == .number("1"))
        }
    }

    @Test("derived rows carry the largest bound, and numbers may be strings")
    func derived() async throws {
        try await run { rig in
            let answer = try rig.ask(
                "/v1/range?base=EUR&symbols=USD&start_date=2025-01-02&end_date=2025-01-03&numbers=string")
            #expect(answer.text.contains(#""rates":{"USD":"1.24989063456947517"}"#))
            let cache = try #require(try JSONTree.parse(answer.body)["cache"])
            #expect(cache["derivation"] == .string("inverse") && cache["via"] == .string("USD"))
            #expect(cache["derivation_bps_max"] == .number("0.1"))
            #expect(answer.field("cache-status")?.hasSuffix("; detail=derived") == true)
        }
    }

    @Test("comma-separated values come in one piece, with an empty field where there is no rate")
    func csv() async throws {
        try await run { rig in
            let answer = try rig.ask(
                "/v1/range?base=EUR&symbols=USD,HRK&start_date=2023-01-01&end_date=2025-12-31&format=csv")
            #expect(answer.field("content-type") == "text/csv" && answer.field("cache-control") == immutable)
            let lines = answer.text.split(separator: "\n")
            #expect(lines[0] == "date,HRK,USD,source,is_forward_filled")
            #expect(lines[1] == "2023-01-02,,1.24992187988250734,ecb_daily,false")
            #expect(lines.count == 1 + 783)
            #expect(answer.field("fx-snapshot")?.split(separator: ",").count == 3)
            // An end beyond today is moved to it before anything is measured.
            let open = try rig.ask(
                "/v1/range?symbols=EUR&start_date=2026-06-10&end_date=9999-12-31&format=csv")
            #expect(open.status == 200)
            let long = try rig.ask(
                "/v1/range?base=EUR&start_date=1999-01-04&end_date=2025-12-31&format=csv")
            #expect(long.status == 400 && long.text.contains("30000"))
        }
    }

    @Test("missing years are all wanted at once, and the request waits for each of them in turn")
    func cold() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let client = try rig.client()
            try client.send(
                GatewayRig.request("/v1/range?symbols=EUR&start_date=2023-06-01&end_date=2025-12-31"))
            await rig.waiting(atLeast: 1)
            // A page ends within seventeen months.
            let wanted = { rig.wants.filter { $0.demand == .cold }.map(\.resource.name) }
            #expect(Set(wanted()) == ["year:USD:2023", "year:USD:2024"])
            await rig.hold(SampleYear.table(2024))
            #expect(await rig.waiting() == 1)
            await rig.hold(SampleYear.table(2023))
            let answer = try #require(try client.answers(1).answers.first)
            #expect(try rows(answer).count == 366)
            #expect(!wanted().contains("year:USD:2025"))
            let gone = try rig.ask(
                "/v1/range?symbols=EUR&start_date=2020-06-01&end_date=2020-06-05",
                fields: ["Cache-Control: only-if-cached"])
            #expect(gone.status == 504 && wanted().last == "year:USD:2020")
        }
    }

    @Test("what a caller can't use is refused with what is held")
    func wishes() async throws {
        try await run { rig in
            let target = "/v1/range?symbols=EUR&start_date=2025-01-02&end_date=2025-01-03"
            for (wish, status) in [
                ("&sources=ecb_daily&on_stale=reject", 200), ("&sources=live", 503),
                ("&max_data_age=90s", 503),
            ] {
                let answer = try rig.ask(target + wish)
                #expect(answer.status == status, "\(wish)")
            }
        }
    }
}
