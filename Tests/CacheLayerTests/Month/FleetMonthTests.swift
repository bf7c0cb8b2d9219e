import CacheLayer
import TestSupport
import Testing

/// A calendar month of a fleet, with restarts, failovers and a flush; `scripts/month` runs all plans.
///
/// What must hold is checked by the simulation itself: upstream's calls <= ledger <= plan, one call for each interval and one
/// more for each fault, no refusal by upstream, one roll of the ledger, 85 % of what can be used.
@Suite("A month of a fleet", .timeLimit(.minutes(5)))
struct FleetMonthTests {
    private static func settings(seed: UInt64, plan: Int64, bases: String) throws -> MonthSettings {
        MonthSettings(
            seed: seed, plan: plan, liveTTL: .seconds(60), month: try #require(Month(text: "2026-03")),
            bases: bases.split(separator: ",").compactMap { Currency($0) })
    }

    @Test("stays within the plan, uses it, and spreads it over several tables and the whole month (C087)")
    func thousand() async throws {
        var settings = try Self.settings(seed: 1, plan: 1_000, bases: "USD,EUR,GBP")
        // Fewer instances in the everyday run; `scripts/check --all` has ten.
        settings.instances = Samples.areAll ? 10 : 3
        let report = await MonthSimulation.run(settings)
        print("a month of 1,000 calls, seed 1:\n\(MonthReport.head)\n\(report.line)")
        #expect(report.violations.isEmpty, "\(report.violations.map(\.description).joined(separator: "\n"))")
        #expect(report.failovers == 31 && report.flushes == 1)
        #expect(report.stops > 300 && report.kills > 300 && report.lostLeases > (Samples.areAll ? 30 : 10))
        #expect(report.answers > 5_000 * settings.instances)
        // What `fxgateway plan` tells before the month is what its ledger has after it, but for two percent.
        let forecast = PlanForecast(
            plan: QuotaPlan(monthly: 1_000, perMinute: 12), month: try #require(Month(text: "2026-03")),
            tables: [PlanForecast.Cadence](repeating: .every(.seconds(60)), count: 3), asksAccount: false,
            isPaced: true)
        #expect(abs(forecast.calls - report.ledger) * 100 <= report.ledger * 2, "\(forecast.calls)")
        // Both halves of the month get theirs.
        #expect(report.halves.allSatisfy { Int64($0) * 100 >= report.calls * 35 }, "\(report.halves)")
    }

    @Test("is the same again with the same seed, and another one with another")
    func reproducible() async throws {
        func month(_ seed: UInt64) async throws -> MonthReport {
            var settings = try Self.settings(seed: seed, plan: 300, bases: "USD")
            settings.instances = 2
            return await MonthSimulation.run(settings)
        }
        let first = try await month(7)
        #expect(try await month(7) == first)
        #expect(try await month(8) != first)
    }
}
