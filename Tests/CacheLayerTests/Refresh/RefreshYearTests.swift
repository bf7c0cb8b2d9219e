import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: years of history", .timeLimit(.minutes(4)))
struct RefreshYearTests {
    private let usd = RefreshBench.usd
    private let eur = RefreshBench.eur

    private func year(_ number: Int) -> Resource { .year(base: YearSample.usd, year: number) }

    private func years(_ bench: RefreshBench) -> [Int] {
        bench.upstream.orders.compactMap { if case .year(_, let year) = $0.resource { year } else { nil } }
    }

    @Test("a settled year is one call, whoever asks for it after that, and leaves no pace")
    func settled() async {
        await RefreshBench.with { bench in
            let one = await bench.running()
            one.refresher.wants.add(year(2015), .cold)
            await bench.pass(.seconds(3))
            #expect(await one.held(year(2015))?.year?.isComplete == true)
            #expect(bench.pace(year(2015)) == nil)
            // Also a client whose loop hasn't heard yet that it is here.
            for demand in [Demand.cold, .stale, .asked, .cold] {
                one.refresher.wants.add(year(2015), demand)
                await bench.pass(.seconds(600), step: .seconds(60))
            }
            #expect(years(bench) == [2015])
            // Nor does it lack the fixes of the years after it.
            #expect(await one.refresher.publications[year(2015)] == nil)
        }
    }

    @Test("years in demand don't slow the latest table, however many they are")
    func paceOfLatest() async {
        await RefreshBench.with(plan: QuotaPlan(monthly: 10_000, perMinute: 60)) { bench in
            let one = await bench.opened()
            await one.want()
            let alone = one.store.begins.last?.plan.targetPermille
            for number in 1999..<2025 { one.refresher.wants.add(year(number), .cold) }
            bench.time.advance(by: .seconds(7_200))
            await one.want(usd, .stale)
            #expect(one.store.begins.last { $0.resource == usd }?.plan.targetPermille == alone)
        }
    }

    @Test("each page of a year is a call of its own in the ledger, and the next one follows without a pace")
    func pages() async {
        await RefreshBench.with { bench in
            let one = await bench.running()
            let used = bench.control { $0?.ledger.counted ?? 0 }
            bench.upstream.next(.rows(atMost: 100), .rows(atMost: 100))
            one.refresher.wants.add(year(2015), .cold)
            await bench.pass(.seconds(8))
            #expect(years(bench) == [2015, 2015, 2015])
            #expect(one.store.begins.count { $0.resource == year(2015) } >= 3)
            #expect(bench.control { $0?.ledger.counted ?? 0 } - used == bench.upstream.calls - 1)
            let held = await one.held(year(2015))?.year
            #expect(held?.isComplete == true && held?.rows == YearSample.full(2015).rows)
        }
    }

    @Test("another instance goes on with the pages where the first one ended")
    func pagesOfTwo() async {
        await RefreshBench.with { bench in
            let first = await bench.running()
            bench.upstream.next(.rows(atMost: 100), .outcome(.failed(reason: "http_500")))
            first.refresher.wants.add(year(2015), .cold)
            await bench.pass(.milliseconds(1_500))
            await first.refresher.stop()
            let second = await bench.running("b")
            second.refresher.wants.add(year(2015), .cold)
            await bench.pass(.seconds(10))
            #expect(await second.held(year(2015))?.year?.rows == YearSample.full(2015).rows)
            let asked = bench.upstream.orders.last { $0.resource == year(2015) }
            #expect(asked?.heldYear?.rows.count == 100)
        }
    }

