import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Conversions are rounded by upstream's decimals", .timeLimit(.minutes(3)))
struct MinorUnitTests {
    /// A table that came in while a list with these decimals was held.
    private func table(_ units: [Currency: Int]) -> RateTable {
        let plain = SampleTable.plain("USD", [("HUF", "361.4567"), ("XAU", "0.000241"), ("JPY", "149.985")])
        return RateTable(
            base: plain.base, source: plain.source, marketSession: plain.marketSession, timestamp: nil,
            dataTime: plain.dataTime, symbols: plain.symbols, hasSources: false, hasEffectiveAt: false,
            notice: nil, minorUnits: units)
    }

    private func converted(_ rig: GatewayRig, _ path: String) throws -> String? {
        try JSONTree.parse(rig.ask("/v1/convert/" + path).body)["converted"]?.number
    }

    @Test("by ISO 4217 where no list was held, by upstream's figure where one was")
    func both() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(table([:]))
            #expect(try converted(rig, "USD/HUF/1") == "361.46")
            #expect(try converted(rig, "USD/XAU/1") == "0.000241")
            await rig.hold(table([.sample("HUF"): 0, .sample("XAU"): 4]), token: 2)
            #expect(try converted(rig, "USD/HUF/1") == "361")
            #expect(try converted(rig, "USD/XAU/1") == "0.0002")
            #expect(try converted(rig, "USD/JPY/1") == "150")
            let batch = try rig.ask(
                "/v1/convert", method: "POST", body: #"{"from":"USD","pairs":[["HUF",1],["JPY",1]]}"#)
            let items = try JSONTree.parse(batch.body)["conversions"]?.elements
            #expect(items?.map { $0["converted"]?.number } == ["361", "150"])
        }
    }

    @Test("by those of the day's year where a date is named")
    func date() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let year = SampleYear.table(2026, through: "2026-06-15")
            await rig.hold(
                YearTable(
                    base: year.base, year: year.year, entries: year.entries, isComplete: true,
                    minorUnits: [.jpy: 3]))
            let plain = try converted(rig, "USD/JPY/1")
            #expect(plain == "150")
            let dated = try #require(try converted(rig, "USD/JPY/1?date=2026-06-10"))
            #expect(dated.split(separator: ".").map(\.count) == [3, 3], "\(dated)")
        }
    }

    @Test("an old conversion asked for again is the same to the byte, whatever the list says by now")
    func replay() async throws {
        try await GatewayRig.run { rig in
            let old = SampleTable.snapshot(table([:]))
            try await rig.archive.keep(old)
            await rig.hold(table([:]))
            let before = try rig.ask("/v1/convert/USD/HUF/1?snapshot=\(old.id)")
            try await rig.hold(
                list: #"{"result":"success","currencies":[{"code":"HUF","decimals":0}]}"#, token: 2)
            rig.time.advance(by: .seconds(60))
            await rig.hold(table([.sample("HUF"): 0]), token: 3, fetchedAt: rig.time.wall)
            #expect(try converted(rig, "USD/HUF/1") == "361")
            for pin in ["snapshot=\(old.id)", "as_of=\(old.fetchedAt.rfc3339)"] {
                let after = try rig.ask("/v1/convert/USD/HUF/1?\(pin)")
                #expect(after.status == 200 && after.body == before.body)
                #expect(after.field("etag") == before.field("etag"))
            }
            #expect(before.text.contains("\"converted\":361.46,"))
        }
    }

    @Test("news of the list leaves every rendered conversion as it was")
    func unmoved() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(table([:]))
            let before = try rig.ask("/v1/convert/USD/HUF/1")
            try await rig.hold(
                list: #"{"result":"success","currencies":[{"code":"HUF","decimals":0}]}"#, token: 2)
            let after = try rig.ask("/v1/convert/USD/HUF/1")
            #expect(after.body == before.body && after.field("etag") == before.field("etag"))
        }
    }
}
