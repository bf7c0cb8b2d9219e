import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: the first fetch", .timeLimit(.minutes(4)))
struct RefreshStartTests {
    private let usd = RefreshBench.usd

    @Test("comes after look, lost, testimony and grace, and is one call")
    func coldStart() async {
        await RefreshBench.with { bench in
            let one = bench.instance()
            await one.want()
            #expect(one.store.count(.look) == 1)
            #expect(one.store.testimonies.count == 1)
            let grace = bench.time.wall + StoreTimings.grace
            #expect(await one.condition() == .warmingUp(until: grace))
            #expect(bench.upstream.calls == 0)
            bench.time.advance(by: StoreTimings.grace - .milliseconds(1))
            await one.turn()
            #expect(bench.upstream.calls == 0)
            bench.time.advance(by: .milliseconds(1))
            await one.turn()
            #expect(bench.upstream.calls == 1)
            #expect(await one.held()?.token == bench.pace().map { FencingToken($0.token) })
            #expect(await one.condition() == .idle)
            #expect(one.news.last?.isOwnFetch == true)
            #expect(one.refresher.board.status.hasTriedToLoad)
            await one.turn()
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("comes at once where the store can't have forgotten anything")
    func noGrace() async {
        await RefreshBench.with { bench in
            let one = bench.instance(grace: .zero)
            await one.want()
            #expect(one.store.testimonies.count == 1)
            #expect(bench.upstream.calls == 1)
            #expect(await one.held() != nil)
        }
    }

    @Test("is one call of three instances, which the others adopt by the event (L10, T1)")
    func threeByEvent() async {
        await RefreshBench.with { bench in
            let fleet = [await bench.opened("a"), await bench.opened("b"), await bench.opened("c")]
            bench.upstream.next(.after(.seconds(1), .table()))
            for one in fleet {
                await one.dropAll()
                await one.begin()
            }
            await fleet[0].landed(within: .seconds(3))
            for one in fleet { await one.hearAll() }
            #expect(bench.upstream.calls == 1)
            for one in fleet {
                #expect(await one.held()?.id == fleet[0].held()?.id)
                #expect(await one.condition() == .idle)
            }
            #expect(fleet.count { $0.refresher.counters.adoptedOwn.value == 1 } == 1)
        }
    }

    @Test("comes at once where the store can't have forgotten anything")
    func withoutGrace() async {
        await RefreshBench.with { bench in
            let one = bench.instance(grace: .zero)
            await one.want()
            #expect(one.store.testimonies.count == 1)
            #expect(bench.upstream.calls == 1)
            #expect(await one.held() != nil)
        }
    }

    @Test("is one call of three instances, which the others adopt within a look where events are lost (R17)")
    func threeByPoll() async {
        await RefreshBench.with { bench in
            let fleet = [await bench.opened("a"), await bench.opened("b"), await bench.opened("c")]
            for one in fleet { await one.want() }
            bench.time.advance(by: .milliseconds(1_100))
            for one in fleet {
                await one.turn()
                #expect(await one.held()?.id == fleet[0].held()?.id)
            }
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("is one call of three instances that run by themselves")
    func threeRunning() async {
        await RefreshBench.with { bench in
            bench.upstream.next(.after(.milliseconds(700), .table()))
            let fleet = ["a", "b", "c"].map { bench.instance($0) }
            for one in fleet { bench.run(one) }
            await bench.pass(.seconds(6), step: .milliseconds(250))
            #expect(bench.upstream.calls == 1)
            for one in fleet { #expect(await one.held() != nil) }
            await bench.pass(.seconds(58), step: .milliseconds(500))
            #expect(bench.upstream.calls == 2)
            #expect(bench.upstream.mostOpen == 1)
        }
    }

    @Test("costs nothing where the store has something fresh")
    func warmStart() async {
        await RefreshBench.with { bench in
            let first = await bench.warm()
            let second = bench.instance("b")
            bench.run(second)
            await bench.pass(.milliseconds(200))
            #expect(await second.held()?.id == first.held()?.id)
            #expect(bench.upstream.calls == 1)
            #expect(second.refresher.board.status.hasTriedToLoad)
        }
    }

    @Test("has the pivot in demand, though nobody has asked")
    func pivotInDemand() async {
        await RefreshBench.with { bench in
            let one = bench.instance()
            bench.run(one)
            await bench.pass(.seconds(4), step: .milliseconds(250))
            #expect(bench.upstream.orders.map(\.resource) == [usd])
        }
    }
}
