import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: the store is away", .timeLimit(.minutes(4)))
struct RefreshStoreAwayTests {
    @Test("keeps what it holds, calls nobody, says so once, and comes back by itself (R2, R6, P6)")
    func awayAndBack() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let held = await one.held()
            one.store.isAway(true)
            for _ in 0..<120 {
                bench.time.advance(by: .seconds(1))
                await one.want(RefreshBench.usd, .stale)
            }
            #expect(bench.upstream.calls == 1)
            #expect(await one.held()?.id == held?.id)
            guard case .storeAway = await one.condition() else {
                Issue.record("not away: \(await one.condition())")
                return
            }
            #expect(one.news.last?.view.condition.staleReason == .storeDown)
            #expect(one.logged("can't be asked") == 1)
            #expect(one.refresher.board.status.isStoreReachable == false)
            one.store.isAway(false)
            bench.time.advance(by: .milliseconds(1_100))
            await one.turn()
            #expect(bench.upstream.calls == 2)
            #expect(await one.held()?.id != held?.id)
            #expect(one.logged("the store answers") == 2)
            #expect(one.refresher.board.status.isStoreReachable)
        }
    }

    @Test(
        "one errand that is denied is said once, however often others are answered, and is over with its own answer",
        arguments: [ScriptedStore.Command.begin, .finish, .look])
    func denied(command: ScriptedStore.Command) async {
        for isSure in [true, false] {
            await RefreshBench.with { bench in
                let one = await bench.warm()
                let fault = StoreFault.forbidden(command: "HMGET")
                one.store.always(
                    [command], .refused(isSure ? .notExecuted(fault) : .outcomeUnknown(fault)))
                let begins = one.store.count(.begin)
                for _ in 0..<120 {
                    bench.time.advance(by: .seconds(1))
                    await one.want(RefreshBench.usd, .stale)
                }
                #expect(one.logged("can't be asked") == 1)
                #expect(one.logged("the store answers") == 1)
                #expect(one.logged("HMGET") == 0, "that is told by who knows the server")
                #expect(!one.refresher.board.status.isStoreReachable)
                // Where the right to fetch is denied it is asked for again twice a second at most, and not at once.
                #expect(one.store.count(.begin) - begins <= 240)
                one.store.always([command], nil)
                for _ in 0..<70 {
                    bench.time.advance(by: .seconds(1))
                    await one.want(RefreshBench.usd, .stale)
                }
                #expect(one.refresher.board.status.isStoreReachable)
                #expect(one.logged("the store answers") == 2)
            }
        }
    }

    @Test("a denied read is said once, and is over once there is nothing to read any more")
    func deniedRead() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let other = await bench.opened("b")
            // Nobody asks for it here any more: it is only followed.
            bench.time.advance(by: .seconds(3_601))
            await other.want()
            one.store.always([.snapshot], .refused(.outcomeUnknown(.forbidden(command: nil))))
            for _ in 0..<50 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(one.store.count(.snapshot) >= 40)
            #expect(one.logged("can't be asked") == 1 && one.logged("the store answers") == 1)
            one.store.always([.snapshot], nil)
            for _ in 0..<3 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(await one.held()?.id == other.held()?.id)
            #expect(one.refresher.board.status.isStoreReachable)
        }
    }

    @Test("at the start it is a definite answer (R1)")
    func awayAtStart() async {
        await RefreshBench.with { bench in
            let one = bench.instance()
            one.store.isAway(true)
            bench.run(one)
            await bench.pass(.milliseconds(300))
            #expect(one.refresher.board.status.hasTriedToLoad)
            #expect(bench.upstream.calls == 0)
            one.store.isAway(false)
            await bench.pass(.seconds(6), step: .milliseconds(250))
            #expect(bench.upstream.calls == 1)
            #expect(await one.held() != nil)
        }
    }

    @Test("remembers a cooldown through it (R10)")
    func cooldownKept() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(200), reason: "rate_limited")))
            await one.want()
            one.store.isAway(true)
            bench.time.advance(by: .seconds(100))
            await one.turn()
            let rest = await one.memory.runningCooldown(
                at: bench.time.source.now(), key: .anonymous)?.1
            #expect(rest == .seconds(100))
        }
    }

    @Test("one that takes no writes is away for good, not every second anew (R11, C144)")
    func full() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            one.store.always([.begin, .finish, .restore], .refused(.writesRefused))
            bench.time.advance(by: .seconds(61))
            for _ in 0..<20 {
                bench.time.advance(by: .seconds(1))
                await one.want(RefreshBench.usd, .stale)
            }
            #expect(bench.upstream.calls == 1)
            #expect(one.logged("warning") == 1)
            guard case .storeAway = await one.condition() else {
                Issue.record("not away: \(await one.condition())")
                return
            }
            #expect(one.refresher.board.status.isStoreReachable == false)
            one.store.always([.begin, .finish, .restore], nil)
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(bench.upstream.calls == 2)
            #expect(one.refresher.board.status.isStoreReachable)
        }
    }

    @Test("does not hold up the rest for each thing that it fails to read")
    func slowReads() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let other = await bench.opened("b")
            for code in ["USD", "EUR", "GBP", "CHF", "JPY"] {
                await other.want(.latest(base: .sample(code)))
                bench.time.advance(by: .seconds(1))
                one.refresher.wants.add(.latest(base: .sample(code)), .asked)
            }
            one.store.always([.snapshot, .begin], .timedOut)
            let reads = one.store.count(.snapshot)
            await one.refresher.step()
            #expect(one.store.count(.snapshot) == reads + 1)
            await one.landed(within: .seconds(5))
        }
    }

    @Test("many resources are asked for without a busy loop")
    func manyResources() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.isAway(true)
            for year in 2000..<2030 {
                one.refresher.wants.add(.year(base: .sample("USD"), year: year), .cold)
            }
            bench.run(one)
            let before = one.store.count(.begin)
            await bench.pass(.seconds(10), step: .milliseconds(250))
            // Each at most four times a second.
            #expect(one.store.count(.begin) - before <= 31 * 41)
            #expect(one.waits.allSatisfy { $0 >= .milliseconds(5) })
        }
    }
}
