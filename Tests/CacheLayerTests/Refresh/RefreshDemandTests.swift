import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: demand", .timeLimit(.minutes(4)))
struct RefreshDemandTests {
    private let usd = RefreshBench.usd

    @Test("ends an hour after the last request, and comes back with the next one at once")
    func hour() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            for _ in 0..<75 {
                bench.time.advance(by: .seconds(60))
                await one.turn()
            }
            let calls = bench.upstream.calls
            #expect((55...60).contains(calls))
            #expect(await one.due() == nil)
            bench.time.advance(by: .seconds(7_200))
            await one.turn()
            #expect(bench.upstream.calls == calls)
            await one.want(usd, .stale)
            #expect(bench.upstream.calls == calls + 1)
        }
    }

    @Test("a fresh use only counts, a stale or cold one rings")
    func bell() async {
        let wants = Wants()
        wants.add(usd, .asked)
        wants.add(usd, .stale)
        wants.add(usd, .asked)
        #expect(wants.take() == [usd: .stale])
        wants.add(usd, .cold)
        wants.add(usd, .stale)
        #expect(wants.take() == [usd: .cold])
        #expect(wants.take().isEmpty)
        var rings = 0
        wants.end()
        for await _ in wants.rings { rings += 1 }
        #expect(rings == 1)
    }

    @Test("of two tables gives each half of the pace, and one that is alone all of it")
    func sharedPace() async {
        await RefreshBench.with(plan: QuotaPlan(monthly: 1_000, perMinute: 60)) { bench in
            let one = await bench.opened()
            await one.want(usd)
            bench.time.advance(by: .seconds(1))
            await one.want(RefreshBench.eur)
            let intervals = bench.upstream.orders.map(\.interval.milliseconds)
            #expect(intervals.count == 2)
            #expect((1_990...2_010).contains((intervals.last ?? 0) * 1_000 / (intervals.first ?? 1)))
            // An hour after its last request the first one leaves all to the other.
            bench.time.advance(by: .seconds(3_600))
            await one.want(RefreshBench.eur, .stale)
            bench.time.advance(by: .seconds(4_000))
            await one.want(RefreshBench.eur, .stale)
            let last = bench.upstream.orders.last?.interval.milliseconds ?? 0
            #expect((990...1_010).contains(last * 1_000 / (intervals.first ?? 1)))
        }
    }

    @Test("is due an interval after the fetch, and a twentieth later at most")
    func jitter() async {
        await RefreshBench.with { bench in
            let early = await bench.opened("a")
            await early.want()
            #expect(await early.due() == .seconds(60))
            let late = await bench.opened("b") { $0 - 1 }
            await late.want()
            let due = await late.due() ?? .zero
            #expect(due > .seconds(60) && due <= .seconds(63))
        }
    }

    @Test("a punctual refresh never shows stale, whatever the jitter (DESIGN 5)")
    func punctual() async {
        let plan = QuotaPlan(monthly: 10_000, perMinute: 60)
        await RefreshBench.with(plan: plan) { bench in
            let one = await bench.opened("a") { $0 - 1 }
            await one.want()
            let held = await one.held()
            let interval = held?.interval ?? .zero
            #expect(interval > .seconds(250))
            let due = await one.due() ?? .zero
            let fresh = held.map { TierPolicy().freshUntil(of: nil, in: $0) - $0.fetchedAt } ?? .zero
            #expect(due + .seconds(5) <= fresh)
        }
    }

    @Test("looks once a second, a tenth more or less, and sleeps in between")
    func alarm() async {
        await RefreshBench.with { bench in
            let one = bench.instance("a") { $0 / 2 }
            bench.run(one)
            await bench.pass(.seconds(5), step: .milliseconds(250))
            let looks = one.store.count(.look)
            let waits = one.waits.count
            await bench.pass(.seconds(30), step: .milliseconds(250))
            #expect((23...34).contains(one.store.count(.look) - looks))
            #expect(one.waits.count - waits < 100)
            #expect(one.waits.allSatisfy { $0 >= .milliseconds(5) })
        }
    }

    @Test("news are told when something changes, and only then")
    func news() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let told = one.news.count
            for _ in 0..<30 {
                bench.time.advance(by: .seconds(1))
                await one.want(usd, .asked)
            }
            #expect(one.news.count == told)
            bench.time.advance(by: .seconds(31))
            await one.turn()
            // Being fetched, and fetched.
            #expect(one.news.count == told + 2)
            #expect(one.news.suffix(2).map(\.view.condition) == [.refreshing, .idle])
        }
    }

    @Test("an operator's refresh passes the interval with force, not without")
    func forced() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.time.advance(by: .seconds(5))
            let landing = await one.refresher.refresh(usd, force: false, limit: .seconds(1))
            guard case .refused(.paced) = landing else {
                Issue.record("not paced: \(landing)")
                return
            }
            #expect(bench.upstream.calls == 1)
            let forced = await one.refresher.refresh(usd, force: true, limit: .seconds(1))
            guard case .fetched = forced else {
                Issue.record("not fetched: \(forced)")
                return
            }
            #expect(bench.upstream.calls == 2)
            #expect(one.store.finishes.last?.callClass == "forced")
        }
    }

    @Test("an operator isn't given what was there before, though its time was estimated too late")
    func notTheOldOne() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            // The grant was long under way, so the store's time is taken for later than it is.
            one.store.next(.begin, ScriptedStore.Turn(before: { bench.time.advance(by: .milliseconds(900)) }))
            await one.want()
            bench.time.advance(by: .milliseconds(100))
            await one.turn()
            one.store.next(.begin, .answer(.paced(.seconds(4))))
            let landing = await one.refresher.refresh(usd, force: true, limit: .seconds(1))
            guard case .refused(.paced) = landing else {
                Issue.record("not refused: \(landing)")
                return
            }
        }
    }

    @Test("an operator waits no longer than he wants to")
    func limit() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.after(.seconds(9), .table()))
            let refresher = one.refresher
            let started = bench.time.elapsed
            let asking = Task { await refresher.refresh(RefreshBench.usd, force: true, limit: .seconds(2)) }
            // The call, its watch and the operator's own limit.
            await bench.time.sleepers(atLeast: 4)
            bench.time.advance(by: .milliseconds(2_100))
            let landing = await asking.value
            guard case .refused(.refreshing) = landing else {
                Issue.record("not refused: \(landing)")
                return
            }
            #expect(bench.time.elapsed - started <= .seconds(3))
            await one.landed(within: .seconds(9))
            #expect(await one.held() != nil)
        }
    }

    @Test("an operator takes another instance's fetch for an answer, without asking in a row")
    func forcedElsewhere() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let other = await bench.opened("b")
            bench.upstream.next(.after(.seconds(2), .table()))
            await other.begin()
            await bench.calm()
            let refresher = one.refresher
            let asking = Task { await refresher.refresh(RefreshBench.usd, force: true, limit: .seconds(5)) }
            await bench.calm()
            await other.landed(within: .seconds(3))
            await one.hearAll()
            for _ in 0..<20 {
                await bench.calm()
                bench.time.advance(by: .milliseconds(50))
            }
            guard case .shared = await asking.value else {
                Issue.record("not shared")
                return
            }
            #expect(bench.upstream.calls == 1)
            #expect(one.store.begins.count <= 5)
        }
    }

    @Test("an operator is given what the event has brought before the store's word of it")
    func forcedAfterEvent() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let other = await bench.opened("b")
            await other.want()
            bench.time.advance(by: .seconds(2))
            let refresher = one.refresher
            one.store.next(.begin, ScriptedStore.Turn(after: { await refresher.read(RefreshBench.usd) }))
            let landing = await refresher.refresh(usd, force: true, limit: .seconds(5))
            guard case .shared(let snapshot) = landing else {
                Issue.record("not shared: \(landing)")
                return
            }
            #expect(await other.held()?.id == snapshot.id)
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("a plan that grows ends waiting for the pace of the smaller one")
    func raisedPlan() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            // Somebody else asks under a plan with two calls left.
            let small = bench.control { ($0?.ledger.counted ?? 0) + 2 }
            try? await bench.store.attend("other", MemberLimits(QuotaPlan(monthly: small, perMinute: 60)))
            await one.want()
            #expect(await one.due() ?? .zero > .seconds(86_400))
            // They have another plan, or are gone: half a minute later the larger plan's pace holds.
            bench.time.advance(by: .seconds(29))
            await one.turn()
            #expect(await one.due() ?? .zero > .seconds(86_400))
            bench.time.advance(by: .seconds(32))
            await one.turn()
            #expect(await one.due() ?? .seconds(61) <= .seconds(60))
            bench.time.advance(by: .seconds(61))
            await one.turn()
            #expect(bench.upstream.calls == 2)
            // That one was fetched at its own pace.
            #expect(await one.due() ?? .zero > .seconds(50))
        }
    }

    @Test("a new month ends waiting for the pace of the old one's last call")
    func newMonth() async {
        await RefreshBench.with(at: utc(2026, 3, 31, 12)) { bench in
            let one = await bench.opened()
            bench.change { $0.control?.ledger.counted = RefreshBench.plenty.monthly - 1 }
            await one.want()
            #expect(await one.due() ?? .zero > .seconds(43_200))
            bench.time.advance(by: utc(2026, 3, 31, 23, 59) - bench.time.wall)
            await one.want(usd, .stale)
            #expect(bench.upstream.calls == 1)
            for _ in 0..<150 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(bench.upstream.calls == 2)
            #expect(bench.upstream.instants[1] >= utc(2026, 4, 1, 0, 0, 5))
        }
    }

    @Test("a daily fix that is paced is not hurried before its time", arguments: [false, true])
    func raisedPlanOfFixes(isPaced: Bool) async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            if isPaced {
                let small = bench.control { ($0?.ledger.counted ?? 0) + 2 }
                try? await bench.store.attend("other", MemberLimits(QuotaPlan(monthly: small, perMinute: 60)))
            }
            // Monday's, of three in the afternoon; it is Tuesday noon.
            bench.upstream.next(.table(.ecbDaily, dataTime: bench.storeNow + .seconds(-75_600)))
            await one.want()
            for _ in 0..<3 {
                bench.time.advance(by: .seconds(3_400))
                await one.want(usd, .asked)
            }
            #expect(bench.upstream.calls == 1)
            #expect(await one.held()?.table.source == .ecbDaily)
        }
    }
}
