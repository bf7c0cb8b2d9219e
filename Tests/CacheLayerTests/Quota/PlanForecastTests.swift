import Testing

@testable import CacheLayer

@Suite("A forecast of a month's calls") struct PlanForecastTests {
    private static func forecast(
        _ monthly: Int64, _ tables: [PlanForecast.Cadence], month: String = "2026-03",
        asksAccount: Bool = false, isPaced: Bool = true
    ) throws -> PlanForecast {
        PlanForecast(
            plan: QuotaPlan(monthly: monthly, perMinute: 12), month: try #require(Month(text: month)),
            tables: tables, asksAccount: asksAccount, isPaced: isPaced)
    }

    @Test(
        "counts every interval of the month where the plan is large enough",
        arguments: [("2026-02", 28), ("2028-02", 29), ("2026-04", 30), ("2026-03", 31)])
    func large(month: String, days: Int64) throws {
        let hourly = try Self.forecast(10_000, [.every(.seconds(3_600))], month: month)
        #expect(hourly.calls == days * 24)
        #expect(hourly.spentOn == nil)
        #expect(hourly.intervals == .seconds(3_600)...(.seconds(3_600)))
        let withAccount = try Self.forecast(
            10_000, [.every(.seconds(3_600))], month: month, asksAccount: true)
        #expect(withAccount.calls == days * 25)
    }

    @Test("asks for a fix on TARGET days only, so many times as it takes")
    func fixes() throws {
        // April 2026 has 20 TARGET days: Good Friday is the 3rd, Easter Monday the 6th.
        for polls in [1, 3] as [Int64] {
            #expect(try Self.forecast(10_000, [.fixes(polls: polls)], month: "2026-04").calls == 20 * polls)
        }
    }

    @Test("stretches the intervals so that a small plan lasts, and says when it would be spent without")
    func small() throws {
        let tables = [PlanForecast.Cadence](repeating: .every(.seconds(60)), count: 3)
        let paced = try Self.forecast(10_000, tables)
        #expect(paced.spentOn == nil)
        #expect((9_800...10_000).contains(paced.calls), "\(paced.calls)")
        let intervals = try #require(paced.intervals)
        // Three tables in 846 s on average; at the month's end what was saved before is spent.
        #expect(intervals.lowerBound > .seconds(500) && intervals.upperBound < .seconds(900))
        let unpaced = try Self.forecast(10_000, tables, isPaced: false)
        // Three calls a minute: 3,333 minutes.
        #expect(unpaced.calls == 10_000)
        #expect(unpaced.spentOn == CivilDate(year: 2026, month: 3, day: 3))
    }

    @Test("is spent by the call after the last, not by the last")
    func edge() throws {
        let exact = try Self.forecast(31, [.every(.seconds(86_400))], isPaced: false)
        #expect(exact.calls == 31 && exact.spentOn == nil)
        let short = try Self.forecast(30, [.every(.seconds(86_400))], isPaced: false)
        #expect(short.calls == 30 && short.spentOn == CivilDate(year: 2026, month: 3, day: 31))
    }

    @Test("leaves to a table that needs little what it needs, and the rest to the others")
    func shares() throws {
        let mixed = try Self.forecast(1_000, [.every(.seconds(60)), .every(.seconds(86_400))])
        #expect(mixed.calls > 950)
        let alone = try Self.forecast(1_000, [.every(.seconds(60))])
        let shortest = try #require(alone.intervals).lowerBound
        #expect(try #require(mixed.intervals).lowerBound < shortest + shortest / 10)
    }
}
