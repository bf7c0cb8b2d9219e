import TestSupport
import Testing

@testable import CacheLayer

/// C087: a month of an instance without Redis that is restarted every hour.
@Suite("State file: a month alone", .timeLimit(.minutes(5)))
struct StateMonthTests {
    /// A month of 31 days, from its first minute on.
    private static let start = Month(containing: StateSamples.noon).start + .seconds(60)

    private func month(plan monthly: Int64, isKilled: @escaping (Int) -> Bool) async throws -> (
        calls: Int, used: Int64
    ) {
        var result = (calls: 0, used: Int64(0))
        try await StateBench.with(at: Self.start, plan: QuotaPlan(monthly: monthly, perMinute: 12)) { bench in
            for hour in 0..<(31 * 24 - 1) {
                let one = await bench.startAlone()
                for _ in 0..<6 {
                    bench.time.advance(by: .seconds(600))
                    await one.want(StateBench.usd, .stale)
                }
                if isKilled(hour) { await one.kill() } else { await one.stop() }
                let faults = one.keeper?.health.failures.filter { $0.count > 0 } ?? []
                #expect(faults.isEmpty, "hour \(hour): \(faults)")
                result = (bench.upstream.calls, await one.shadow?.counted ?? 0)
            }
        }
        return result
    }

    @Test("restarted each hour, killed every other time, it stays within the plan and uses it (C087)")
    func hourly() async throws {
        let (calls, used) = try await month(plan: 1_000) { $0.isMultiple(of: 2) }
        #expect(calls <= 1_000 && Int64(calls) <= used && used <= 1_000, "\(calls) \(used)")
        #expect(calls >= 850, "\(calls)")
    }

    @Test("a restart doesn't begin a new budget, however it ended")
    func exhausted() async throws {
        try await StateBench.with(at: StateSamples.noon, plan: QuotaPlan(monthly: 1_000, perMinute: 12)) {
            bench in
            let one = await bench.startAlone()
            await bench.pass(.seconds(4), one)
            await one.want()
            #expect(bench.upstream.calls == 1)
            let used = try bench.saved().control?.ledger.counted
            #expect(await one.shadow?.counted == used)
            await one.kill()
            // Killed: what the grant wrote before its call is what the next one begins with.
            let two = await bench.startAlone()
            #expect(await two.shadow?.counted == used)
            #expect(await two.held() == nil)
        }
    }

    @Test("a process killed in its call has spent it, holds up nobody, and waits a second")
    func killedInCall() async throws {
        try await StateBench.with(at: StateSamples.noon) { bench in
            let one = await bench.startAlone()
            await bench.pass(.seconds(4), one)
            bench.upstream.next(.deaf)
            one.refresher.wants.add(StateBench.usd, .cold)
            await one.refresher.step()
            #expect(await eventually(within: .seconds(10)) { bench.upstream.calls == 1 })
            let used = try #require(bench.saved().control?.ledger.counted)
            await one.kill()
            let two = await bench.startAlone()
            #expect(await two.shadow?.counted == used)
            await two.want()
            #expect(bench.upstream.calls == 1)
            bench.time.advance(by: .seconds(6))
            await two.want()
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("without a file the blank share applies, as for any stranger")
    func blank() async throws {
        try await StateBench.with(at: StateSamples.noon, plan: QuotaPlan(monthly: 1_000, perMinute: 12)) {
            bench in
            let one = await bench.startAlone()
            #expect(await one.shadow?.assumed == Pace.blankShare(at: bench.wall, plan: 1_000))
        }
    }
}
