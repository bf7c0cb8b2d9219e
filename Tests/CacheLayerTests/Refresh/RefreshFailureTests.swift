import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: failures", .timeLimit(.minutes(4)))
struct RefreshFailureTests {
    private let usd = RefreshBench.usd

    @Test("back off for one, two, four seconds, up to the interval (U2)")
    func backOff() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.always(.outcome(.failed(reason: "http_503")))
            await one.want()
            var distances: [Double] = []
            var last = bench.time.elapsed
            for _ in 0..<1_300 {
                let calls = bench.upstream.calls
                bench.time.advance(by: .milliseconds(100))
                await one.turn()
                guard bench.upstream.calls > calls else { continue }
                distances.append(Double((bench.time.elapsed - last).milliseconds) / 1_000)
                last = bench.time.elapsed
            }
            #expect(distances.count >= 7)
            for (distance, expected) in zip(distances, [1, 2, 4, 8, 16, 32, 60]) {
                #expect(distance >= Double(expected) && distance <= Double(expected) * 1.05 + 0.2)
            }
            guard case .failing(let until) = await one.condition() else {
                Issue.record("not failing: \(await one.condition())")
                return
            }
            #expect(until > bench.time.wall)
            #expect(one.news.last?.view.condition.staleReason == .upstreamError)
        }
    }

    @Test("a crowd on five instances doesn't try in a row (C125)")
    func crowd() async {
        await RefreshBench.with { bench in
            bench.upstream.always(.after(.milliseconds(100), .outcome(.failed(reason: "http_500"))))
            var fleet: [RefreshInstance] = []
            for name in ["a", "b", "c", "d", "e"] { fleet.append(await bench.opened(name)) }
            for one in fleet { bench.run(one) }
            for _ in 0..<100 {
                for one in fleet { one.refresher.wants.add(usd, .cold) }
                await bench.pass(.milliseconds(100))
            }
            // At 0, 1, 3 and 7 seconds.
            #expect(bench.upstream.calls == 4)
            #expect(bench.upstream.mostOpen == 1)
            for one in fleet { #expect(one.store.begins.count < 60) }
        }
    }

    @Test("are told by the event to those who wait elsewhere")
    func toldByEvent() async {
        await RefreshBench.with { bench in
            let holder = await bench.opened("a")
            let waiting = await bench.opened("b")
            bench.upstream.next(.after(.seconds(1), .outcome(.failed(reason: "http_500"))))
            await holder.begin()
            await bench.calm()
            await waiting.want()
            #expect(await waiting.condition() == .refreshing)
            await waiting.dropAll()
            await holder.landed(within: .seconds(2))
            await waiting.hearAll()
            guard case .failing(let until) = await waiting.condition() else {
                Issue.record("not failing: \(await waiting.condition())")
                return
            }
            #expect(until - bench.time.wall <= .milliseconds(1_050))
            bench.time.advance(by: .milliseconds(1_100))
            await waiting.turn()
            #expect(bench.upstream.calls == 2)
            #expect(await waiting.held() != nil)
        }
    }

    @Test("are learnt of within a look where the event is lost (R17)")
    func toldByNobody() async {
        await RefreshBench.with { bench in
            let holder = await bench.opened("a")
            let waiting = await bench.opened("b")
            bench.upstream.next(.outcome(.failed(reason: "http_500")))
            bench.upstream.next(.table())
            let refresher = waiting.refresher
            holder.store.next(
                .finish,
                ScriptedStore.Turn(before: {
                    refresher.wants.add(RefreshBench.usd, .cold)
                    await waiting.turn()
                }))
            await holder.want()
            #expect(await waiting.condition() == .refreshing)
            for _ in 0..<24 {
                bench.time.advance(by: .milliseconds(100))
                await waiting.turn()
            }
            #expect(bench.upstream.calls == 2)
            #expect(await waiting.held() != nil)
        }
    }

    @Test("a holder that dies is followed by another one when its lease is over (L1)")
    func holderDies() async {
        await RefreshBench.with { bench in
            let dead = await bench.opened("a")
            let waiting = await bench.opened("b")
            dead.store.always([.finish], .refused(.notExecuted(.closed)))
            bench.upstream.next(.deaf)
            await dead.begin()
            await bench.calm()
            await waiting.want()
            #expect(await waiting.condition() == .refreshing)
            for _ in 0..<17 {
                bench.time.advance(by: .seconds(1))
                await waiting.turn()
            }
            #expect(bench.upstream.calls == 2)
            #expect(await waiting.held() != nil)
            #expect(await waiting.condition() == .idle)
        }
    }

    @Test("does not say for ever that a fresh table is being fetched by one who died")
    func refreshingEnds() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            one.store.next(.begin, .answer(.busy(.seconds(15))))
            bench.time.advance(by: .seconds(1))
            let refresher = one.refresher
            let asking = Task {
                await refresher.refresh(RefreshBench.usd, force: true, limit: .milliseconds(40))
            }
            await bench.calm()
            #expect(await one.condition() == .refreshing)
            bench.time.advance(by: .milliseconds(50))
            _ = await asking.value
            for _ in 0..<18 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(await one.condition() == .idle)
            #expect(one.news.last?.view.condition == .idle)
        }
    }
}
