import ExchangeRateClient
import Foundation
import TestSupport
import Testing

@Suite("Requests of the client", .timeLimit(.minutes(3)))
struct ClientRequestTests {
    @Test("each method asks at its path and reads its answer")
    func methods() async throws {
        let table = TableSample.table(symbols: 3)
        try await RawHTTPServer.run(
            [.json(table)], [.json(OtherSample.direct)], [.json(HistorySample.day)],
            [.json(HistorySample.firstPage)],
            [.json(HistorySample.lastPage)], [.json(OtherSample.flatConversion)],
            [.json(OtherSample.currencies)],
            [.json(OtherSample.currencyMap)], [.json(OtherSample.account)]
        ) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: secretKey)
            let (first, last) = (try #require(Day("2025-04-16")), try #require(Day("2025-04-23")))
            #expect(try await client.latest(base: "chf", symbols: ["qaa", "QAB"]).rates.count == 3)
            #expect(try await client.rate(base: "CHF", quote: "eur").rate == Decimal(string: "1.0691"))
            #expect(try await client.day(try #require(Day("2025-11-18")), base: "CHF").rates.count == 1)
            let page = try await client.range(from: first, to: last, base: "CHF", symbols: ["EUR"])
            let next = try await client.range(
                from: first, to: last, base: "CHF", symbols: ["EUR"], cursor: page.nextCursor)
            #expect(page.hasMore && !next.hasMore)
            #expect(
                try await client.convert(250, from: "CHF", to: "SEK").converted == Decimal(string: "2857.55"))
            #expect(try await client.currencies().currencies.count == 3)
            #expect(try await client.currencies(type: "fiat").currencies.count == 2)
            #expect(try await client.account().usage.callsThisMonth == 217)
            let range = "base=CHF&symbols=EUR&start_date=2025-04-16&end_date=2025-04-23"
            let targets = [
                "/v1/latest/CHF?symbols=QAA,QAB", "/v1/rate/CHF-EUR", "/v1/2025-11-18/CHF",
                "/v1/range?\(range)",
                "/v1/range?\(range)&cursor=bmV4dDoyMDI1LTA0LTE4%2B%2F%3D", "/v1/convert/CHF/SEK/250",
                "/v1/currencies", "/v1/currencies?type=fiat", "/v1/account",
            ]
            #expect(server.requests.map(\.line) == targets.map { "GET \($0) HTTP/1.1" })
            #expect(server.requests.allSatisfy { $0.field("Authorization") == "Bearer \(secretKey)" })
        }
    }

    @Test("a batch is one POST with plain numbers")
    func batch() async throws {
        try await RawHTTPServer.run([.json(OtherSample.batch)]) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: nil)
            let half = try #require(Decimal(string: "7.50"))
            let batch = try await client.convert([("sek", 20), ("HUF", half)], from: "chf")
            #expect(batch.conversions.count == 2)
            let request = try #require(server.requests.first)
            #expect(request.line == "POST /v1/convert HTTP/1.1")
            #expect(request.field("Content-Type") == "application/json")
            #expect(
                String(decoding: request.body, as: UTF8.self)
                    == #"{"from":"CHF","pairs":[["SEK",20],["HUF",7.5]]}"#)
        }
    }

    @Test(
        "an amount is written plainly, whatever its size",
        arguments: [
            ("1e30", "1000000000000000000000000000000"), ("1e-12", "0.000000000001"), ("0", "0"),
            ("12345678901234567890.123456789", "12345678901234567890.123456789"), ("100", "100"),
        ])
    func amounts(text: String, written: String) async throws {
        let echo = OtherSample.flatConversion.replacing("\"amount\":250", with: "\"amount\":\(written)")
        try #require(echo != OtherSample.flatConversion)
        try await RawHTTPServer.run([.json(echo)]) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: nil)
            _ = try await client.convert(try #require(Decimal(string: text)), from: "CHF", to: "SEK")
            #expect(server.requests.first?.line == "GET /v1/convert/CHF/SEK/\(written) HTTP/1.1")
        }
    }

    @Test(
        "a batch for other amounts, other currencies or in another order is no answer",
        arguments: [
            (#"[{"to":"HUF","amount":7.5,"converted":1},{"to":"SEK","amount":20,"converted":1}]"#, "to"),
            (#"[{"to":"SEK","amount":21,"converted":1},{"to":"HUF","amount":7.5,"converted":1}]"#, "amount"),
            (#"[{"to":"SEK","amount":20,"converted":1}]"#, "conversions"),
        ])
    func otherBatch(list: String, member: String) async throws {
        let service = ScriptedService { _ in
            ScriptedService.answer(200, #"{"result":"success","from":"CHF","conversions":\#(list)}"#)
        }
        let half = try #require(Decimal(string: "7.5"))
        await #expect(throws: ExchangeRateError.undecodable(member: member)) {
            try await service.client().convert([("SEK", 20), ("HUF", half)], from: "CHF")
        }
    }

    @Test("money that wasn't rounded the way asked for is refused; in a batch the rule may stand at its top")
    func rounding() async throws {
        let service = ScriptedService { index in
            let rule = [#","rounding":"down""#, #","rounding":"half_even""#, ""][index % 3]
            return ScriptedService.answer(
                200,
                index < 3
                    ? #"{"result":"success","from":"CHF","to":"SEK","amount":1,"converted":11\#(rule)}"#
                    : #"{"result":"success","from":"CHF"\#(rule),"conversions":[{"to":"SEK","amount":1,"converted":11}]}"#
            )
        }
        let client = try service.client()
        #expect(try await client.convert(1, from: "CHF", to: "SEK", rounding: .down).converted == 11)
        for _ in 0..<2 {
            await #expect(throws: ExchangeRateError.undecodable(member: "rounding")) {
                try await client.convert(1, from: "CHF", to: "SEK", rounding: .down)
            }
        }
        #expect(
            try await client.convert([("SEK", 1)], from: "CHF", rounding: .down).conversions[0].rounding
                == "down")
        await #expect(throws: ExchangeRateError.undecodable(member: "rounding")) {
            try await client.convert([("SEK", 1)], from: "CHF", rounding: .down)
        }
    }

    @Test("a configuration that can't be sent is refused by name")
    func badConfiguration() throws {
        for (name, change) in [
            ("bodyLimit", { $0.bodyLimit = 0 }), ("userAgent", { $0.userAgent = "größer" }),
        ] as [(String, (inout ClientConfiguration) -> Void)] {
            var configuration = ClientConfiguration.gateway(try parsedURL("http://gateway.test"))
            change(&configuration)
            let error = try #require(throws: ExchangeRateError.self) {
                try ExchangeRateClient(configuration)
            }
            guard case .invalidArgument(name, _) = error else {
                Issue.record("\(error)")
                continue
            }
        }
    }

    @Test(
        "a code that is none is named and not sent",
        arguments: ["", "EU", "EUR/../", "EUR?", "ＥＵＲ", "ıNR", "uſd", "TOOLONGCODE", "E R", "EUR\r\n", "é"])
    func badCodes(code: String) async throws {
        try await RawHTTPServer.run([.json("{}")]) { server in
            let client = try ExchangeRateClient(baseURL: server.url, apiKey: nil)
            let day = try #require(Day("2025-04-16"))
            await #expect(throws: ExchangeRateError.invalidArgument(name: "base", value: code)) {
                try await client.latest(base: code)
            }
            await #expect(throws: ExchangeRateError.invalidArgument(name: "symbols", value: code)) {
                try await client.latest(symbols: ["EUR", code])
            }
            await #expect(throws: ExchangeRateError.invalidArgument(name: "quote", value: code)) {
                try await client.rate(base: "EUR", quote: code)
            }
            await #expect(throws: ExchangeRateError.invalidArgument(name: "base", value: code)) {
                try await client.range(from: day, to: day, base: code, symbols: [])
            }
            await #expect(throws: ExchangeRateError.invalidArgument(name: "to", value: code)) {
                try await client.convert([("EUR", 1), (code, 1)], from: "USD")
            }
            #expect(server.connections == 0)
        }
    }

    @Test("an amount below zero or not a number, an empty batch and a turned range are refused")
    func badArguments() async throws {
        let client = try ExchangeRateClient(baseURL: closedPort(), apiKey: nil)
        let (early, late) = (try #require(Day("2025-04-16")), try #require(Day("2025-04-23")))
        await #expect(throws: ExchangeRateError.invalidArgument(name: "amount", value: "-1")) {
            try await client.convert(-1, from: "USD", to: "EUR")
        }
        await #expect(throws: ExchangeRateError.invalidArgument(name: "amount", value: "NaN")) {
            try await client.convert(Decimal.nan, from: "USD", to: "EUR")
        }
        await #expect(throws: ExchangeRateError.invalidArgument(name: "amounts", value: "")) {
            try await client.convert([], from: "USD")
        }
        await #expect(throws: ExchangeRateError.invalidArgument(name: "to", value: "2025-04-16")) {
            try await client.range(from: late, to: early, base: "USD", symbols: ["EUR"])
        }
    }

    @Test("the key comes from the environment, and without one the use is anonymous")
    func environment() async throws {
        try await RawHTTPServer.run([.json(TableSample.minimal)]) { server in
            let keyed = try ExchangeRateClient(
                environment: ["EXCHANGERATE_API_KEY": secretKey], baseURL: server.url)
            let anonymous = try ExchangeRateClient(environment: [:], baseURL: server.url)
            _ = try await keyed.latest(base: "CHF")
            _ = try await anonymous.latest(base: "CHF")
            #expect(server.requests.map { $0.field("Authorization") } == ["Bearer \(secretKey)", nil])
        }
        for bad in ["", "\(secretKey)\n", "\"\(secretKey)\" "] {
            #expect(throws: ExchangeRateError.invalidKey) {
                try ExchangeRateClient(environment: ["EXCHANGERATE_API_KEY": bad])
            }
        }
    }

    @Test("the public service is the default, and a base URL that is none is refused")
    func baseURL() throws {
        #expect(ExchangeRateClient.publicService.absoluteString == "https://api.exchangerate.dev")
        _ = try ExchangeRateClient(apiKey: nil)
        let bad = try parsedURL("https://user:pass@host")
        #expect(throws: ExchangeRateError.invalidBaseURL) {
            try ExchangeRateClient(baseURL: bad, apiKey: nil)
        }
    }
}
