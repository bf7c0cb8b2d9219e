import CacheLayer
import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("Answers with rates", .timeLimit(.minutes(3)))
struct AnswerTests {
    @Test("a fresh table has upstream's body, the cache's words and every header")
    func freshTable() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            rig.time.advance(by: .seconds(20))
            let answer = try rig.ask("/v1/latest/USD?symbols=EUR,JPY")
            #expect(answer.status == 200)
            #expect(
                answer.text
                    == #"{"result":"success","base":"USD","source":"live","sources":{"EUR":"live","JPY":"live"},"#
                    + #""effective_at":{"EUR":"2026-06-16T14:01:51Z","JPY":"2026-06-16T14:01:51Z"},"#
                    + #""market_session":"open","timestamp":"2026-06-16T14:02:02Z","#
                    + #""data_updated_at":"2026-06-16T14:01:51Z","rates":{"EUR":0.85214,"JPY":149.985},"#
                    + #""notice":"Indicative rates, not for settlement.","cache":{"state":"fresh","#
                    + #""snapshot":"\#(SampleTable.snapshot(SampleTable.usd).id)","#
                    + #""fetched_at":"2026-06-16T14:02:03Z","fresh_until":"2026-06-16T14:03:13Z","#
                    + #""derivation":"direct"}}"#)
            #expect(answer.field("content-type") == "application/json")
            #expect(answer.field("age") == "20")
            #expect(
                answer.field("cache-control")
                    == "private, max-age=70, stale-while-revalidate=30, stale-if-error=900")
            #expect(answer.field("last-modified") == "Tue, 16 Jun 2026 14:01:51 GMT")
            #expect(answer.field("cache-status") == "fxgateway; hit; ttl=50")
            #expect(answer.field("fx-source") == "live")
            #expect(answer.field("fx-market-session") == "open")
            #expect(answer.field("fx-state") == "fresh")
            #expect(answer.field("fx-snapshot") == "\(SampleTable.snapshot(SampleTable.usd).id)")
            #expect(answer.field("fx-next-refresh") == "2026-06-16T14:03:03Z")
            #expect(answer.field("fx-cooldown-until") == nil)
            #expect(answer.field("vary") == nil)
            #expect(answer.field("x-content-type-options") == "nosniff")
            let tag = try #require(answer.field("etag"))
            #expect(tag.count == 34 && tag.hasPrefix("\"") && tag.hasSuffix("\""))
        }
    }

    @Test("C042, C003: one body and tag, however it is asked for, at any time of its state, on every loop")
    func purity() async throws {
        try await GatewayRig.run(loops: 2) { rig in
            await rig.hold(SampleTable.usd)
            let first = try rig.ask("/v1/latest/USD?symbols=EUR,GBP")
            for (step, target) in [
                "/v1/latest?base=usd&symbols=gbp,eur", "/v1/latest?symbols=GBP%2CEUR,GBP&_=1",
                "/v1/latest/USD?symbols=EUR,GBP", "/v1/latest/USD?symbols=EUR,GBP&max-age=0",
            ].enumerated() {
                rig.time.advance(by: .seconds(10))
                let again = try rig.ask(target)
                #expect(again.body == first.body)
                #expect(again.field("etag") == first.field("etag"))
                #expect(again.field("age") == "\(10 * (step + 1))")
            }
        }
        try await GatewayRig.run { other in
            await other.hold(SampleTable.usd)
            other.time.advance(by: .seconds(3))
            let answer = try other.ask("/v1/latest/USD?symbols=EUR,GBP")
            try await GatewayRig.run { rig in
                await rig.hold(SampleTable.usd)
                let same = try rig.ask("/v1/latest/USD?symbols=EUR,GBP")
                #expect(same.body == answer.body)
                #expect(same.field("etag") == answer.field("etag"))
            }
        }
    }

    @Test("the tag changes with the state, the reason, the options and the snapshot")
    func tags() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            var tags: [String?] = [try rig.ask("/v1/latest?symbols=EUR").field("etag")]
            tags.append(try rig.ask("/v1/latest?symbols=EUR&numbers=string").field("etag"))
            tags.append(try rig.ask("/v1/latest?symbols=GBP").field("etag"))
            rig.time.advance(by: .seconds(80))
            tags.append(try rig.ask("/v1/latest?symbols=EUR").field("etag"))
            await rig.hold(SampleTable.usd, condition: .cooldown(until: rig.time.wall + .seconds(60)))
            tags.append(try rig.ask("/v1/latest?symbols=EUR").field("etag"))
            await rig.hold(SampleTable.usd, token: 2, fetchedAt: rig.time.wall)
            tags.append(try rig.ask("/v1/latest?symbols=EUR").field("etag"))
            #expect(Set(tags).count == tags.count)
        }
    }

    @Test("labels speak of the symbols asked for")
    func labels() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let daily = try json(rig.ask("/v1/latest?symbols=ISK,RON"))
            #expect(daily["source"] == .string("ecb_daily"))
            #expect(daily["data_updated_at"] == .string("2026-06-15T14:00:00Z"))
            let mixed = try rig.ask("/v1/latest?symbols=EUR,ISK")
            let body = try json(mixed)
            #expect(body["source"] == .string("live"))
            #expect(body["sources"]?["ISK"] == .string("ecb_daily"))
            #expect(body["data_updated_at"] == .string("2026-06-16T14:01:51Z"))
            #expect(mixed.field("fx-source") == "live")
            let cross = try json(rig.ask("/v1/rate/EUR-ISK"))
            #expect(cross["source"] == .string("ecb_daily"))
            #expect(cross["data_updated_at"] == .string("2026-06-15T14:00:00Z"))
            let plain = try json(rig.ask("/v1/rate/USD-ISK"))
            #expect(plain["sources"] == .object([.init("ISK", .string("ecb_daily"))]))
        }
    }

    @Test("a daily fix two days old on a Sunday is fresh; a live rate beside it is stale")
    func mixedStates() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            rig.time.advance(by: .seconds(80))
            #expect(try rig.ask("/v1/latest?symbols=ISK").field("fx-state") == "fresh")
            let mixed = try rig.ask("/v1/latest?symbols=EUR,ISK")
            #expect(mixed.field("fx-state") == "stale")
            #expect(try json(mixed)["stale_symbols"] == .array([.string("EUR")]))
        }
    }

    @Test("a derived table is named as such, with what it was derived from")
    func derived() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let answer = try rig.ask("/v1/latest/EUR?symbols=USD,GBP")
            #expect(answer.field("cache-status") == "fxgateway; hit; ttl=70; detail=derived")
            let body = try json(answer)
            #expect(body["base"] == .string("EUR"))
            #expect(body["cache"]?["derivation"] == .string("cross"))
            #expect(body["cache"]?["via"] == .string("USD"))
            #expect(body["cache"]?["legs"]?["EUR"] == .number("0.85214"))
            let all = try json(rig.ask("/v1/latest/EUR"))
            #expect(all["rates"]?.members?.map(\.name) == ["GBP", "INR", "ISK", "JPY", "RON", "USD"])
        }
    }

    @Test("a direct base answers from its own table, and from the pivot's while it hasn't come")
    func directBase() async throws {
        try await GatewayRig.run(bases: [.usd, .eur]) { rig in
            await rig.hold(SampleTable.usd)
            let derived = try rig.ask("/v1/rate/EUR-GBP")
            #expect(try json(derived)["derived"] == .bool(true))
            let wants = rig.wants
            #expect(wants.contains { $0.resource == .latest(base: .eur) && $0.demand == .stale })
            await rig.hold(SampleTable.table("EUR", [SampleTable.fix("GBP", "0.8671")], source: .ecbDaily))
            let direct = try json(rig.ask("/v1/rate/EUR-GBP"))
            #expect(direct["rate"] == .number("0.8671"))
            #expect(direct["derived"] == .bool(false))
            #expect(direct["derivation_bps_max"] == .null)
        }
    }

    @Test("C094: however many bases are asked for, one table is wanted: there is nothing to spread")
    func manyBases() async throws {
        try await GatewayRig.run { rig in
            let codes = (0..<20).map { "B" + String(UnicodeScalar(UInt8(65 + $0))) + "X" }
            await rig.hold(SampleTable.plain("USD", codes.map { ($0, "1.25") }))
            for round in 0..<4 {
                let statuses = try codes.map { try rig.ask("/v1/latest/\($0)").status }
                #expect(Set(statuses) == [200])
                let told = rig.wants.map { "\($0.resource.name) \($0.demand)" }
                #expect(told.count == round + 1)
                #expect(told.allSatisfy { $0.hasPrefix("latest:USD ") }, "\(told)")
                rig.time.advance(by: .seconds(80))
            }
        }
    }

    @Test("without a base USD is meant, whatever the pivot is")
    func defaultBase() async throws {
        try await GatewayRig.run(bases: [.eur]) { rig in
            await rig.hold(SampleTable.plain("EUR", [("GBP", "0.8523"), ("USD", "1.1612")]))
            let body = try json(rig.ask("/v1/latest?symbols=EUR"))
            #expect(body["base"] == .string("USD"))
            #expect(body["cache"]?["derivation"] == .string("inverse"))
        }
    }

    @Test(
        "C048, C098: unknown symbols are listed beside known ones, and refused alone; nobody is told of them")
    func unknownSymbols() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            _ = try rig.ask("/v1/latest?symbols=EUR,ZZZ")
            let before = rig.wants.count
            let some = try json(rig.ask("/v1/latest?symbols=EUR,ZZZ"))
            #expect(some["unavailable"] == .array([.string("ZZZ")]))
            #expect(some["rates"]?.members?.map(\.name) == ["EUR"])
            for (target, code) in [
                ("/v1/latest?symbols=ZZZ", "invalid_pair"), ("/v1/latest/QQQ", "unsupported_base"),
                ("/v1/latest?base=EURO", "unsupported_base"), ("/v1/rate/USD-QQQ", "invalid_pair"),
                ("/v1/rate/QQQ-USD", "unsupported_base"), ("/v1/convert/USD/QQQ/1", "invalid_pair"),
            ] {
                let answer = try rig.ask(target)
                #expect(answer.status == 422, "\(target)")
                #expect(try json(answer)["code"] == .string(code), "\(target)")
                #expect(
                    answer.text.contains("ZZZ") || answer.text.contains("QQQ") || answer.text.contains("EURO")
                )
            }
            #expect(rig.wants.count == before)
        }
    }

    @Test("C037: the base in itself is exactly 1, for every base, and only when asked for by name")
    func identity() async throws {
        try await GatewayRig.run(bases: [.eur]) { rig in
            await rig.hold(SampleTable.plain("EUR", [("GBP", "0.8523"), ("USD", "1.1612")]))
            #expect(try json(rig.ask("/v1/latest/EUR?symbols=EUR"))["rates"]?["EUR"] == .number("1"))
            let both = try json(rig.ask("/v1/latest/EUR?symbols=GBP,EUR"))
            #expect(both["rates"] == .object([.init("EUR", .number("1")), .init("GBP", .number("0.8523"))]))
            let usd = try json(rig.ask("/v1/latest/USD?symbols=USD,EUR"))
            #expect(usd["rates"]?["USD"] == .number("1"))
            #expect(try json(rig.ask("/v1/latest/EUR"))["rates"]?.members?.map(\.name) == ["GBP", "USD"])
            #expect(try json(rig.ask("/v1/rate/USD-USD"))["rate"] == .number("1"))
        }
    }

    @Test("C001, C034: digits go out as they came")
    func digits() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(
                SampleTable.plain(
                    "USD",
                    [
                        ("EUR", "0.691"), ("BAM", "5.02"), ("GBP", "0.1"), ("CHF", "1.1172404971672576"),
                        ("XAU", "0.000241"),
                    ]))
            let body = try rig.ask("/v1/latest?symbols=EUR,BAM,GBP,CHF").text
            #expect(body.contains(#""rates":{"BAM":5.02,"CHF":1.1172404971672576,"EUR":0.691,"GBP":0.1}"#))
            let strings = try rig.ask("/v1/latest?symbols=EUR,BAM&numbers=string").text
            #expect(strings.contains(#""rates":{"BAM":"5.02","EUR":"0.691"}"#))
            let metal = try rig.ask("/v1/rate/XAU-USD").text
            #expect(metal.contains(#""rate":4149.37759336099585,"#), "\(metal)")
        }
    }

    @Test("a whole table isn't made stale by a value kept from an earlier one; asked for by name it is")
    func keptValues() async throws {
        let kept = SymbolRate(
            currency: .sample("BGN"), rate: SampleTable.rate("1.66"), source: .live,
            effectiveAt: SampleTable.dataTime,
            kept: .quarantine)
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.table("USD", [SampleTable.live("EUR", "0.85"), kept]))
            let whole = try rig.ask("/v1/latest")
            #expect(whole.field("fx-state") == "fresh")
            #expect(try json(whole)["stale_symbols"] == .array([.string("BGN")]))
            let named = try rig.ask("/v1/latest?symbols=BGN")
            #expect(named.field("fx-state") == "stale")
            #expect(named.field("cache-status") == "fxgateway; hit; ttl=0; detail=quarantine")
            #expect(try json(named)["cache"]?["reason"] == .string("quarantine"))
        }
    }

    @Test("C035, C072: the old value of a rate that jumped is served with its own time, marked and listed")
    func heldBack() async throws {
        let heldBack = QuarantinedRate(
            first: SampleTable.rate("1.1612"), rate: SampleTable.rate("1.1612"),
            effectiveAt: SampleTable.dataTime, confirmations: 0, since: SampleTable.fetchedAt,
            keptUntil: SampleTable.fetchedAt + .seconds(900))
        let old = Timestamp(text: "2026-06-16T14:00:51Z", instant: SampleTable.fetchedAt + .seconds(-72))
        let euro = SymbolRate(
            currency: .eur, rate: SampleTable.rate("0.8612"), source: .live, effectiveAt: old,
            kept: .quarantine, quarantined: heldBack)
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.table("USD", [euro, SampleTable.live("GBP", "0.7402")]))
            let both = try json(rig.ask("/v1/latest?symbols=EUR,GBP"))
            #expect(both["rates"]?["EUR"] == .number("0.8612") && both["rates"]?["GBP"] == .number("0.7402"))
            #expect(both["effective_at"]?["EUR"] == .string("2026-06-16T14:00:51Z"))
            #expect(both["stale_symbols"] == .array([.string("EUR")]))
            #expect(both["cache"]?["state"] == .string("stale"))
            #expect(both["cache"]?["reason"] == .string("quarantine"))
            // The others are as fresh as ever, a pair with it is not.
            let other = try rig.ask("/v1/latest?symbols=GBP")
            #expect(other.field("fx-state") == "fresh")
            let cross = try json(rig.ask("/v1/rate/EUR-GBP"))
            #expect(cross["cache"]?["reason"] == .string("quarantine"))
            rig.time.advance(by: .seconds(899))
            let last = try rig.ask("/v1/rate/USD-EUR")
            #expect(last.status == 200 && last.field("fx-state") == "stale")
        }
    }

    @Test("a live feed that stands still in an open market is not fresh")
    func stalledSource() async throws {
        let old = Timestamp(text: "2026-06-16T13:50:00Z", instant: SampleTable.fetchedAt + .seconds(-723))
        let entry = SymbolRate(
            currency: .eur, rate: SampleTable.rate("0.85"), source: .live, effectiveAt: old)
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.table("USD", [entry]))
            let stalled = try json(rig.ask("/v1/latest"))
            #expect(stalled["cache"]?["reason"] == .string("source_stalled"))
            await rig.hold(SampleTable.table("USD", [entry], session: "weekend"), token: 2)
            let calm = try rig.ask("/v1/latest")
            #expect(calm.field("fx-state") == "fresh")
        }
    }

    @Test("unknown fields of upstream are passed on, and what it calls things can't break a header")
    func foreignFields() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(
                SampleTable.table(
                    "USD", [SampleTable.live("EUR", "0.85")], session: "o\r\nX-Evil: 1",
                    extras: [
                        .init(name: "provider", json: #"{"a":[1.50]}"#), .init(name: "cache", json: "1"),
                    ]))
            let answer = try rig.ask("/v1/latest")
            #expect(answer.text.contains(#""provider":{"a":[1.50]}"#))
            #expect(answer.text.contains(#""market_session":"o\u000d\u000aX-Evil: 1""#))
            #expect(answer.field("x-evil") == nil)
            #expect(answer.field("fx-market-session") == nil)
            #expect(answer.text.components(separatedBy: "\"cache\"").count == 2)
        }
    }

    private func json(_ answer: RawHTTPClient.Answer) throws -> JSONTree { try JSONTree.parse(answer.body) }
}
