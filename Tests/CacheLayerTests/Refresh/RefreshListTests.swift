import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: the list of currencies", .timeLimit(.minutes(4)))
struct RefreshListTests {
    private let usd = RefreshBench.usd
    private let list = Resource.currencies

    private func calls(_ bench: RefreshBench) -> Int {
        bench.upstream.orders.count { $0.resource == .currencies }
    }

    /// An instance that holds the pivot, when the rate limit allows another call.
    private func ready(_ bench: RefreshBench) async -> RefreshInstance {
        let instance = await bench.warm("a")
        bench.time.advance(by: .seconds(2))
        return instance
    }

    @Test("nobody asks for it, so nobody fetches it")
    func unasked() async {
        await RefreshBench.with { bench in
            _ = await bench.running()
            await bench.pass(.seconds(7_200), step: .seconds(60))
            #expect(calls(bench) == 0)
        }
    }

    @Test("three instances whose clients ask all day make one call a day, and all of them have it")
    func onceADay() async {
        await RefreshBench.with { bench in
            var all: [RefreshInstance] = []
            for name in ["a", "b", "c"] { all.append(await bench.running(name)) }
            for hour in 0..<50 {
                for one in all { one.refresher.wants.add(list, hour == 0 ? .cold : .asked) }
                await bench.pass(.seconds(3_600), step: .seconds(60))
            }
            #expect(calls(bench) == 3)
            let ids = Set(await held(all).map { $0?.id.text ?? "none" })
            #expect(ids.count == 1 && !ids.contains("none"))
            let kinds = all.flatMap(\.calls).filter { $0.resource == list }.map(\.callClass)
            #expect(kinds == ["currencies", "currencies", "currencies"])
        }
    }

    private func held(_ all: [RefreshInstance]) async -> [RateSnapshot?] {
        var held: [RateSnapshot?] = []
        for one in all { held.append(await one.held(list)) }
        return held
    }

    @Test("an instance that nobody has asked for it has it with its next look, and keeps it up to date")
    func shared() async {
        await RefreshBench.with { bench in
            let asked = await ready(bench)
            let other = await bench.opened("b")
            await asked.want(list)
            #expect(await other.held(list) == nil)
            bench.time.advance(by: .seconds(2))
            await other.turn()
            let first = await other.held(list)
            let own = await asked.held(list)
            #expect(first?.list != nil && first?.id == own?.id)
            #expect(other.news.last { $0.resource == list }?.isOwnFetch == false)
            bench.time.advance(by: .seconds(86_400))
            await asked.want(list, .stale)
            bench.time.advance(by: .seconds(2))
            await other.turn()
            #expect(await other.held(list)?.id != first?.id)
            #expect(calls(bench) == 2 && other.calls.isEmpty)
        }
    }

