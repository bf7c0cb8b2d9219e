import EventLoop
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: what is told of the next fetch", .timeLimit(.minutes(4)))
struct RefreshOutlookTests {
    private let usd = RefreshBench.usd

    private func outlook(_ one: RefreshInstance, _ resource: Resource = RefreshBench.usd) -> RefreshOutlook {
        one.refresher.board.status.outlooks[resource] ?? .nobodys
    }

    @Test("is the very instant by which the refresher goes, with what decides it")
    func tier() async {
        await RefreshBench.with { bench in
            let one = await bench.opened(random: { $0 / 2 })
            await one.want(usd, .asked)
            await one.turn()
            let calm = outlook(one)
            #expect(calm.asking.cause == .tier && calm.asking.jitter == .milliseconds(1_250))
            #expect(calm.asking.at == bench.time.source.now().advanced(by: .milliseconds(61_250)))
            #expect(calm.failures == 0 && calm.lastDemand == bench.time.source.now())
            let due = await one.due()
            #expect(due == .milliseconds(61_250))
            bench.time.advance(by: .milliseconds(61_249))
            await one.turn()
            #expect(bench.upstream.calls == 1)
            bench.time.advance(by: .milliseconds(1))
            await one.turn()
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("says that nobody asks once an hour has passed without a word")
    func unwanted() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.time.advance(by: .seconds(3_600))
            await one.turn()
            #expect(outlook(one).asking == Asking(at: nil, cause: .unwanted))
            #expect(outlook(one, RefreshBench.eur) == .nobodys)
        }
    }

    @Test("says what holds a due fetch back, and since when clients wait")
    func heldBack() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(90), reason: "rate_limited")))
            await one.want()
            await one.turn()
            let paused = outlook(one)
            #expect(paused.asking.cause == .heldBack)
            #expect(paused.asking.at == bench.time.source.now().advanced(by: .seconds(90)))
            bench.upstream.next(.after(.seconds(2), .table()))
            bench.time.advance(by: .seconds(91))
            await one.begin()
            await bench.calm()
            await one.refresher.step()
            #expect(outlook(one).asking.cause == .awaited)
            await one.landed(within: .seconds(3))
            await one.refresher.step()
            #expect(outlook(one).asking.cause == .tier)
        }
    }

    @Test("carries the fleet's failures in a row and its next instant, whoever failed")
    func failures() async {
        await RefreshBench.with { bench in
            let (one, two) = (await bench.opened("a"), await bench.opened("b"))
            bench.upstream.always(.outcome(.failed(reason: "x")))
            for round in 1...3 as ClosedRange<Int64> {
                await one.want()
                bench.time.advance(by: .seconds(40))
                await two.want()
                bench.time.advance(by: .seconds(2))
                for instance in [one, two] { await instance.turn() }
                let pace = bench.control { $0?.paces[usd] }
                #expect(outlook(one).failures == pace?.strikes && outlook(two).failures == pace?.strikes)
                #expect(pace?.strikes ?? 0 > round)
                #expect(outlook(one).allowedAt?.value == pace?.nextAt)
            }
        }
    }

    @Test("C094: twenty tables warmed within a second are never fetched faster than the set rate")
    func crowdOfBases() async {
        let plan = QuotaPlan(monthly: 1_000_000, perMinute: 30)
        await RefreshBench.with(plan: plan) { bench in
            let numbers = Locked(SeededNumbers(seed: 94))
            let one = await bench.opened(random: { bound in
                numbers.withLock { Int64($0.next() % UInt64(max(1, bound))) }
            })
            bench.run(one)
            let codes = (0..<20).map { "B" + String(UnicodeScalar(UInt8(65 + $0))) + "X" }
            let resources = codes.map { Resource.latest(base: .sample($0)) }
            for resource in resources { one.refresher.wants.add(resource, .cold) }
            // The tier's minute, and three rounds of it.
            await bench.pass(.seconds(4 * 65), step: .milliseconds(250))
            let (instants, orders) = (bench.upstream.instants, bench.upstream.orders)
            let rounds = Dictionary(grouping: orders.map(\.resource)) { $0 }
            for resource in resources { #expect(rounds[resource, default: []].count >= 4, "\(resource)") }
            for (earlier, later) in zip(instants, instants.dropFirst()) {
                #expect(later - earlier >= plan.gap, "a peak: \(later - earlier)")
            }
            #expect(bench.upstream.mostOpen == 1)
        }
    }
}
