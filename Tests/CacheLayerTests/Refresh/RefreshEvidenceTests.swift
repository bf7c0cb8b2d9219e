import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: evidence, refusals and operators", .timeLimit(.minutes(4)))
struct RefreshEvidenceTests {
    private let usd = RefreshBench.usd
    private let old = KeyMark.anonymous

    // MARK: The account

    @Test("the account is asked for once a day by one instance of the fleet, not at the start")
    func account() async {
        await RefreshBench.with { bench in
            var fleet: [RefreshInstance] = []
            for name in ["a", "b", "c"] { fleet.append(await bench.opened(name, hasAccount: true)) }
            bench.change { $0.control?.ledger.counted = 2 }
            bench.upstream.always(.outcome(.told(UpstreamEvidence(used: 40, limit: 900_000))))
            bench.time.advance(by: .seconds(500))
            for one in fleet { await one.turn() }
            #expect(bench.upstream.calls == 0)
            for _ in 0..<96 {
                bench.time.advance(by: .seconds(1_800))
                for one in fleet { await one.turn() }
            }
            // Two days: at ten minutes, a day later, and the third is not due yet.
            #expect(bench.upstream.orders.map(\.resource) == [.account, .account])
            let reports = fleet.flatMap(\.store.finishes)
            #expect(reports.map(\.callClass) == ["account", "account"])
            #expect(reports.map(\.outcome) == [.answered, .answered])
            #expect(reports.first?.upstreamUsed == 40 && reports.first?.upstreamLimit == 900_000)
            // What was known before, and the call itself, were ours.
            let external = bench.control { $0?.ledger.external }
            #expect(external == 37)
            for one in fleet { #expect(await one.memory.shadow?.external == 37) }
            // Nobody who looks takes it for something that clients want.
        }
    }

    @Test("no account is asked for without a key, nor when nine tenths of the plan are used")
    func noAccount() async {
        await RefreshBench.with { bench in
            let anonymous = await bench.opened("a")
            let keyed = await bench.opened("b", hasAccount: true)
            bench.change { $0.control?.ledger.counted = 900_000 }
            for _ in 0..<60 {
                bench.time.advance(by: .seconds(60))
                await anonymous.turn()
                await keyed.turn()
            }
            #expect(bench.upstream.calls == 0)
            bench.change { $0.control?.ledger.counted = 899_990 }
            bench.upstream.always(.outcome(.failed(reason: "account_unreadable")))
            bench.time.advance(by: .seconds(1))
            await keyed.turn()
            await keyed.turn()
            #expect(bench.upstream.calls == 1)
            // It fails: asked again at a growing distance, and nobody calls the service degraded for it.
            bench.time.advance(by: .seconds(60))
            await keyed.turn()
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("a refused base is left alone for an hour by all, and the others go on (U6)")
    func refusedBase() async {
        await RefreshBench.with { bench in
            let one = await bench.warm("a")
            let other = await bench.opened("b")
            bench.time.advance(by: .seconds(2))
            bench.upstream.next(.outcome(.forbidden))
            await one.want(RefreshBench.eur)
            #expect(
                await one.condition(RefreshBench.eur) == .forbidden(until: bench.time.wall + .seconds(3_600)))
            await other.want(RefreshBench.eur)
            guard case .forbidden = await other.condition(RefreshBench.eur) else {
                Issue.record("\(await other.condition(RefreshBench.eur))")
                return
            }
            #expect(bench.upstream.calls == 2)
            for _ in 0..<59 {
                bench.time.advance(by: .seconds(60))
                for instance in [one, other] {
                    await instance.want(RefreshBench.eur)
                    await instance.want(usd)
                }
            }
            #expect(bench.upstream.orders.count { $0.resource == RefreshBench.eur } == 1)
            #expect(bench.upstream.orders.count { $0.resource == usd } > 30)
            bench.time.advance(by: .seconds(61))
            await one.want(usd)
            bench.time.advance(by: .seconds(2))
            await one.want(RefreshBench.eur)
            #expect(await one.held(RefreshBench.eur) != nil)
            #expect(bench.control { $0?.refusals.isEmpty } == true)
        }
    }

    @Test("C056: 401, then 403 on each call: one call an hour, and stale answers say that the key is refused")
    func keyThenForbidden() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.upstream.next(.outcome(.limited(.key, wait: .seconds(3_600), reason: "key_rejected")))
            bench.upstream.always(.outcome(.denied(.forbidden)))
            for _ in 0..<300 {
                bench.time.advance(by: .seconds(60))
                for resource in [usd, RefreshBench.eur] { await one.want(resource) }
            }
            // The warm one, the 401, and four probes in five hours.
            #expect((6...7).contains(bench.upstream.calls), "\(bench.upstream.calls)")
            #expect(await one.condition().staleReason == .keyRejected)
            #expect(one.refresher.board.status.isKeyRejected)
            #expect(bench.control { $0?.refusals.isEmpty } == true)
            #expect(await one.held() != nil)
            // An operator says that it is good again.
            bench.upstream.always(nil)
            let lifted = await one.refresher.lift([.short, .key])
            #expect(lifted == [.key])
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(!one.refresher.board.status.isKeyRejected)
        }
    }

