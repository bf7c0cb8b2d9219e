import ExchangeRateClient
import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("A client that changes its base URL", .timeLimit(.minutes(4)))
    struct DropIn {
        /// Daily rates stand still: what both say can be compared.
        private static let options = FleetOptions { options in
            options.upstream.mode = .ecb
            options.gateways = 3
        }

        private static func client(_ base: String) throws -> ExchangeRateClient {
            try ExchangeRateClient(
                baseURL: try #require(URL(string: base)), apiKey: "exr_live_test", deadline: .seconds(25))
        }

        private static func client(_ gateway: GatewayProcess) throws -> ExchangeRateClient {
            try client("http://127.0.0.1:\(gateway.port)")
        }

        private static func expectSame(
            _ answer: some Labelled, _ direct: some Labelled, _ location: SourceLocation = #_sourceLocation
        ) {
            #expect(answer.source == direct.source, sourceLocation: location)
            #expect(answer.sources == direct.sources, sourceLocation: location)
            #expect(answer.effectiveAt == direct.effectiveAt, sourceLocation: location)
            #expect(answer.dataUpdatedAt == direct.dataUpdatedAt, sourceLocation: location)
            #expect(answer.notice == nil || direct.notice != nil, sourceLocation: location)
            #expect(answer.cache != nil && direct.cache == nil, sourceLocation: location)
        }

        @Test("reads of every endpoint what it has read of upstream itself, digit for digit")
        func everyEndpoint() async throws {
            try await FleetTests.run(Self.options) { fleet in
                try #require(await fleet.isWarm())
                let upstream = try Self.client(fleet.simulator.baseURL)
                let gateway = try Self.client(fleet.gateways[1])
                let codes = ["GBP", "JPY", "USD"]

                let latest = try await (upstream.latest(base: "EUR"), gateway.latest(base: "EUR"))
                #expect(latest.1.rates == latest.0.rates && latest.1.base == "EUR")
                Self.expectSame(latest.1, latest.0)
                let rate = try await (
                    upstream.rate(base: "eur", quote: "jpy"), gateway.rate(base: "eur", quote: "jpy")
                )
                #expect(rate.1.rate == rate.0.rate && rate.1.labels.isDerived == rate.0.labels.isDerived)
                Self.expectSame(rate.1, rate.0)

                let day = try #require(Day("2026-06-13"))
                let past = try await (
                    upstream.day(day, base: "EUR", symbols: codes),
                    gateway.day(day, base: "EUR", symbols: codes)
                )
                #expect(past.1.rates == past.0.rates && past.1.date == past.0.date)
                #expect(past.1.isForwardFilled == true && past.0.isForwardFilled == true)
                let first = try #require(Day("2024-06-03"))
                let last = try #require(Day("2026-06-12"))
                func pages(_ client: ExchangeRateClient) async throws -> [RangePage] {
                    var pages: [RangePage] = []
                    repeat {
                        pages.append(
                            try await client.range(
                                from: first, to: last, base: "EUR", symbols: codes,
                                cursor: pages.last?.nextCursor))
                    } while pages.last?.hasMore == true && pages.count < 5
                    return pages
                }
                let ranges = try await (pages(upstream), pages(gateway))
                #expect(ranges.0.count == 2 && ranges.1.map(\.rows) == ranges.0.map(\.rows))

                let amount = try #require(Decimal(string: "19.99"))
                let one = try await (
                    upstream.convert(amount, from: "EUR", to: "JPY"),
                    gateway.convert(amount, from: "EUR", to: "JPY")
                )
                #expect(one.1.converted == one.0.converted && one.1.rate == one.0.rate)
                let amounts = [(to: "USD", amount: amount), (to: "JPY", amount: 7), (to: "GBP", amount: 1)]
                let batch = try await (
                    upstream.convert(amounts, from: "EUR"), gateway.convert(amounts, from: "EUR")
                )
                #expect(batch.1.conversions.map(\.converted) == batch.0.conversions.map(\.converted))

                for type in [nil, "fiat"] {
                    let list = try await (upstream.currencies(type: type), gateway.currencies(type: type))
                    #expect(list.1.currencies == list.0.currencies && list.0.currencies.count > 25)
                    #expect(list.1.cache?.state == .fresh && list.0.cache == nil)
                }
                // Of the account the gateway tells its own ledger.
                let account = try await (upstream.account(), gateway.account())
                #expect(account.1.usage.resetsOn == account.0.usage.resetsOn)
                #expect(account.1.usage.limit == 10_000_000)
            }
        }

        @Test(
            "reads what only a gateway has: states, past snapshots, pages, wishes, its month, and its stream")
        func gatewayAlone() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                try #require(await fleet.isWarm())
                let url = try #require(URL(string: "http://127.0.0.1:\(fleet.gateways[0].port)"))
                let client = try ExchangeRateClient(.gateway(url))

                let latest = try await client.latest(base: "EUR", symbols: ["USD", "GBP"])
                #expect(try latest.fresh().source == .live && latest.cache?.age != nil)
                let again = try await client.latest(base: "EUR", symbols: ["USD", "GBP"])
                #expect(again.cache?.nextRefresh != nil)
                let id = try #require(latest.cache?.snapshot)
                let old = try await client.latest(base: "EUR", symbols: ["USD", "GBP"], at: .snapshot(id))
                #expect(old.rates == latest.rates && old.freshness() == .pinned)
                #expect(try await client.snapshot(id, symbols: ["USD"]).rates["USD"] == latest.rates["USD"])
                let amount = try #require(Decimal(string: "19.99"))
                let down = try await client.convert(
                    amount, from: "EUR", to: "JPY", at: .snapshot(id), rounding: .down)
                #expect(down.rounding == "down" && down.unrounded != nil)

                let day = try #require(Day("2024-06-15"))
                let past = try await client.convert(amount, from: "EUR", to: "USD", on: day)
                #expect(past.date == day && past.isForwardFilled == true)
                let (first, last) = (try #require(Day("2024-06-03")), try #require(Day("2026-06-12")))
                var rows: [RangeRow] = []
                for try await row in client.pages(from: first, to: last, base: "EUR", symbols: ["USD"]).rows {
                    rows.append(row)
                }
                #expect(rows.count > 500 && rows.map(\.date) == rows.map(\.date).sorted())

                await #expect(throws: ExchangeRateError.self) {
                    try await client.wishing(FreshnessWish(sources: [.fredDaily])).rate(
                        base: "EUR", quote: "USD")
                }
                #expect(try await client.quota().quota?.limit == 10_000_000)
                #expect(try await client.status().ready)
                await #expect(throws: ExchangeRateError.status(410, code: .gone)) {
                    try await client.snapshot("01J0F3ZK7Q-7f3a9c2e")
                }

                var ids: [String] = []
                for try await event in try client.stream(base: "EUR", symbols: ["USD"]) {
                    guard case .table(let table) = event else { continue }
                    #expect(table.latest.rates.keys.sorted() == ["USD"])
                    ids.append(table.id)
                    if ids.count == 3 { break }
                }
                #expect(ids == Array(Set(ids)).sorted())
            }
        }

        @Test("P1: many clients of three gateways ask for the currencies: one call, one body, one ledger")
        func currencies() async throws {
            try await FleetTests.run(Self.options) { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                let before = fleet.simulator.log.count { $0.target == "/v1/currencies" }
                #expect(before == 0, "nobody has asked yet")
                let answers = try await withThrowingTaskGroup(of: RawHTTPClient.Answer.self) { group in
                    for number in 0..<30 {
                        let gateway = fleet.gateways[number % 3]
                        let query = number % 2 == 0 ? "" : "?buster=\(number)"
                        group.addTask {
                            try await gateway.ask("GET", "/v1/currencies" + query, within: .seconds(25))
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers.allSatisfy { $0.status == 200 })
                #expect(Set(answers.map(\.text)).count == 1)
                #expect(Set(answers.map { $0.field("etag") }).count == 1)
                #expect(fleet.simulator.log.count { $0.target == "/v1/currencies" } == 1)
                try #require(await fleet.isQuiet())
                try await checks.spend()
                for gateway in fleet.gateways {
                    // What the store has told a second ago at most.
                    let isSame = try await eventually(within: .seconds(5)) {
                        let used = try #require(try fleet.used())
                        return try await gateway.ask("GET", "/v1/account").text.contains(
                            "\"calls_this_month\":\(used),")
                    }
                    #expect(isSame)
                }
                // Without Redis the list goes on, and the ledger isn't known.
                fleet.redis.stop()
                let gateway = fleet.gateways[0]
                let isUnknown = try await eventually(within: .seconds(10)) {
                    try await gateway.ask("GET", "/v1/account").status == 503
                }
                #expect(isUnknown)
                let held = try await gateway.ask("GET", "/v1/currencies")
                #expect(held.status == 200 && held.field("fx-state") == "fresh")
            }
        }
    }
}
