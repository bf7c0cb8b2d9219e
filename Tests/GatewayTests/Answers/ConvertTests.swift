import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Conversions", .timeLimit(.minutes(3)))
struct ConvertTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let id: String
        let base: String
        let rates: [(code: String, text: String)]
        let path: String
        let converted: String
        let unrounded: String
        var testDescription: String { "\(id) \(path)" }

        init(
            _ id: String, _ base: String, _ rates: [(code: String, text: String)], _ path: String,
            _ converted: String,
            _ unrounded: String
        ) {
            self.id = id
            self.base = base
            self.rates = rates
            self.path = path
            self.converted = converted
            self.unrounded = unrounded
        }
    }

    static let rows = [
        Row("C001", "USD", [("EUR", "0.691")], "USD/EUR/1000000000", "691000000.00", "691000000"),
        Row("C009", "EUR", [("IDR", "17385.5")], "IDR/EUR/100000", "5.75", "5.7519197"),
        Row("C012", "USD", [("ARS", "1483.467")], "ARS/USD/42.50", "0.03", "0.028649103754920062"),
        Row("C014", "USD", [("JPY", "149.985")], "USD/JPY/1000.50", "150060", "150059.9925"),
        Row("C014", "USD", [("KRW", "1380.5")], "USD/KRW/1", "1380", "1380.5"),
        Row("C014", "USD", [("KRW", "1380.5")], "USD/KRW/1?rounding=half_up", "1381", "1380.5"),
        Row("C014", "USD", [("KRW", "1380.5")], "USD/KRW/1?rounding=down", "1380", "1380.5"),
        Row("C014", "USD", [("KRW", "1380.1")], "USD/KRW/1?rounding=up", "1381", "1380.1"),
        Row(
            "C023", "USD", [("AUD", "25.123456")], "USD/AUD/99999999999999999999.99",
            "2512345599999999999999.75",
            "2512345599999999999999.74876544"),
        Row("C034", "USD", [("XAU", "0.000241")], "XAU/USD/3", "12448.13", "12448.13278008"),
        Row("C037", "EUR", [("GBP", "0.8523")], "EUR/EUR/12.34", "12.34", "12.34"),
    ]

    @Test("amounts are exact in and out, rounded once and at the end", arguments: rows)
    func exact(row: Row) async throws {
        try await GatewayRig.run(bases: [.sample(row.base)]) { rig in
            await rig.hold(SampleTable.plain(row.base, row.rates))
            let answer = try rig.ask("/v1/convert/" + row.path)
            #expect(answer.status == 200)
            let body = try JSONTree.parse(answer.body)
            #expect(body["converted"] == .number(row.converted))
            #expect(body["result_unrounded"]?.number?.hasPrefix(row.unrounded) == true, "\(answer.text)")
        }
    }

    @Test("C012: converting the unrounded result back gives the amount again")
    func roundTrip() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.plain("USD", [("ARS", "1483.467")]))
            let there = try JSONTree.parse(rig.ask("/v1/convert/ARS/USD/42.50").body)
            let unrounded = try #require(there["result_unrounded"]?.number)
            let back = try JSONTree.parse(rig.ask("/v1/convert/USD/ARS/\(unrounded)").body)
            #expect(back["converted"] == .number("42.50"))
        }
    }

    @Test("C019: what was refused on the way in is a clean error, the rest works")
    func missing() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.plain("USD", [("GBP", "0.79"), ("JPY", "149.985")]))
            let missing = try rig.ask("/v1/convert/EUR/GBP/10")
            #expect(missing.status == 422)
            #expect(missing.text.contains("EUR"))
            let good = try rig.ask("/v1/convert/USD/GBP/10")
            #expect(good.status == 200)
        }
    }

    @Test("the GET form has upstream's members in upstream's order, and ours behind them")
    func getForm() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let answer = try rig.ask("/v1/convert/usd/eur/100.00")
            let body = try JSONTree.parse(answer.body)
            #expect(
                body.members?.map(\.name) == [
                    "result", "from", "to", "amount", "rate", "converted", "derived", "derivation_bps_max",
                    "source",
                    "sources", "market_session", "timestamp", "data_updated_at", "notice", "result_unrounded",
                    "rounding", "snapshot", "cache",
                ])
            #expect(body["amount"] == .number("100.00"))
            #expect(body["converted"] == .number("85.21"))
            let strings = try JSONTree.parse(rig.ask("/v1/convert/USD/EUR/100.00?numbers=string").body)
            #expect(strings["amount"] == .string("100.00"))
            #expect(strings["rate"] == .string("0.85214"))
            #expect(strings["converted"] == .string("85.21"))
        }
    }

    @Test("the POST form converts everything on one snapshot, amounts as numbers or strings, chunked or not")
    func postForm() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let pairs = #"["EUR",120],["gbp","45.10"],["JPY",12.5],["EUR",1],["ISK",1]"#
            let order = #"{"from":"USD","pairs":[\#(pairs)]}"#
            let answer = try rig.ask("/v1/convert", method: "POST", body: order)
            #expect(answer.status == 200)
            let body = try JSONTree.parse(answer.body)
            let items = try #require(body["conversions"]?.elements)
            #expect(items.map { $0["to"]?.string } == ["EUR", "GBP", "JPY", "EUR", "ISK"])
            #expect(items.map { $0["amount"]?.number } == ["120", "45.10", "12.5", "1", "1"])
            #expect(items.map { $0["converted"]?.number } == ["102.26", "33.33", "1875", "0.85", "122"])
            // A fix is older than the batch as a whole.
            #expect(items[4]["data_updated_at"] != body["data_updated_at"])
            for item in items {
                let quote = try #require(item["to"]?.string)
                let alone = try JSONTree.parse(rig.ask("/v1/convert/USD/\(quote)/1").body)
                #expect(
                    item["data_updated_at"]?.string == alone["data_updated_at"]?.string
                        && item["source"] == alone["source"])
            }
            #expect(body["snapshot"]?.string == answer.field("fx-snapshot"))
            let client = try rig.client()
            let size = String(order.utf8.count, radix: 16)
            let chunked = try client.exchange(
                "POST /v1/convert HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(order)\r\n0\r\n\r\n"
            )
            #expect(chunked.body == answer.body)
        }
    }

    @Test(
        "a bad order is refused as a whole and says why",
        arguments: [
            ("", 400, "invalid_request"), ("[]", 400, "invalid_request"), ("{", 400, "invalid_request"),
            (#"{"pairs":[["EUR",1]]}"#, 400, "missing_parameter"),
            (#"{"from":"USD"}"#, 400, "missing_parameter"),
            (#"{"from":"USD","pairs":[]}"#, 400, "invalid_request"),
            (#"{"from":"USD","pairs":[["EUR"]]}"#, 400, "invalid_request"),
            (#"{"from":"USD","pairs":[["EUR",1e3]]}"#, 400, "invalid_amount"),
            (#"{"from":"USD","pairs":[["EUR",-1]]}"#, 400, "invalid_amount"),
            (#"{"from":"USD","pairs":[["EUR",true]]}"#, 400, "invalid_amount"),
            (#"{"from":"US","pairs":[["EUR",1]]}"#, 400, "invalid_request"),
            (#"{"from":1,"pairs":[["EUR",1]]}"#, 400, "invalid_request"),
            (#"{"from":"QQQ","pairs":[["EUR",1]]}"#, 422, "unsupported_base"),
            (#"{"from":"USD","pairs":[["EUR",1],["QQQ",1]]}"#, 422, "invalid_pair"),
        ])
    func badOrders(order: String, status: Int, code: String) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let answer = try rig.ask("/v1/convert", method: "POST", body: order)
            #expect(answer.status == status)
            #expect(try JSONTree.parse(answer.body)["code"] == .string(code))
        }
    }

    @Test("a hundred pairs are taken, one more is not")
    func orderLimit() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for (count, status) in [(100, 200), (101, 400)] {
                let pairs = Array(repeating: #"["EUR",1]"#, count: count).joined(separator: ",")
                let answer = try rig.ask(
                    "/v1/convert", method: "POST", body: #"{"from":"USD","pairs":[\#(pairs)]}"#)
                #expect(answer.status == status)
            }
        }
    }

    @Test("a cold order waits with its body")
    func coldOrder() async throws {
        try await GatewayRig.run { rig in
            let client = try rig.client()
            try client.send(
                GatewayRig.request(
                    "/v1/convert", method: "POST", body: #"{"from":"USD","pairs":[["EUR",100]]}"#))
            await rig.waiting(atLeast: 1)
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            let answer = try #require(try client.answers(1).answers.first)
            #expect(answer.status == 200)
            #expect(answer.text.contains(#""converted":85.21"#))
        }
    }

    @Test("C046: if A to B works then so does B to A, from one snapshot")
    func bothWays() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let codes = ["USD", "EUR", "GBP", "JPY", "INR", "ISK", "RON"]
            let client = try rig.client()
            for base in codes {
                for quote in codes {
                    let answer = try client.exchange(GatewayRig.request("/v1/rate/\(base)-\(quote)"))
                    #expect(answer.status == 200, "\(base)-\(quote)")
                    #expect(answer.field("fx-snapshot") == "\(SampleTable.snapshot(SampleTable.usd).id)")
                }
            }
        }
    }
}
