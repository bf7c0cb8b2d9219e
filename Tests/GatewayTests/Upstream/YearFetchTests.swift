import CacheLayer
import Foundation
import Telemetry
import TestSupport
import Testing

@testable import FXGateway

@Suite("One call for a year", .timeLimit(.minutes(3)))
struct YearFetchTests {
    private static let now = UnixMilliseconds(1_773_151_200_000)
    private static let year = Resource.year(base: .usd, year: 2015)

    private static func body(_ dates: [String], hasMore: Bool = false) -> String {
        let rows = dates.map {
            #"{"date":"\#($0)","rates":{"EUR":0.9},"source":"ecb_daily","is_forward_filled":false}"#
        }
        return
            #"{"result":"success","base":"USD","data":[\#(rows.joined(separator: ","))],"has_more":\#(hasMore)}"#
    }

    /// What a series of calls comes to, each with what the one before brought, and what was asked.
    private func fetch(_ steps: [RawHTTPServerStep]) async throws -> (
        outcomes: [FetchOutcome], targets: [String]
    ) {
        try await RawHTTPServer.run({ _, index in [steps[min(index, steps.count - 1)]] }) { server in
            let fetch = UpstreamFetch(
                transport: try UpstreamTransport(
                    UpstreamAddress("http://127.0.0.1:\(server.port)"), key: nil),
                policy: TierPolicy(), band: nil, time: ManualTime(wall: Self.now).source, logger: .silent,
                counters: UpstreamCounters())
            var outcomes: [FetchOutcome] = []
            var held: YearTable?
            for _ in steps {
                let outcome = await fetch(
                    FetchOrder(
                        resource: Self.year, limit: .seconds(5), held: nil, heldYear: held,
                        listed: [.eur, .jpy, .sample("PLN")], interval: .seconds(60), storeNow: { Self.now },
                        mayStart: { true }))
                if case .answered(let ingested, _) = outcome { held = ingested.year }
                outcomes.append(outcome)
            }
            return (outcomes, server.requests.map(\.line))
        }
    }

    @Test("asks for the listed currencies, those that the year still had, and the whole span, once")
    func target() async throws {
        let (outcomes, targets) = try await fetch([.json(Self.body(["2015-01-02"]))])
        #expect(
            targets == [
                "GET /v1/range?base=USD&symbols=BGN,EUR,HRK,JPY,LTL,PLN,RUB&start_date=2014-12-24&end_date=2015-12-31 HTTP/1.1"
            ])
        guard case .answered(let ingested, _)? = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(ingested.year?.isComplete == true)
    }

    @Test("a smaller page is one call too: the rest is another one's, from the next day on")
    func paging() async throws {
        let (outcomes, targets) = try await fetch([
            .json(Self.body(["2015-01-02", "2015-01-05"], hasMore: true)), .json(Self.body(["2015-01-06"])),
        ])
        #expect(targets.count == 2 && targets[1].contains("start_date=2015-01-06&end_date=2015-12-31"))
        guard case .answered(let ingested, _)? = outcomes.last else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(ingested.year?.isComplete == true && ingested.year?.rows.count == 3)
    }

    @Test("where upstream refuses currencies that it lists no more, they are left out from then on")
    func retired() async throws {
        let (outcomes, targets) = try await fetch([
            .json(
                #"{"result":"error","code":"invalid_request","message":"Unknown symbol"}"#,
                status: "400 Bad Request"),
            .json(Self.body(["2015-01-02"])),
        ])
        guard case .failed? = outcomes.first, case .answered? = outcomes.last else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(targets[0].contains("BGN") && targets[1].contains("symbols=EUR,JPY,PLN&"))
    }

    @Test("any other refusal says nothing of the retired currencies")
    func otherRefusals() async throws {
        for step in [
            RawHTTPServerStep.answer("404 Not Found", body: Array("<html>deploying</html>".utf8)),
            .json(#"{"result":"error","code":"no_data_for_date","message":"none"}"#, status: "404 Not Found"),
            .json(#"{"result":"error","code":"bad_date","message":"no"}"#, status: "400 Bad Request"),
        ] {
            let (_, targets) = try await fetch([step, .json(Self.body(["2015-01-02"]))])
            #expect(targets.count == 2 && targets.allSatisfy { $0.contains("HRK") })
        }
    }

    @Test("a plan without history closes that kind alone, a limit pauses all")
    func refusals() async throws {
        let (outcomes, _) = try await fetch([
            .json(#"{"result":"error","code":"forbidden","message":"plan"}"#, status: "403 Forbidden"),
            .json(
                #"{"result":"error","code":"rate_limited","message":"slow"}"#, status: "429 Too Many Requests"
            ),
        ])
        guard case .forbidden? = outcomes.first, case .limited(.short, _, _)? = outcomes.last
        else {
            Issue.record("\(outcomes)")
            return
        }
    }

    @Test("the retired currencies are those that the bank's own file has and its newest day hasn't")
    func retiredList() throws {
        let lines = try ProjectFiles.text("Sources/CECBRates/ecb-rates.csv").split(separator: "\n")
        let codes = lines[0].split(separator: ",").dropFirst().map(String.init)
        var years: [String: ClosedRange<Int>] = [:]
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let year = try #require(Int(fields[0].prefix(4)))
            for (code, value) in zip(codes, fields.dropFirst()) where !value.isEmpty {
                years[code] =
                    min(years[code]?.lowerBound ?? year, year)...max(years[code]?.upperBound ?? year, year)
            }
        }
        let newest = lines[1].split(separator: ",", omittingEmptySubsequences: false).dropFirst()
        let listed = Set(zip(codes, newest).filter { !$1.isEmpty }.map(\.0))
        for year in 1999...2026 {
            let expected = years.filter { !listed.contains($0.key) && $0.value.contains(year) }.map(\.key)
                .sorted()
            #expect(RetiredCurrencies.quoted(in: year).map(\.code) == expected, "\(year)")
            // New Year's Day carries what was quoted for the last time on the day before.
            let carried = RetiredCurrencies.carried(into: year)
            #expect(
                carried
                    == Set(RetiredCurrencies.quoted(in: year) + RetiredCurrencies.quoted(in: year - 1))
                    .sorted())
        }
    }
}
