import Telemetry
import TestSupport
import Testing

@testable import CacheLayer
@testable import FXGateway

@Suite("The page of the sources") struct SourcesPageTests {
    @Test("has each source of a table with cadence, newest data, next publication, state and misses")
    func page() async throws {
        let time = ManualTime(wall: SampleTable.fetchedAt)
        let adopted = Adopted(
            SampleTable.snapshot(SampleTable.usd), storeNow: SampleTable.fetchedAt,
            arrived: time.source.now())
        let resource = Resource.latest(base: .usd)
        let status = RefreshStatus(
            shadow: nil, shadowAge: nil, instances: 3, key: .anonymous, isStoreReachable: true,
            resources: [(resource, ResourceView(adopted: adopted, condition: .idle))], flights: [],
            hasTriedToLoad: true, offlineCalls: 0, offlineLastHour: 0, offlineRefusal: nil,
            missedPublications: [resource: 2])
        let bytes = SourcesPage.body(
            of: status, policy: TierPolicy(), now: time.source.now(), wall: time.wall)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"result":"success","time":"2026-06-16T14:02:03Z","sources":[\
                {"source":"live","resource":"latest:USD","tier":"live","schedule":"every interval",\
                "interval_seconds":60,"data_updated_at":"2026-06-16T14:01:51Z",\
                "next_refresh":"2026-06-16T14:03:03Z","state":"fresh",\
                "symbols":["EUR","GBP","INR","JPY"],"stale_symbols":[]},\
                {"source":"ecb_daily","resource":"latest:USD","tier":"ecb_daily",\
                "schedule":"16:00 Europe/Berlin on TARGET days","data_updated_at":"2026-06-15T14:00:00Z",\
                "next_publication":"2026-06-16T14:00:00Z","next_refresh":"2026-06-16T14:03:03Z",\
                "state":"fresh","missed_publications":2,"symbols":["ISK","RON"],"stale_symbols":[]}]}
                """)
        time.advance(by: .seconds(1_700))
        let later = String(
            decoding: SourcesPage.body(
                of: status, policy: TierPolicy(), now: time.source.now(), wall: time.wall), as: UTF8.self)
        #expect(later.contains(#""state":"late","reason":"refreshing","missed_publications":2"#))
        var text = PrometheusText()
        SourceMetrics.add(of: status, policy: TierPolicy(), now: time.source.now(), to: &text)
        let samples = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        // 14:03:13: fetched at 14:02:03, an interval of 60 s and upstream's 10 s; the fix: 30 minutes after 14:00.
        func line(_ name: String, _ source: String, _ value: String) -> Substring {
            #"fxgateway_source_\#(name){resource="latest:USD",source="\#(source)"} \#(value)"#
        }
        #expect(
            samples == [
                line("fresh_until_timestamp_seconds", "live", "1781618593.000"),
                line("fresh_until_timestamp_seconds", "ecb_daily", "1781620200.000"),
                line("stale_symbols", "live", "4"), line("stale_symbols", "ecb_daily", "2"),
                line("interval_seconds", "live", "60.000"),
            ])
    }

    @Test("is there before anything is held, and takes GET and HEAD")
    func route() async throws {
        #expect(
            String(
                decoding: SourcesPage.body(
                    of: .empty, policy: TierPolicy(), now: .now, wall: SampleTable.fetchedAt), as: UTF8.self)
                == #"{"result":"success","time":"2026-06-16T14:02:03Z","sources":[]}"#)
        try await GatewayRig.run { rig in
            let answer = try rig.ask("/v1/sources")
            #expect(answer.status == 200 && answer.field("cache-control") == "no-store")
            #expect(try rig.ask("/v1/sources", method: "POST").field("allow") == "GET, HEAD, OPTIONS")
        }
    }
}