    @Test(
        "the one call after a pause is a probe in the report, an operator's is forced, others are what they fetch"
    )
    func classes() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(5), reason: "rate_limited")))
            bench.time.advance(by: .seconds(120))
            await one.want()
            bench.time.advance(by: .seconds(70))
            await one.want()
            bench.time.advance(by: .seconds(600))
            await one.want()
            bench.time.advance(by: .seconds(2))
            _ = await one.refresher.refresh(usd, force: true, limit: .seconds(1))
            #expect(one.store.finishes.map(\.callClass) == ["latest", "latest", "probe", "latest", "forced"])
            // Whoever keeps account of calls hears of each as the ledger does, and of its month and interval.
            #expect(one.calls.map(\.callClass) == one.store.finishes.map(\.callClass))
            #expect(one.calls.map(\.interval) == one.store.finishes.map(\.interval))
            let month = await one.memory.shadow?.month
            #expect(one.calls.allSatisfy { $0.month == month && $0.resource == usd })
        }
    }

    @Test(
        "C085: a month that upstream calls used up is asked again by the hour, also when the store can't be told"
    )
    func disputedMonth() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.upstream.next(
                .outcome(.limited(.month, wait: .seconds(20 * 86_400), reason: "quota_exceeded")))
            bench.time.advance(by: .seconds(120))
            one.store.always([.finish], .timedOut)
            await one.begin()
            await one.landed(within: .seconds(60))
            let rest = await one.memory.runningCooldown(
                at: bench.time.source.now(), key: old)?.1
            #expect(rest.map { $0 > .seconds(3_500) && $0 <= .seconds(3_600) } == true)
        }
    }

    // MARK: Operators

    @Test("what an operator drops is gone from all memories, also from one that was away")
    func purge() async {
        await RefreshBench.with { bench in
            let one = await bench.warm("a")
            let other = await bench.opened("b")
            let away = await bench.opened("c")
            for instance in [other, away] {
                await instance.want()
                #expect(await instance.held() != nil)
            }
            away.store.isAway(true)
            let isPurged = await one.refresher.purge()
            #expect(isPurged)
            #expect(await one.held() == nil)
            await other.hearAll()
            #expect(await other.held() == nil)
            #expect(other.news.last?.view.adopted == nil)
            bench.time.advance(by: .seconds(5))
            await away.turn()
            #expect(await away.held() != nil)
            away.store.isAway(false)
            bench.time.advance(by: .seconds(2))
            await away.turn()
            #expect(await away.held() == nil)
            // It has not brought it back, and the next fetch is taken.
            #expect(
                bench.store.state.withLock { $0.memory.shelf.snapshot(of: usd, at: bench.storeNow) } == nil)
            bench.time.advance(by: .seconds(120))
            await one.want()
            #expect(await one.held() != nil)
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("operators are told when the store can't be asked, and a lost control is no reason to fail")
    func operatorsAndTheStore() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            one.store.isAway(true)
            #expect(await one.refresher.lift([.short]) == nil)
            #expect(await one.refresher.purge() == false)
            one.store.isAway(false)
            bench.flush()
            #expect(await one.refresher.lift([.short]) == [])
            bench.flush()
            #expect(await one.refresher.purge())
        }
    }

    @Test("80 and 90 percent of the plan are one line each, once")
    func marks() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            for used in [799_999, 800_000, 800_500, 900_000, 950_000] as [Int64] {
                bench.change { $0.control?.ledger.counted = used }
                bench.time.advance(by: .seconds(2))
                await one.turn()
                let lines = one.logged("the month's calls have passed a mark")
                #expect(lines == (used < 800_000 ? 0 : used < 900_000 ? 1 : 2), "\(used)")
            }
        }
    }
}
