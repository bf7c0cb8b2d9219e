import Foundation
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Calls while the store is away", .timeLimit(.minutes(3)))
struct OfflineFlightTests {
    /// Asks for the pivot every second, as clients do.
    private func ask(_ instance: StateInstance, _ bench: StateBench, for length: Duration, step: Int64 = 1)
        async
    {
        let end = bench.time.elapsed + length
        while bench.time.elapsed < end {
            bench.time.advance(by: .seconds(step))
            await instance.want(StateBench.usd, .stale)
        }
    }

    @Test("with nought nobody calls (R2, R10)")
    func nought() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 0)
            one.store.isAway(true)
            await ask(one, bench, for: .seconds(7_200), step: 20)
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("with a number it calls after the grace, at the interval, and no more than that in any hour")
    func number() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 3)
            // The interval is over after a minute, the grace three seconds after the first second of the outage.
            await ask(one, bench, for: .seconds(58))
            one.store.isAway(true)
            await ask(one, bench, for: .seconds(3))
            #expect(bench.upstream.calls == 1)
            await ask(one, bench, for: .seconds(1))
            #expect(bench.upstream.calls == 2)
            let first = bench.time.elapsed
            await ask(one, bench, for: .seconds(59))
            #expect(bench.upstream.calls == 2)
            await ask(one, bench, for: .seconds(4))
            #expect(bench.upstream.calls == 3)
            await ask(one, bench, for: first + .seconds(3_599) - bench.time.elapsed)
            #expect(bench.upstream.calls == 4)
            #expect(one.refresher.board.status.offlineRefusal == .hourly)
            await ask(one, bench, for: .seconds(2))
            #expect(bench.upstream.calls == 5)
            await ask(one, bench, for: .seconds(3_590), step: 5)
            #expect(bench.upstream.calls == 7)
            #expect(one.refresher.counters.offlineCalls.value == 6)
            #expect(one.madeCalls.count == 7)
            #expect(await one.freshness() != nil)
        }
    }

    @Test("a denied call is tried again after five seconds at the earliest, as with the store")
    func denied() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 10)
            one.store.isAway(true)
            bench.upstream.always(.outcome(.denied(.forbidden)))
            while bench.upstream.calls < 2, bench.time.elapsed < .seconds(120) {
                await ask(one, bench, for: .seconds(1))
            }
            await ask(one, bench, for: .seconds(4))
            #expect(bench.upstream.calls == 2)
            await ask(one, bench, for: .seconds(2))
            #expect(bench.upstream.calls == 3)
        }
    }

    @Test("calls where the ledger is known from the file only, and not where it was never told")
    func knownFromFile() async throws {
        try await StateBench.with { bench in
            let fresh = await bench.start("x", perHour: 3, isAway: true)
            await ask(fresh, bench, for: .seconds(30))
            #expect(bench.upstream.calls == 0)
            #expect(fresh.refresher.board.status.offlineRefusal == .unknownLedger)
        }
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 3)
            await one.stop()
            bench.time.advance(by: .seconds(120))
            let two = await bench.start(perHour: 3, isAway: true)
            #expect(bench.upstream.calls == 1)
            await ask(two, bench, for: .seconds(5))
            #expect(bench.upstream.calls == 2)
            #expect(await two.freshness() == .fresh)
        }
    }

    @Test("makes no call that it can't count: without a file, or with one that can't be written")
    func uncounted() async throws {
        try await StateBench.with { bench in
            let one = await bench.start(perHour: 3, hasFile: false)
            await bench.pass(.seconds(4), one)
            await one.want()
            one.store.isAway(true)
            await ask(one, bench, for: .seconds(90))
            #expect(bench.upstream.calls == 1)
            #expect(one.refresher.board.status.offlineRefusal == .uncounted)
        }
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 3)
            try FileManager.default.removeItem(at: bench.directory)
            one.store.isAway(true)
            await ask(one, bench, for: .seconds(90))
            #expect(bench.upstream.calls == 1)
            #expect(await one.calls.calls == 0)
            try FileManager.default.createDirectory(at: bench.directory, withIntermediateDirectories: false)
            await ask(one, bench, for: .seconds(6))
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("a store that flaps doesn't multiply the calls: they count by the month")
    func flapping() async throws {
        let plan = QuotaPlan(monthly: 2_000, perMinute: 60)
        try await StateBench.with(plan: plan) { bench in
            let one = await bench.warm(perHour: 1_000)
            // Room for a few calls on top of what the margin takes.
            bench.change { $0.control?.ledger.counted = 1_900 }
            await bench.pass(.seconds(2), one)
            let before = bench.upstream.calls
            for _ in 0..<40 {
                one.store.isAway(true)
                await ask(one, bench, for: .seconds(80), step: 2)
                one.store.isAway(false)
                await bench.pass(.seconds(2), one)
            }
            let calls = bench.upstream.calls - before
            #expect(calls > 0)
            let used = bench.control { $0?.ledger.counted ?? 0 }
            #expect(1_900 + Int64(calls) <= used && used <= 2_000, "\(calls) \(used)")
        }
    }

    @Test("a crash loop stays under the number: what isn't on the disk doesn't leave")
    func crashLoop() async throws {
        try await StateBench.with { bench in
            let first = await bench.warm(perHour: 2)
            await first.stop()
            let start = bench.time.elapsed
            var times: [Duration] = []
            for _ in 0..<120 {
                bench.time.advance(by: .seconds(90))
                let one = await bench.start(perHour: 2, isAway: true)
                let before = bench.upstream.calls
                await ask(one, bench, for: .seconds(5))
                for _ in before..<bench.upstream.calls { times.append(bench.time.elapsed - start) }
                await one.kill()
            }
            #expect(times.count >= 5)
            for time in times {
                // The instants are known to five seconds.
                #expect(times.count { $0 >= time && $0 < time + .seconds(3_595) } <= 2, "\(times)")
            }
        }
    }

    @Test("what was fetched reaches the fleet when the store is back: no new life, and counted once")
    func back() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 5)
            let other = await bench.start("b", hasFile: false)
            await other.want(StateBench.usd, .asked)
            let (birth, used) = bench.control { ($0?.birth, $0?.ledger.counted ?? 0) }
            one.store.isAway(true)
            await ask(one, bench, for: .seconds(130))
            #expect(bench.upstream.calls == 3)
            let held = try #require(await one.held())
            one.store.isAway(false)
            await bench.pass(.seconds(1), one)
            let stored = try await bench.shared.snapshot(of: StateBench.usd)
            #expect(stored?.id == held.id)
            await bench.pass(.seconds(1), other)
            #expect(await other.held()?.id == held.id)
            await bench.pass(.seconds(3), one, other)
            #expect(bench.control { $0?.birth } == birth)
            #expect(bench.control { $0?.ledger.counted } == used + 2)
            #expect(await one.calls.isUntold == false)
            // The next one is the store's, above all of them.
            await ask(one, bench, for: .seconds(60))
            #expect(bench.upstream.calls == 4)
            #expect(await one.held().map { $0.token > held.token } == true)
            await bench.pass(.seconds(1), other)
            #expect(await other.held()?.id == one.held()?.id)
            // Another life of the same file tells the same total under the same name.
            await one.stop()
            let two = await bench.start("c", perHour: 5)
            #expect(await two.calls.calls == 2)
            await bench.pass(.seconds(2), two)
            #expect(bench.control { $0?.ledger.counted } == used + 3)
        }
    }

    @Test("is never granted anything before it has told what it spent")
    func toldFirst() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 5)
            one.store.isAway(true)
            await ask(one, bench, for: .seconds(70))
            #expect(bench.upstream.calls == 2)
            bench.time.advance(by: .seconds(61))
            one.store.isAway(false)
            one.store.always([.look], .noLink)
            let begins = one.store.begins.count
            await one.want(StateBench.usd, .stale)
            #expect(one.store.testimonies.last?.offline?.calls == 1)
            #expect(one.store.begins.count == begins + 1)
            #expect(bench.upstream.calls == 3)
            #expect(await one.calls.isUntold == false)
        }
    }

    @Test("a limit met without the store holds, and the store is told of it")
    func limited() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 50)
            one.store.isAway(true)
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(600), reason: "rate_limited")))
            await ask(one, bench, for: .seconds(600))
            #expect(bench.upstream.calls == 2)
            one.store.isAway(false)
            await bench.pass(.seconds(2), one)
            #expect(bench.control { $0?.cooldowns[.short]?.isRunning(at: bench.wall.value) } == true)
        }
    }

    @Test("failures are further and further apart")
    func backOff() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm(perHour: 50)
            one.store.isAway(true)
            bench.upstream.always(.outcome(.failed(reason: "http_503")))
            await ask(one, bench, for: .seconds(60 + 3 + 70))
            // At once, then 1, 2, 4, 8, 16, 32 s apart.
            #expect((5...8).contains(bench.upstream.calls), "\(bench.upstream.calls)")
            #expect(await one.calls.calls == Int64(bench.upstream.calls - 1))
        }
    }

    @Test("the plan holds: with the ledger nearly full nobody calls")
    func plan() async throws {
        try await StateBench.with(plan: QuotaPlan(monthly: 2_000, perMinute: 60)) { bench in
            let one = await bench.warm(perHour: 50)
            bench.change { $0.control?.ledger.counted = 1_990 }
            await bench.pass(.seconds(2), one)
            one.store.isAway(true)
            await ask(one, bench, for: .seconds(3_000), step: 5)
            #expect(bench.upstream.calls == 1)
            #expect(one.refresher.board.status.offlineRefusal == .plan)
        }
    }
}
