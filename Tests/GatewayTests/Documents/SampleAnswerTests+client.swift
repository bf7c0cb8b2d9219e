import ExchangeRateClient
import Foundation
import TestSupport
import Testing

/// The public client reads the gateway as it reads upstream's documented examples: only its base URL is another one.
extension SampleAnswerTests {
    private static func client(_ rig: GatewayRig) throws -> ExchangeRateClient {
        let url = try #require(URL(string: "http://127.0.0.1:\(rig.port)"))
        return try ExchangeRateClient(baseURL: url, apiKey: "exr_live_TEST")
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        let sample = try #require(try samples().first { $0.name == name })
        return try JSONDecoder().decode(type, from: Data(sample.bytes))
    }

    /// Asks a gateway that holds the rates of a sample (of another one, where the sample has none of its own).
    private static func asking<Value>(
        _ sample: String, pivot: String = "USD", held: [String] = [],
        _ body: @escaping (ExchangeRateClient) async throws -> Value
    ) async throws -> Value {
        var value: Value?
        let scene = SampleScene(sample: sample, target: "", pivot: pivot, held: held)
        try await scene.run { rig, _ in value = try await body(try client(rig)) }
        return try #require(value)
    }

    private func expectSameLabels(
        _ answer: some Labelled, _ sample: some Labelled, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.source == sample.source, sourceLocation: location)
        #expect(answer.sources == sample.sources, sourceLocation: location)
        #expect(answer.effectiveAt == sample.effectiveAt, sourceLocation: location)
        #expect(answer.marketSession == sample.marketSession, sourceLocation: location)
        #expect(answer.timestamp == sample.timestamp, sourceLocation: location)
        #expect(answer.dataUpdatedAt == sample.dataUpdatedAt, sourceLocation: location)
        #expect(answer.notice == sample.notice, sourceLocation: location)
        #expect(answer.cache != nil && sample.cache == nil, sourceLocation: location)
    }

    @Test(
        "latest tables, as the client reads them in the samples",
        arguments: [
            "latest-live-open.json", "latest-weekend-mixed.json", "latest-interbank-closed.json",
            "latest-ecb-daily.json", "latest-fred-daily.json", "latest-query-base-compact.json",
            "latest-base-idr-small-numbers.json", "latest-quickstart-minimal.json", "latest-all-symbols.json",
            "latest-stress-many-symbols.json",
        ])
    func clientLatest(name: String) async throws {
        let sample = try Self.decoded(Latest.self, name)
        for symbols in [[], sample.rates.keys.sorted()] {
            let answer = try await Self.asking(name, pivot: sample.base) {
                try await $0.latest(base: sample.base, symbols: symbols)
            }
            #expect(answer.base == sample.base && answer.rates == sample.rates)
            expectSameLabels(answer, sample)
        }
    }

    @Test("a pair, a past day, a conversion and a batch")
    func clientPairs() async throws {
        let pair = try Self.decoded(Rate.self, "rate-direct.json")
        let rate = try await Self.asking("rate-direct.json", pivot: "EUR") {
            try await $0.rate(base: "EUR", quote: "USD")
        }
        #expect(rate.rate == pair.rate && rate.labels.isDerived == false)
        expectSameLabels(rate, pair)

        for (name, base, day) in [
            ("historical-date.json", "USD", "2026-06-10"), ("historical-first-day.json", "EUR", "1999-01-04"),
            ("historical-forward-filled.json", "USD", "2026-06-13"),
        ] {
            let sample = try Self.decoded(HistoricalDay.self, name)
            let date = try #require(Day(day))
            let answer = try await Self.asking(name, pivot: base) {
                try await $0.day(date, base: base, symbols: sample.rates.keys.sorted())
            }
            #expect(answer.rates == sample.rates && answer.isForwardFilled == sample.isForwardFilled)
            #expect(answer.date == sample.date)
            expectSameLabels(answer, sample)
        }

        let sample = try Self.decoded(Conversion.self, "convert-get.json")
        let held = ["latest-live-open.json"]
        let conversion = try await Self.asking("convert-get.json", held: held) {
            try await $0.convert(100, from: "USD", to: "EUR")
        }
        #expect(conversion.converted == sample.converted && conversion.rate == sample.rate)
        #expect(conversion.amount == sample.amount)
        let batchSample = try Self.decoded(ConversionBatch.self, "convert-post.json")
        let amounts = batchSample.conversions.map { (to: $0.to, amount: $0.amount) }
        let batch = try await Self.asking("convert-post.json", held: held) {
            try await $0.convert(amounts, from: "USD")
        }
        #expect(batch.conversions.map(\.converted) == batchSample.conversions.map(\.converted))
        #expect(batch.conversions.map(\.rate) == batchSample.conversions.map(\.rate))
    }

    @Test("a range with its pages, to the last")
    func clientRange() async throws {
        let sample = try Self.decoded(RangePage.self, "range-full-page-366.json")
        let first = try #require(sample.startDate)
        let last = try #require(sample.endDate)
        let pages = try await Self.asking("range-full-page-366.json") { client in
            var pages: [RangePage] = []
            repeat {
                pages.append(
                    try await client.range(
                        from: first, to: last, base: "USD", symbols: ["EUR", "GBP"],
                        cursor: pages.last?.nextCursor))
            } while pages.last?.hasMore == true && pages.count < 10
            return pages
        }
        #expect(pages.count == 2)
        #expect(pages.first?.rows.map(\.rates) == sample.rows.map(\.rates))
        #expect(pages.first?.rows.map(\.date) == sample.rows.map(\.date))
        #expect(pages.first?.startDate == first && pages.first?.endDate == last)
        #expect(pages.last?.hasMore == false && pages.last?.nextCursor == nil)
        let empty = try await Self.asking("range-empty.json") {
            try await $0.range(
                from: try #require(Day("2026-06-13")), to: try #require(Day("2026-06-14")), base: "USD",
                symbols: ["EUR", "GBP"])
        }
        #expect(empty.rows.isEmpty && !empty.hasMore)
    }

    @Test(
        "the list of currencies in both forms, whole and by kind",
        arguments: ["currencies.json", "currencies-map-variant.json"])
    func clientCurrencies(name: String) async throws {
        let sample = try Self.decoded(CurrencyList.self, name)
        for type in [nil, "fiat"] {
            let answer = try await Self.asking(name) { try await $0.currencies(type: type) }
            #expect(answer.currencies == sample.currencies)
            #expect((answer.cache?.state == .fresh) == (name == "currencies.json") && sample.cache == nil)
        }
    }

    @Test("the account", arguments: ["account.json", "account-exhausted.json"])
    func clientAccount(name: String) async throws {
        let sample = try Self.decoded(Account.self, name)
        let answer = try await Self.asking(name) { try await $0.account() }
        #expect(answer == sample)
    }

    @Test("errors mean to the client what upstream's mean")
    func clientErrors() async throws {
        let held = ["latest-live-open.json"]
        func error(_ ask: @escaping (ExchangeRateClient) async throws -> Void) async throws
            -> ExchangeRateError?
        {
            try await Self.asking("convert-get.json", held: held) { client in
                do {
                    try await ask(client)
                    return nil
                } catch let error as ExchangeRateError {
                    return error
                }
            }
        }
        let base = try await error { _ = try await $0.latest(base: "XXX") }
        #expect(base == .status(422, code: .unsupportedBase))
        let pair = try await error { _ = try await $0.rate(base: "USD", quote: "QQQ") }
        #expect(pair == .status(422, code: .invalidPair))
        let early = try #require(Day("1998-12-31"))
        let day = try await error { _ = try await $0.day(early) }
        #expect(day == .status(404, code: .noDataForDate))
        let kind = try await error { _ = try await $0.currencies(type: "no kind") }
        #expect(kind == .status(400, code: .invalidRequest))
        // Nothing is held of it: the account isn't known, and the client is told when to come back.
        let account = try await error { _ = try await $0.account() }
        #expect(account == .unavailable(wait: .seconds(1), code: .warmingUp))
    }
}
