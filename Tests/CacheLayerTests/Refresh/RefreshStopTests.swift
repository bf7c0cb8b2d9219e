import EventLoop
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: stopping", .timeLimit(.minutes(4)))
struct RefreshStopTests {
    /// Stops it and moves the clock on until it has stopped.
    private func stop(_ one: RefreshInstance, _ bench: RefreshBench, within limit: Duration) async {
        let isDone = Locked(false)
        let stopping = Task {
            await one.refresher.stop()
            isDone.withLock { $0 = true }
        }
        let end = bench.time.elapsed + limit
        await bench.calm()
        while !isDone.withLock({ $0 }), bench.time.elapsed < end {
            bench.time.advance(by: .milliseconds(50))
            await bench.calm()
        }
        #expect(isDone.withLock { $0 }, "not stopped after \(limit)")
        if isDone.withLock({ $0 }) { await stopping.value }
    }

    @Test("before the call gives everything back (L9)")
    func beforeCall() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let used = bench.control { $0?.ledger.counted }
            let refresher = one.refresher
            let stopping = Locked<Task<Void, Never>?>(nil)
            one.store.next(
                .begin,
                ScriptedStore.Turn(after: {
                    let task = Task { await refresher.stop() }
                    stopping.withLock { $0 = task }
                    await bench.calm()
                }))
            await one.begin()
            await one.landed()
            await stopping.withLock { $0 }?.value
            #expect(bench.upstream.calls == 0)
            #expect(one.store.finishes.map(\.outcome) == [.unsent])
            #expect(bench.control { $0?.ledger.counted } == used)
        }
    }

    @Test("during the call cancels it and frees its slot in under a second (L9)")
    func duringCall() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.after(.seconds(8), .table()))
            await one.begin()
            await bench.calm()
            await stop(one, bench, within: .seconds(1))
            #expect(one.store.finishes.map(\.outcome) == [.handedOver])
            #expect(bench.control { $0?.flights.isEmpty } == true)
        }
    }

    @Test("during a call that doesn't mind frees its slot in under a second all the same")
    func deafCall() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.deaf)
            await one.begin()
            await bench.calm()
            await stop(one, bench, within: .seconds(1))
            #expect(bench.control { $0?.reserved } == 0)
        }
    }

    @Test("doesn't wait for a store that can't be told")
    func whileFinishing() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.always([.finish], .timedOut)
            await one.begin()
            await bench.calm()
            bench.time.advance(by: .milliseconds(400))
            await bench.calm()
            await stop(one, bench, within: .seconds(1))
            #expect(await one.held() != nil)
        }
    }

    @Test("is over in a grace at most while the control is rebuilt again and again")
    func whileRebuilt() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.always([.finish], .answer(.wait(.seconds(3))))
            await one.begin()
            await bench.calm()
            await stop(one, bench, within: .seconds(4))
        }
    }

    @Test("ends an unknown question at once")
    func whileAsking() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.always([.begin], .timedOut)
            await one.begin()
            await bench.calm()
            await stop(one, bench, within: .milliseconds(100))
        }
    }

    @Test("lets nothing begin afterwards, not even for an operator")
    func nothingAfterwards() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            await one.refresher.stop()
            _ = await one.refresher.refresh(RefreshBench.usd, force: true, limit: .seconds(1))
            await one.want()
            #expect(one.store.begins.isEmpty)
            #expect(bench.upstream.calls == 0)
        }
    }

    @Test("winding down, begins only what clients wait for, and sleeps otherwise")
    func windingDown() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.time.advance(by: .seconds(70))
            await one.refresher.startNothing()
            await one.want(RefreshBench.usd, .stale)
            #expect(bench.upstream.calls == 1)
            await bench.time.sleepers(atLeast: 1)
            #expect(one.waits.last ?? .zero >= .milliseconds(500))
            await one.want(RefreshBench.eur, .cold)
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("ends the run")
    func runEnds() async {
        await RefreshBench.with { bench in
            let one = bench.instance()
            let running = Task { await one.refresher.run() }
            await bench.calm()
            await one.refresher.stop()
            await running.value
        }
    }
}
