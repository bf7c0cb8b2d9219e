import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// Two resources and one call at a time.
@Suite("Refresh: slots", .timeLimit(.minutes(4)))
struct RefreshSlotTests {
    private let usd = RefreshBench.usd
    private let eur = RefreshBench.eur

    @Test(
        "who waits for a slot is woken by any finish, on any instance",
        arguments: [
            FetchOutcome.unsent, .failed(reason: "http_500"), .older,
            .limited(.short, wait: .seconds(9), reason: "rate_limited"),
        ])
    func woken(outcome: FetchOutcome) async {
        await woken(.outcome(outcome))
    }

    @Test("who waits for a slot is woken by a publication of the other")
    func wokenByPublication() async { await woken(.table()) }

    private func woken(_ step: ScriptedUpstream.Step) async {
        await RefreshBench.with { bench in
            let holder = await bench.opened("a")
            let waiting = await bench.opened("b")
            bench.upstream.next(.after(.milliseconds(1_500), step))
            await holder.begin(usd)
            await bench.calm()
            await waiting.want(eur)
            #expect(waiting.refresher.counters.begins.value(.slotsTaken) == 1)
            #expect(await waiting.condition(eur) == .refreshing)
            await waiting.dropAll()
            await holder.landed(within: .seconds(2))
            let asked = waiting.store.begins.count
            await waiting.hearAll()
            await waiting.turn()
            #expect(waiting.store.begins.count(where: { $0.resource == eur }) > asked - 1)
            #expect(waiting.store.begins.count > asked)
        }
    }

    @Test("two resources of one instance go one after the other, without a lost lease's length between them")
    func oneInstance() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.always(.after(.milliseconds(300), .table()))
            bench.run(one)
            one.refresher.wants.add(eur, .cold)
            one.refresher.wants.add(usd, .cold)
            await bench.pass(.seconds(3))
            #expect(bench.upstream.orders.map(\.resource) == [usd, eur])
            #expect(bench.upstream.mostOpen == 1)
        }
    }

    @Test("a lost event costs a look, not a lease (R17)")
    func eventLost() async {
        await RefreshBench.with { bench in
            let holder = await bench.opened("a")
            let waiting = await bench.opened("b")
            bench.upstream.next(.after(.milliseconds(500), .table()))
            await holder.begin(usd)
            await bench.calm()
            await waiting.want(eur)
            await holder.landed(within: .seconds(1))
            for _ in 0..<12 {
                bench.time.advance(by: .milliseconds(100))
                await waiting.turn()
            }
            #expect(bench.upstream.orders.map(\.resource) == [usd, eur])
        }
    }

    @Test("the pivot goes before other tables, and these before history")
    func order() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let year = Resource.year(base: .sample("USD"), year: 2020)
            for resource in [year, .currencies, eur, usd] { one.refresher.wants.add(resource, .cold) }
            await one.turn()
            #expect(one.store.begins.prefix(2).map(\.resource) == [usd, eur])
            #expect(bench.upstream.orders.map(\.resource) == [usd])
        }
    }
}
