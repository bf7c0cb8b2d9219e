import TestSupport
import Testing

@testable import CacheLayer

/// What holder and waiter of one lease see of each other, and of clocks that jump.
@Suite("Refresh: holder and waiter", .timeLimit(.minutes(4)))
struct RefreshRaceTests {
    private static let jumps = [Duration.seconds(-60), .seconds(60)]

    @Test(
        "C117: a lease that is freed between the waiter's refusal and its next thought costs no wait; without the event one look"
    )
    func freedInBetween() async {
        await RefreshBench.with { bench in
            let holder = await bench.warm("a")
            let waiter = await bench.opened("b")
            await waiter.want()
            for round in 0..<200 {
                bench.time.advance(by: .seconds(90))
                await waiter.dropAll()
                bench.upstream.next(.after(.milliseconds(10), .table()))
                await holder.begin()
                await bench.calm()
                let old = await waiter.held()
                // Refused, and before that reaches the waiter the holder has published and is gone.
                waiter.store.next(
                    .begin,
                    ScriptedStore.Turn(after: {
                        bench.time.advance(by: .milliseconds(10))
                        await holder.landed()
                    }))
                await waiter.want()
                let new = await holder.held()
                #expect(new != nil && new?.id != old?.id, "round \(round)")
                #expect(await waiter.held()?.id == old?.id, "round \(round)")
                #expect(await waiter.condition() == .refreshing, "round \(round)")
                let since = bench.time.elapsed
                if round.isMultiple(of: 2) {
                    await waiter.hearAll()
                    #expect(bench.time.elapsed == since)
                } else {
                    await waiter.dropAll()
                    bench.time.advance(by: await waiter.due() ?? .zero)
                    await waiter.turn()
                    #expect(bench.time.elapsed - since <= StoreTimings.look * 1.1)
                }
                #expect(await waiter.held()?.id == new?.id, "round \(round)")
            }
            // The first ones, and one for each round: the waiter never called.
            #expect(bench.upstream.calls == 201)
        }
    }

    @Test("C124: a call ends by the time that has passed, whatever the wall clock does", arguments: jumps)
    func holderCalls(jump: Duration) async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.after(.seconds(100), .table()))
            await one.begin()
            await bench.calm()
            #expect(bench.upstream.calls == 1)
            bench.jumpWallClocks(by: jump)
            let limit = Duration.seconds(10) + WatchedCall.patience
            await bench.pass(limit - .milliseconds(1))
            #expect(one.store.finishes.isEmpty)
            await bench.pass(.milliseconds(1))
            await one.landed()
            #expect(one.store.finishes.map(\.outcome) == [.failed(reason: "cut_off", keepsSlot: true)])
            // Within the lease: nobody else could hold it yet.
            #expect(limit < .seconds(15))
        }
    }

    @Test(
        "C124: a grant is too old by the time that has passed, not by the wall clock",
        arguments: jumps, [(Duration.milliseconds(3_000), 1), (.milliseconds(3_001), 0)])
    func holderStarts(jump: Duration, passed: (age: Duration, calls: Int)) async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.next(
                .begin,
                ScriptedStore.Turn(after: {
                    bench.time.advance(by: passed.age)
                    bench.jumpWallClocks(by: jump)
                }))
            await one.want()
            #expect(bench.upstream.calls == passed.calls)
            if passed.calls == 0 { #expect(one.store.finishes.map(\.outcome) == [.unsent]) }
        }
    }

    @Test("C124: a waiter asks again when it would have, whatever the wall clock does", arguments: jumps)
    func waiterWaits(jump: Duration) async throws {
        try await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.next(.begin, .answer(.busy(.seconds(15))))
            await one.want()
            let due = try #require(await one.due())
            #expect(due > .zero && due < .seconds(2))
            bench.jumpWallClocks(by: jump)
            #expect(await one.due() == due)
            bench.time.advance(by: due - .milliseconds(1))
            await one.turn()
            #expect(one.store.begins.count == 1)
            bench.time.advance(by: .milliseconds(1))
            await one.turn()
            #expect(one.store.begins.count == 2)
            #expect(await one.held() != nil)
        }
    }
}
