import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: cooldowns and the month", .timeLimit(.minutes(4)))
struct RefreshCooldownTests {
    private let usd = RefreshBench.usd

    @Test("nobody calls while one runs; then one probes, and its success ends it (P5, C083)")
    func probe() async {
        await RefreshBench.with { bench in
            var fleet: [RefreshInstance] = []
            for name in ["a", "b", "c"] { fleet.append(await bench.opened(name)) }
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(90), reason: "rate_limited")))
            await fleet[0].want()
            for one in fleet { await one.hearAll() }
            for _ in 0..<89 {
                bench.time.advance(by: .seconds(1))
                for one in fleet { await one.want() }
            }
            #expect(bench.upstream.calls == 1)
            for one in fleet {
                #expect(await one.condition() == .cooldown(until: RefreshBench.noon + .seconds(93)))
            }
            bench.upstream.next(.after(.seconds(1), .table()))
            bench.time.advance(by: .seconds(1))
            for one in fleet { await one.begin() }
            for one in fleet { await one.landed(within: .seconds(2)) }
            for one in fleet { await one.hearAll() }
            #expect(bench.upstream.calls == 2)
            #expect(bench.control { $0?.cooldowns.isEmpty } == true)
            for one in fleet {
                bench.time.advance(by: .seconds(1))
                await one.turn()
                #expect(await one.held() != nil)
                #expect(
                    await one.memory.runningCooldown(
                        at: bench.time.source.now(), key: .anonymous) == nil)
            }
        }
    }

    @Test("a probe's success lets the other resources go on at once")
    func afterProbe() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(90), reason: "rate_limited")))
            await one.want()
            await one.want(RefreshBench.eur)
            bench.time.advance(by: .seconds(91))
            bench.upstream.next(.after(.seconds(2), .table()))
            await one.begin()
            await bench.calm()
            await one.begin(RefreshBench.eur)
            guard case .cooldown = await one.condition(RefreshBench.eur) else {
                Issue.record("no pause: \(await one.condition(RefreshBench.eur))")
                return
            }
            await one.landed(within: .seconds(3))
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(await one.held(RefreshBench.eur) != nil)
        }
    }

    @Test("an operator's end of a pause is seen with the next look", arguments: CooldownScope.allCases)
    func lifted(scope: CooldownScope) async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(scope, wait: .seconds(3_600), reason: "x")))
            await one.want()
            bench.time.advance(by: .seconds(100))
            await one.want()
            #expect(bench.upstream.calls == 1)
            bench.change { $0.control?.cooldowns = [:] }
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("a new key ends the old one's refusal, also for a call that left with the old one (U6)")
    func newKey() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let refresher = one.refresher
            bench.upstream.next(.outcome(.limited(.key, wait: .seconds(3_600), reason: "key_rejected")))
            await one.want()
            bench.time.advance(by: .seconds(100))
            bench.upstream.next(
                .first(
                    { await refresher.use(KeyMark(stored: "third")) },
                    .outcome(.limited(.key, wait: .seconds(3_600), reason: "key_rejected"))))
            await refresher.use(.anonymous)
            await one.turn()
            #expect(bench.upstream.calls == 1, "the same key again is no new one")
            await refresher.use(KeyMark(stored: "second"))
            await one.turn()
            #expect(bench.upstream.calls == 2)
            // The second was refused, and the third is in use by now.
            bench.time.advance(by: .seconds(2))
            await one.turn()
            #expect(bench.upstream.calls == 3)
            #expect(await one.held() != nil)
            #expect(one.store.begins.last?.key == KeyMark(stored: "third"))
            #expect(one.store.finishes.map(\.key.text) == ["anonymous", "second", "third"])
            // Those with the old keys are still stopped: one probe an hour.
            #expect(bench.control { $0?.cooldowns[.key]?.keys.map(\.text) } == ["anonymous", "second"])
            let other = await bench.opened("b")
            bench.time.advance(by: .seconds(3_000))
            await other.want()
            #expect(bench.upstream.calls == 3)
        }
    }

    @Test("waiting clients are not kept waiting for the sake of others (Retry-After)")
    func honestWait() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a") { $0 - 1 }
            bench.setCooldown(.short, rest: .seconds(100))
            await one.want(RefreshBench.usd, .stale)
            let spread = await one.due() ?? .zero
            #expect(spread > .seconds(104) && spread < .seconds(105))
            bench.time.advance(by: .seconds(100))
            await one.want()
            #expect(one.store.begins.count == 2)
        }
    }

    @Test("those who wait for the holder learn of its limit by the event, and how long it is")
    func waitersTold() async {
        await RefreshBench.with { bench in
            let holder = await bench.opened("a")
            let waiting = await bench.opened("b")
            bench.upstream.next(
                .after(.seconds(1), .outcome(.limited(.short, wait: .seconds(300), reason: "rate_limited"))))
            await holder.begin()
            await bench.calm()
            await waiting.want()
            await waiting.dropAll()
            await holder.landed(within: .seconds(2))
            await waiting.hearAll()
            await waiting.turn()
            #expect(await waiting.condition() == .cooldown(until: bench.time.wall + .seconds(300)))
        }
    }

    @Test(
        "a forced refresh passes none: it is refused with the pause's end, and costs neither a call nor a strike",
        arguments: CooldownScope.allCases)
    func forced(scope: CooldownScope) async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(scope, wait: .seconds(300), reason: "test")))
            await one.want()
            let end = bench.time.wall + .seconds(300)
            let used = bench.control { $0?.ledger.counted }
            for _ in 0..<7 {
                bench.time.advance(by: .seconds(2))
                let landing = await one.refresher.refresh(usd, force: true, limit: .seconds(1))
                guard case .refused(let condition) = landing else {
                    Issue.record("\(landing)")
                    return
                }
                #expect(condition.until == end && condition.isDefinite)
            }
            #expect(bench.upstream.calls == 1)
            #expect(bench.control { $0?.ledger.counted } == used)
            #expect(bench.control { $0?.cooldowns[scope]?.strikes } == 1)
            // Only an operator's word ends it before its time.
            #expect(await one.refresher.lift([scope]) == [scope])
            bench.time.advance(by: .seconds(2))
            guard case .fetched = await one.refresher.refresh(usd, force: true, limit: .seconds(1)) else {
                Issue.record("not fetched")
                return
            }
        }
    }

    @Test("says which pause it is, where two run")
    func twoScopes() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let end = bench.time.wall + .seconds(50_000)
            bench.upstream.next(
                .first(
                    { bench.setCooldown(.month, rest: .seconds(50_000)) },
                    .outcome(.limited(.short, wait: .seconds(10), reason: "rate_limited"))))
            await one.want()
            #expect(await one.condition() == .quotaSpent(until: end))
        }
    }

    @Test(
        "in the last seconds of a month and the first of the next one nobody calls; then everybody may (C4)")
    func monthEdge() async {
        let end = utc(2026, 3, 31, 23, 59, 0)
        await RefreshBench.with(at: end) { bench in
            let one = await bench.opened()
            bench.time.advance(by: .seconds(52) + .milliseconds(1))
            await one.want()
            #expect(bench.upstream.calls == 0)
            let leave = utc(2026, 4, 1, 0, 0, 5) + .milliseconds(1)
            #expect(await one.condition() == .paced(until: leave))
            for _ in 0..<99 {
                bench.time.advance(by: .milliseconds(100))
                await one.turn()
            }
            #expect(bench.upstream.calls == 0)
            bench.time.advance(by: .milliseconds(101))
            await one.turn()
            #expect(bench.upstream.calls == 1)
            #expect(bench.control { $0?.ledger.month.description } == "2026-04")
        }
    }

    @Test("a spent month begins again with the next one, without a restart (U5)")
    func spent() async {
        let plan = QuotaPlan(monthly: 40, perMinute: 60)
        await RefreshBench.with(at: utc(2026, 3, 31, 23, 0, 0), plan: plan) { bench in
            let one = await bench.opened()
            bench.change { $0.control?.ledger.counted = 40 }
            await one.want()
            guard case .quotaSpent(let until) = await one.condition() else {
                Issue.record("not spent: \(await one.condition())")
                return
            }
            #expect(until == utc(2026, 4, 1, 0, 0, 5))
            for _ in 0..<3_700 / 5 {
                bench.time.advance(by: .seconds(5))
                await one.want()
            }
            #expect(bench.upstream.calls == 1)
            #expect(await one.held().map { $0.fetchedAt > until } == true)
        }
    }
}
