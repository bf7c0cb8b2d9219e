import CacheLayer
import Telemetry
import TestSupport
import Testing

@testable import FXGateway

@Suite("One call for the list of currencies", .timeLimit(.minutes(3)))
struct ListFetchTests {
    /// 2026-03-10T14:00:00Z.
    private static let now = UnixMilliseconds(1_773_151_200_000)

    private func fetch(
        _ resource: Resource = .currencies, _ step: RawHTTPServerStep, minorUnits: [Currency: Int] = [:]
    ) async throws -> (outcome: FetchOutcome, counters: UpstreamCounters, target: String) {
        let counters = UpstreamCounters()
        return try await RawHTTPServer.run([step]) { server in
            let fetch = UpstreamFetch(
                transport: try UpstreamTransport(
                    UpstreamAddress("http://127.0.0.1:\(server.port)"), key: Secret("FXKEY-TEST-123")),
                policy: TierPolicy(), band: .standard, time: ManualTime(wall: Self.now).source,
                logger: .silent, counters: counters)
            let outcome = await fetch(
                FetchOrder(
                    resource: resource, limit: .seconds(5), held: nil, minorUnits: minorUnits,
                    interval: .seconds(60), storeNow: { Self.now }, mayStart: { true }))
            return (outcome, counters, server.requests.first?.line ?? "")
        }
    }

    @Test("asks for all kinds at once, and brings the list with the time of its arrival")
    func list() async throws {
        let (outcome, _, target) = try await fetch(.currencies, .json(SampleList.text))
        #expect(target == "GET /v1/currencies HTTP/1.1")
        guard case .answered(let ingested, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(ingested.list?.entries.count == 3 && ingested.table.dataTime.instant == Self.now)
    }

    @Test("what is no list is counted by its reason and is a failure")
    func refused() async throws {
        let (outcome, counters, _) = try await fetch(
            .currencies, .json(#"{"result":"success","currencies":[]}"#))
        guard case .failed("no_currencies", _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(counters.refused.value(.noCurrencies) == 1)
    }

    @Test("a refusal leaves this kind of resource alone, a limit pauses all calls")
    func limits() async throws {
        let (forbidden, _, _) = try await fetch(
            .currencies, .json(#"{"result":"error","code":"forbidden"}"#, status: "403 Forbidden"))
        guard case .forbidden = forbidden else {
            Issue.record("\(forbidden)")
            return
        }
        let (limited, _, _) = try await fetch(
            .currencies, .json(#"{"result":"error","code":"rate_limited"}"#, status: "429 Too Many Requests"))
        guard case .limited(.short, _, _) = limited else {
            Issue.record("\(limited)")
            return
        }
    }

    @Test("the decimals of the list that is held become part of a table and of a year")
    func minorUnits() async throws {
        let units: [Currency: Int] = [.sample("XAU"): 4]
        let table =
            #"{"result":"success","base":"USD","source":"live","data_updated_at":"2026-03-10T13:59:00Z","rates":{"EUR":0.9}}"#
        let rows =
            #"{"result":"success","base":"USD","data":[{"date":"2015-01-02","rates":{"EUR":0.9},"source":"ecb_daily"}],"has_more":false}"#
        for (resource, body) in [
            (Resource.latest(base: .usd), table), (.year(base: .usd, year: 2015), rows),
        ] {
            let (outcome, _, _) = try await fetch(resource, .json(body), minorUnits: units)
            guard case .answered(let ingested, _) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(ingested.table.minorUnits == units)
            #expect(ingested.year.map { $0.minorUnits == units } ?? resource.isLatest)
        }
    }
}