    @Test("it goes behind a latest table that is due, also where a client waits for it")
    func behindLatest() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.after(.milliseconds(300), .table()))
            for resource in [list, usd] { one.refresher.wants.add(resource, .cold) }
            bench.run(one)
            await bench.pass(.seconds(3))
            #expect(bench.upstream.orders.map(\.resource) == [usd, list])
            #expect(bench.upstream.mostOpen == 1)
            // What the rate limit holds back is asked for again.
            #expect(one.store.begins.first?.resource == usd)
        }
    }

    @Test("it isn't asked for in the moment before a latest table is due, and goes before years")
    func beforeLatest() async {
        let plan = QuotaPlan(monthly: 1_000_000, perMinute: 12)
        await RefreshBench.with(plan: plan) { bench in
            let one = await bench.running()
            await bench.pass(.seconds(57))
            one.refresher.wants.add(usd, .stale)
            one.refresher.wants.add(.year(base: YearSample.usd, year: 2015), .cold)
            one.refresher.wants.add(list, .cold)
            await bench.pass(.seconds(30))
            #expect(
                bench.upstream.orders.map(\.resource)
                    == [usd, usd, list, .year(base: YearSample.usd, year: 2015)])
        }
    }

    @Test("what is fetched after it is rounded by its decimals: tables and years, by whoever fetches them")
    func minorUnits() async {
        await RefreshBench.with { bench in
            let asked = await ready(bench)
            bench.upstream.next(.list(["EUR": 2, "XAU": 4, "GBP": 3]))
            await asked.want(list)
            let other = await bench.running("b")
            bench.time.advance(by: .seconds(120))
            other.refresher.wants.add(usd, .stale)
            other.refresher.wants.add(.year(base: YearSample.usd, year: 2015), .cold)
            await bench.pass(.seconds(30))
            let orders = bench.upstream.orders.drop { $0.resource != list }.dropFirst()
            #expect(orders.contains { $0.resource.isYear } && orders.contains { $0.resource == usd })
            for order in orders {
                #expect(order.minorUnits == [.sample("XAU"): 4, .sample("GBP"): 3], "\(order.resource)")
            }
            #expect(bench.upstream.orders.first?.minorUnits == [:])
        }
    }

    @Test("one that has expired rounds nothing any more, whoever still has it in memory")
    func expired() async {
        await RefreshBench.with { bench in
            let one = await ready(bench)
            bench.upstream.next(.list(["XAU": 4]))
            await one.want(list)
            // 26 hours and 30 days.
            bench.time.advance(by: .seconds(2_685_600 - 1))
            await one.want()
            bench.time.advance(by: .seconds(300))
            await one.want()
            let orders = bench.upstream.orders.filter { $0.resource == usd }
            #expect(orders.suffix(2).map(\.minorUnits) == [[.sample("XAU"): 4], [:]])
            // And it is as good as none: what it begins is no day.
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(60), reason: "rate_limited")))
            bench.time.advance(by: .seconds(11))
            await one.want(list)
            #expect(one.store.begins.last { $0.resource == list }?.leastInterval == .seconds(3_600))
        }
    }

    @Test("a failed fetch is tried again by its back-off, and what is held stays")
    func failing() async {
        await RefreshBench.with { bench in
            let one = await bench.running()
            one.refresher.wants.add(list, .cold)
            await bench.pass(.seconds(2))
            let first = await one.held(list)?.id
            #expect(first != nil)
            bench.time.advance(by: .seconds(86_400))
            bench.upstream.always(.outcome(.failed(reason: "no_currencies")))
            one.refresher.wants.add(list, .stale)
            await bench.pass(.seconds(2))
            let condition = await one.condition(list)
            guard case .failing = condition else {
                Issue.record("\(condition)")
                return
            }
            #expect(await one.held(list)?.id == first)
            bench.upstream.always(nil)
            await bench.pass(.seconds(60))
            #expect(await one.held(list)?.id != first)
        }
    }

    @Test("without the store it isn't fetched, also where calls without it are allowed")
    func storeAway() async {
        await RefreshBench.with { bench in
            let one = await bench.warm("a")
            one.store.isAway(true)
            await one.want(list)
            #expect(calls(bench) == 0)
            let condition = await one.condition(list)
            guard case .storeAway = condition else {
                Issue.record("\(condition)")
                return
            }
        }
    }

    @Test("without the store its clients, and those of years, are told at once, also while the pivot is due")
    func storeAwayWithPivotDue() async {
        await RefreshBench.with { bench in
            let one = await bench.warm("a")
            let years = [2014, 2015].map { Resource.year(base: YearSample.usd, year: $0) }
            bench.run(one)
            one.store.isAway(true)
            await bench.pass(.seconds(61), step: .milliseconds(250))
            one.refresher.wants.add(usd, .stale)
            await bench.pass(.seconds(1))
            for resource in [list] + years { one.refresher.wants.add(resource, .cold) }
            await bench.pass(.milliseconds(200))
            for resource in [list] + years {
                let condition = await one.condition(resource)
                guard case .storeAway = condition else {
                    Issue.record("\(resource): \(condition)")
                    continue
                }
            }
            await bench.pass(.seconds(10))
            let told = one.news.count { $0.resource == list }
            #expect(calls(bench) == 0 && (2...45).contains(told), "\(told)")
            one.store.isAway(false)
            await bench.pass(.seconds(40), step: .milliseconds(250))
            for resource in [list] + years {
                let held = await one.held(resource)
                #expect(held != nil, "\(resource)")
            }
        }
    }

    @Test("a pause that is known to last is told also while the store is away")
    func storeAwayInPause() async {
        await RefreshBench.with { bench in
            let one = await ready(bench)
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(200), reason: "rate_limited")))
            await one.want(list)
            let paused = await one.condition(list)
            guard case .cooldown = paused else {
                Issue.record("\(paused)")
                return
            }
            one.store.isAway(true)
            bench.time.advance(by: .seconds(100))
            await one.want(list)
            #expect(await one.condition(list) == paused)
            bench.time.advance(by: .seconds(101))
            await one.want(list)
            let condition = await one.condition(list)
            guard case .storeAway = condition else {
                Issue.record("\(condition)")
                return
            }
        }
    }

    @Test("an operator drops it with all else, and fetches it again though it isn't due")
    func operators() async {
        await RefreshBench.with { bench in
            let one = await ready(bench)
            await one.want(list)
            #expect(await one.held(list) != nil)
            #expect(await one.refresher.purge())
            #expect(await one.held(list) == nil)
            // The pivot, which was dropped as well, goes first.
            for resource in [usd, list] {
                bench.time.advance(by: .seconds(2))
                await one.want(resource)
            }
            #expect(calls(bench) == 1)
            let condition = await one.condition(list)
            #expect(condition.until.map { $0 <= bench.time.wall + .seconds(3_600) } == true, "\(condition)")
            _ = await one.refresher.refresh(list, force: true, limit: .seconds(5))
            #expect(calls(bench) == 2)
            #expect(await one.held(list) != nil)
            // Unforced it comes within the hour.
            #expect(await one.refresher.purge())
            for _ in 0..<60 {
                bench.time.advance(by: .seconds(61))
                await one.want(list)
            }
            #expect(calls(bench) == 3)
            #expect(await one.held(list) != nil)
        }
    }

    @Test("a store that has lost everything gets it back from who has it, without a call")
    func flushed() async {
        await RefreshBench.with { bench in
            let one = await ready(bench)
            await one.want(list)
            let id = await one.held(list)?.id
            bench.flush()
            bench.time.advance(by: .seconds(2))
            await one.turn()
            let fresh = await bench.opened("b")
            bench.time.advance(by: .seconds(2))
            await fresh.turn()
            let told = await fresh.held(list)?.id
            #expect(told == id && id != nil)
            #expect(calls(bench) == 1)
        }
    }
}
