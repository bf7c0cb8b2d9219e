import Testing

@testable import CacheLayer

@Suite("What each source brings") struct SourceReportTests {
    private let fetched = utc(2026, 9, 15, 14, 32, 11)

    private func reports(_ symbols: [SymbolRate], age: Duration = .zero) -> [SourceReport] {
        SourceReport.all(
            in: SampleSnapshot(fetchedAt: fetched, symbols: symbols).made(), age: age, policy: TierPolicy())
    }

    @Test("each class has its cadence, its symbols, its newest data and its next publication")
    func mixed() throws {
        let all = reports([
            .sample("EUR", .live, at: utc(2026, 9, 15, 14, 31)),
            .sample("GBP", .live, at: utc(2026, 9, 15, 14, 32)),
            .sample("CZK", .ecbDaily, at: utc(2026, 9, 15, 14)),
            .sample("TWD", .fredDaily, at: utc(2026, 9, 11, 16)), .sample("XTS", .unknown("test-feed")),
        ])
        #expect(all.map(\.source.name) == ["live", "test-feed", "ecb_daily", "fred_daily"])
        #expect(all.map(\.interval) == [.seconds(60), .seconds(300), nil, .seconds(86_400)])
        #expect(all.map(\.nextPublication) == [nil, nil, utc(2026, 9, 16, 14), nil])
        #expect(all[0].symbols == [.sample("EUR"), .sample("GBP")])
        #expect(all[0].dataTime.instant == utc(2026, 9, 15, 14, 32))
        #expect(all.allSatisfy { $0.state == .fresh && $0.staleSymbols.isEmpty })
    }

    @Test("a source is late with its newest fix; a currency that the ECB has dropped doesn't speak for it")
    func late() throws {
        let dropped = SymbolRate.sample("BGN", .ecbDaily, at: utc(2026, 9, 10, 14))
        let fix = SymbolRate.sample("CZK", .ecbDaily, at: utc(2026, 9, 15, 14))
        let now = try #require(reports([dropped, fix]).first)
        #expect(now.state == .fresh && now.staleSymbols == [.sample("BGN")])
        let later = reports([dropped, fix], age: utc(2026, 9, 16, 14, 30) - fetched)
        #expect(later.first?.state == .late)
        #expect(later.first?.staleSymbols == [.sample("BGN"), .sample("CZK")])
    }

    @Test("kept values count among the stale ones, not as the source's data")
    func kept() throws {
        let kept = SymbolRate.sample("INR", .live, at: utc(2026, 9, 15, 14, 32), kept: .missing)
        let live = SymbolRate.sample("EUR", .live, at: utc(2026, 9, 15, 14, 31))
        let report = try #require(reports([kept, live]).first)
        #expect(report.dataTime.instant == utc(2026, 9, 15, 14, 31) && report.state == .fresh)
        #expect(report.staleSymbols == [.sample("INR")])
        let alone = try #require(reports([kept]).first)
        #expect(alone.state == .stale && alone.ownReason == .upstreamError)
    }
}