    @Test("nothing is asked for before the pivot has named the currencies, and then these are")
    func pivotFirst() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.failed(reason: "http_500")))
            bench.run(one)
            one.refresher.wants.add(year(2015), .cold)
            await bench.pass(.seconds(8))
            #expect(bench.upstream.orders.map(\.resource) == [usd, usd, year(2015)])
            #expect(
                bench.upstream.orders.last?.listed == [.sample("GBP"), .sample("JPY")])
        }
    }

    @Test("many years go one after the other, as they were asked for, also when their clients have left")
    func queue() async {
        await RefreshBench.with { bench in
            let one = await bench.running()
            bench.upstream.always(.after(.milliseconds(200), .rows(atMost: 366)))
            for number in [2020, 2003, 2011] {
                one.refresher.wants.add(year(number), .cold)
                await bench.pass(.milliseconds(100))
            }
            await bench.pass(.seconds(6))
            #expect(years(bench) == [2020, 2003, 2011])
            #expect(bench.upstream.mostOpen == 1)
        }
    }

    @Test("a row of years asks the store for one at a time, and tells the others when their turn comes")
    func turns() async {
        let plan = QuotaPlan(monthly: 1_000_000, perMinute: 12)
        await RefreshBench.with(plan: plan) { bench in
            let one = await bench.running()
            await bench.pass(.seconds(6))
            let asked = one.store.begins.count
            for number in 2001...2005 { one.refresher.wants.add(year(number), .cold) }
            await bench.pass(.seconds(1))
            // The first one goes, the second one is told that it is too early for any.
            #expect(one.store.begins.count - asked <= 2)
            guard case .queued(let until) = await one.condition(year(2005)) else {
                Issue.record("\(await one.condition(year(2005)))")
                return
            }
            // Four are before it, five seconds apart.
            #expect((.seconds(15)...(.seconds(25))).contains(until - bench.time.wall))
            await bench.pass(.seconds(40))
            #expect(years(bench) == [2001, 2002, 2003, 2004, 2005])
            #expect(one.store.begins.count(where: \.resource.isYear) <= 12)
        }
    }

    @Test("a latest table that is due, or about to be, goes first: history never makes it late")
    func liveFirst() async {
        let plan = QuotaPlan(monthly: 1_000_000, perMinute: 12)
        await RefreshBench.with(plan: plan) { bench in
            // With all the jitter that there is: years that clients wait for have none.
            let one = await bench.running(random: { $0 - 1 })
            let other = await bench.running("b", random: { $0 - 1 })
            for instance in [one, other] {
                for number in 1999...2025 { instance.refresher.wants.add(year(number), .cold) }
            }
            var latest: [Duration] = []
            for _ in 0..<300 {
                one.refresher.wants.add(usd, .asked)
                await bench.pass(.seconds(1), step: .milliseconds(250))
                if let held = await one.state().adopted {
                    latest.append(held.age(at: bench.time.source.now()))
                }
            }
            // A minute's interval, a call's time and a twentieth's jitter: within the lifetime of 70 s.
            #expect(latest.max() ?? .zero < .seconds(70))
            #expect(Set(years(bench)).count == 27 && years(bench).count == 27)
        }
    }

    @Test("a year that the fleet has is read from the store and costs no call")
    func shared() async {
        await RefreshBench.with { bench in
            let first = await bench.running()
            first.refresher.wants.add(year(2015), .cold)
            await bench.pass(.seconds(3))
            let second = await bench.running("b")
            second.refresher.wants.add(year(2015), .cold)
            await bench.pass(.seconds(3))
            #expect(second.logged("can't be read") == 0)
            #expect(await second.held(year(2015))?.id == first.held(year(2015))?.id)
            #expect(years(bench) == [2015])
        }
    }

    @Test("memory holds as many years as fit, the least recently used go, and come back without a call")
    func room() async {
        await RefreshBench.with { bench in
            let one = await bench.running(yearBytes: 60_000)
            for number in [2001, 2002, 2003, 2004, 2005, 2006] {
                one.refresher.wants.add(year(number), .cold)
                await bench.pass(.seconds(3))
                one.refresher.wants.add(year(2001), .asked)
                await bench.pass(.seconds(2))
            }
            var held: [Int] = []
            for number in 2001...2006 where await one.held(year(number)) != nil { held.append(number) }
            #expect(held.contains(2001) && held.contains(2006) && held.count < 6)
            #expect(
                one.news.contains {
                    $0.resource.isYear && $0.view.adopted == nil && $0.resource == year(2002)
                })
            let calls = bench.upstream.calls
            one.refresher.wants.add(year(2002), .cold)
            await bench.pass(.seconds(2))
            #expect(await one.held(year(2002)) != nil)
            #expect(years(bench).count == 6 && bench.upstream.calls - calls <= 1)
        }
    }

    @Test("this year is fetched again at the next publication, and not before")
    func thisYear() async {
        // A Tuesday noon: 10 March 2026, the fix comes at 15:00 UTC.
        await RefreshBench.with { bench in
            let one = await bench.running()
            one.refresher.wants.add(year(2026), .cold)
            await bench.pass(.seconds(3))
            #expect(years(bench) == [2026])
            for _ in 0..<17 {
                await bench.pass(.seconds(600), step: .seconds(20))
                one.refresher.wants.add(year(2026), .asked)
            }
            #expect(years(bench) == [2026])
            await bench.pass(.seconds(1_200), step: .seconds(20))
            #expect(years(bench) == [2026, 2026])
        }
    }

    @Test("a year that its own pace holds back doesn't keep the others back")
    func ownPace() async {
        await RefreshBench.with { bench in
            let one = await bench.running()
            one.store.next(.begin, .answer(.paced(.seconds(600))))
            one.refresher.wants.add(year(2015), .cold)
            await bench.pass(.seconds(2))
            one.refresher.wants.add(year(2016), .cold)
            await bench.pass(.seconds(4))
            #expect(years(bench) == [2016])
        }
    }

    @Test("a failed year doesn't keep the others back")
    func failing() async {
        await RefreshBench.with { bench in
            let one = await bench.running()
            bench.upstream.next(.outcome(.failed(reason: "http_500")), .outcome(.failed(reason: "http_500")))
            one.refresher.wants.add(year(2001), .cold)
            await bench.pass(.milliseconds(1_200))
            one.refresher.wants.add(year(2002), .cold)
            await bench.pass(.seconds(12))
            #expect(await one.held(year(2002)) != nil)
            #expect(await one.held(year(2001)) != nil)
        }
    }
}
