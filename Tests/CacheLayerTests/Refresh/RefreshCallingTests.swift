import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// From the grant to the end of the call.
@Suite("Refresh: calling", .timeLimit(.minutes(4)))
struct RefreshCallingTests {
    @Test("calls within what the lease leaves, counted from before it asked")
    func limit() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.next(
                .begin, ScriptedStore.Turn(after: { bench.time.advance(by: .milliseconds(2_900)) }))
            await one.want()
            #expect(bench.upstream.orders.map(\.limit) == [.seconds(10)])
            #expect(
                LeaseTimes(lease: .seconds(15), deadline: .seconds(10)).callLimit(age: .seconds(4))
                    == .seconds(9))
        }
    }

    @Test("doesn't call under a grant that came too late: nothing is spent (L3)")
    func tooOld() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let used = bench.control { $0?.ledger.counted }
            one.store.next(
                .begin, ScriptedStore.Turn(after: { bench.time.advance(by: .milliseconds(3_001)) }))
            await one.want()
            #expect(bench.upstream.calls == 0)
            #expect(one.store.finishes.map(\.outcome) == [.unsent])
            #expect(bench.control { $0?.ledger.counted } == used)
            #expect(one.calls.isEmpty)
            #expect(bench.control { $0?.flights.isEmpty } == true)
            #expect(await one.condition() == .idle)
        }
    }

    @Test("doesn't call where a cooldown was announced meanwhile, and says so")
    func cooldownMeanwhile() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let refresher = one.refresher
            one.store.next(
                .begin, ScriptedStore.Turn(after: { await refresher.hear(.cooldown(.short, .seconds(90))) }))
            await one.want()
            #expect(bench.upstream.calls == 0)
            #expect(one.store.finishes.map(\.outcome) == [.unsent])
            #expect(await one.condition() == .cooldown(until: bench.time.wall + .seconds(90)))
        }
    }

    @Test("doesn't call where the last look at the lease says no")
    func gate() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.first({ bench.time.advance(by: .seconds(4)) }, .table()))
            await one.want()
            let order = bench.upstream.orders.first
            #expect(order?.mayStart() == false)
        }
    }

    @Test("keeps the slot of a call that was cut off: upstream may be at work on it still")
    func cutOff() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.cutOff))
            await one.want()
            #expect(one.store.finishes.map(\.outcome) == [.failed(reason: "cut_off", keepsSlot: true)])
            #expect(bench.control { $0?.flights.count } == 1)
        }
    }

    /// Every way for a call to end after its lease was taken.
    private static let ends: [(name: String, step: ScriptedUpstream.Step)] = [
        ("answered", .table()), ("answered with older data", .outcome(.older)), ("unsent", .outcome(.unsent)),
        ("failed", .outcome(.failed(reason: "not_json"))), ("cut off", .outcome(.cutOff)),
        ("forbidden", .outcome(.forbidden)),
        ("limited", .outcome(.limited(.short, wait: .seconds(1), reason: "rate_limited"))),
        ("key refused", .outcome(.limited(.key, wait: .seconds(3_600), reason: "key_rejected"))),
        ("deaf", .deaf),
    ]

    @Test("however the call ends, the lease is free afterwards, at once or at the end of its slot (L7)")
    func freed() async {
        for (name, step) in Self.ends {
            await RefreshBench.with { bench in
                let one = await bench.opened()
                bench.upstream.next(step)
                await one.begin()
                await one.landed(within: .seconds(14), step: .milliseconds(500))
                #expect(one.store.finishes.count == 1, "\(name)")
                // Whose call upstream may still be at work on, keeps the slot, not the lease.
                let open = bench.control { $0?.flights.count { !$0.isSettled } }
                #expect(open == 0, "\(name)")
                let slots = bench.control { $0?.flights.count }
                #expect(slots == (["cut off", "deaf"].contains(name) ? 1 : 0), "\(name)")
            }
        }
    }

    @Test("ends a call that does not end by itself, and goes on (T3)")
    func hangs() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.deaf)
            await one.begin()
            await one.landed(within: .seconds(14), step: .milliseconds(500))
            #expect(one.store.finishes.first?.outcome == .failed(reason: "cut_off", keepsSlot: true))
            bench.time.advance(by: .seconds(20))
            await one.turn()
            #expect(bench.upstream.calls == 2)
            #expect(await one.held() != nil)
        }
    }

    @Test("an answer whose data time went back is no failure: not due before the interval is over (C068)")
    func older() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let held = await one.held()
            bench.time.advance(by: .seconds(61))
            bench.upstream.next(.outcome(.older))
            await one.want(RefreshBench.usd, .stale)
            #expect(bench.upstream.calls == 2)
            #expect(bench.pace()?.strikes == 0)
            #expect(bench.pace()?.nextAt == (bench.storeNow + .seconds(60)).value)
            #expect(await one.held()?.id == held?.id)
            #expect(one.refresher.counters.upstream.value(.older) == 1)
            #expect(await one.due() == .seconds(60))
        }
    }

    @Test("remembers a limit before the store is told of it (L8)")
    func rememberedFirst() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let refresher = one.refresher
            let before = Locked<Duration?>(nil)
            let time = bench.time
            one.store.next(
                .finish,
                ScriptedStore.Turn(before: {
                    let rest = await refresher.memory.runningCooldown(
                        at: time.source.now(), key: .anonymous)?
                        .1
                    before.withLock { $0 = rest }
                }))
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(77), reason: "rate_limited")))
            await one.want()
            #expect(before.withLock { $0 } == .seconds(77))
            #expect(await one.condition() == .cooldown(until: time.wall + .seconds(77)))
        }
    }

    @Test("is in flight once: who asks meanwhile joins")
    func joined() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.after(.seconds(2), .table()))
            await one.begin()
            for _ in 0..<10 { await one.begin() }
            let refresher = one.refresher
            async let landing = refresher.refresh(RefreshBench.usd, force: true, limit: .seconds(5))
            await one.landed(within: .seconds(3))
            guard case .fetched = await landing else {
                Issue.record("not fetched")
                return
            }
            #expect(bench.upstream.calls == 1)
            #expect(one.store.begins.count == 1)
        }
    }
}
