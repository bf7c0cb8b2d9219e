import EventLoop
import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// From the end of the call to the landing.
@Suite("Refresh: finishing", .timeLimit(.minutes(4)))
struct RefreshFinishingTests {
    private let usd = RefreshBench.usd

    @Test("adopts when it is stored, not before")
    func stored() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let refresher = one.refresher
            let early = Locked<RateSnapshot?>(nil)
            one.store.next(
                .finish,
                ScriptedStore.Turn(after: {
                    let held = await refresher.states[RefreshBench.usd]?.adopted?.snapshot
                    early.withLock { $0 = held }
                }))
            await one.want()
            #expect(early.withLock { $0 } == nil)
            #expect(await one.held() != nil)
            #expect(one.refresher.counters.adoptedOwn.value == 1)
        }
    }

    /// A paused holder comes back after another has stored something newer.
    private func overtaken(
        _ bench: RefreshBench, _ step: ScriptedUpstream.Step
    ) async -> (RefreshInstance, RefreshInstance) {
        let paused = await bench.opened("a")
        let other = await bench.opened("b")
        bench.upstream.next(
            .first(
                {
                    bench.time.advance(by: .seconds(80))
                    other.refresher.wants.add(RefreshBench.usd, .cold)
                    await other.turn()
                }, step))
        await paused.want()
        return (paused, other)
    }

    @Test("adopts what is there where its own came too late (L2)")
    func fenced() async {
        await RefreshBench.with { bench in
            let (paused, other) = await overtaken(bench, .table())
            #expect(bench.upstream.calls == 2)
            #expect(paused.refresher.counters.fenced.value == 1)
            #expect(await paused.held()?.id == other.held()?.id)
            #expect(await paused.held() != nil)
            #expect(await paused.condition() == .idle)
        }
    }

    @Test("counts a limit of a call that came too late")
    func fencedLimit() async {
        await RefreshBench.with { bench in
            let (paused, _) = await overtaken(
                bench, .outcome(.limited(.short, wait: .seconds(50), reason: "rate_limited")))
            #expect(bench.control { $0?.cooldowns[.short] != nil })
            #expect(await paused.condition() == .cooldown(until: bench.time.wall + .seconds(50)))
        }
    }

    @Test("adopts what is there where the store knows later data (P4)")
    func olderInStore() async {
        await RefreshBench.with { bench in
            let one = await bench.warm("a")
            let other = await bench.opened("b")
            await other.turn()
            bench.time.advance(by: .seconds(61))
            // The other's fetch brings data that upstream's next answer, of another server, doesn't have yet.
            bench.upstream.next(.table(dataTime: bench.storeNow))
            await other.want(usd, .stale)
            bench.time.advance(by: .seconds(61))
            one.store.always([.look, .snapshot], .timedOut)
            bench.upstream.next(.table(dataTime: RefreshBench.noon + .seconds(30)))
            // Its own memory is a fetch behind.
            one.store.next(
                .begin, ScriptedStore.Turn(before: { bench.change { $0.shelf.remove(RefreshBench.usd) } }))
            one.store.next(
                .finish,
                ScriptedStore.Turn(before: { await other.refresher.testify() }))
            await one.want(usd, .stale)
            #expect(one.refresher.counters.older.value == 1)
            #expect(await one.held()?.id == other.held()?.id)
            #expect(bench.pace()?.strikes == 0)
        }
    }

    @Test("waits while the control is rebuilt, then is stored")
    func wait() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(
                .first(
                    { bench.change { $0.control?.opensAt = (bench.storeNow + .seconds(2)).value } }, .table())
            )
            await one.begin()
            await one.landed(within: .seconds(3))
            #expect(one.store.finishes.count == 2)
            #expect(await one.held() != nil)
            #expect(await bench.store.snapshotNow(usd)?.id == one.held()?.id)
        }
    }

    @Test("tells what it remembers where the control is lost meanwhile, and is stored in its next life")
    func lost() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.time.advance(by: .seconds(61))
            bench.upstream.next(.first({ bench.flush() }, .table()))
            await one.begin(usd, .stale)
            await one.landed(within: .seconds(5))
            #expect(await bench.store.snapshotNow(usd)?.id == one.held()?.id)
            #expect(bench.upstream.calls == 2)
            #expect(one.refresher.counters.adoptedOwn.value == 2)
        }
    }

    @Test("is stored though the control is lost twice")
    func lostTwice() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.next(
                .finish, ScriptedStore.Turn(before: { bench.flush() }),
                ScriptedStore.Turn(before: { bench.flush() }))
            await one.begin()
            await one.landed(within: .seconds(9))
            #expect(await bench.store.snapshotNow(usd)?.id == one.held()?.id)
            #expect(await one.held() != nil)
        }
    }

    @Test("is told again with the same arguments where the outcome is unknown: stored once (R5)")
    func unknown() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let used = bench.control { $0?.ledger.counted ?? 0 }
            one.store.next(.finish, .replyLost, .timedOut)
            await one.begin()
            await one.landed(within: .seconds(6))
            #expect(one.store.finishes.count == 3)
            #expect(Set(one.store.finishes).count == 1)
            #expect(bench.control { $0?.ledger.counted ?? 0 } == used + 1)
            #expect(one.refresher.counters.adoptedOwn.value == 1)
        }
    }

    @Test("adopts its own answer where the store can't be told before clients give up, and tells it later")
    func givenUp() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.always([.finish], .timedOut)
            await one.begin()
            await one.landed(within: .seconds(5))
            #expect(one.store.finishes.count == 4)
            let own = await one.held()
            #expect(own != nil)
            #expect(one.refresher.counters.adoptedOwn.value == 1)
            #expect(await bench.store.snapshotNow(usd) == nil)
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(await bench.store.snapshotNow(usd)?.id == own?.id)
        }
    }

    @Test("keeps a limit that the store could not be told, and tells it when the store is back (P5)")
    func limitGivenUp() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(600), reason: "rate_limited")))
            one.store.always([.finish], .timedOut)
            await one.begin()
            await one.landed(within: .seconds(8))
            #expect(bench.control { $0?.cooldowns.isEmpty } == true)
            one.store.always([.finish], nil)
            bench.time.advance(by: .seconds(1))
            await one.turn()
            let told = bench.control { $0?.cooldowns[.short]?.end } ?? 0
            #expect(told > bench.storeNow.value + 580_000)
            let other = await bench.opened("b")
            await other.want()
            bench.time.advance(by: .seconds(30))
            await other.turn()
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("keeps a limit that was told to wait and then could not be told (P5)")
    func limitWaits() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(
                .first(
                    { bench.change { $0.control?.opensAt = (bench.storeNow + .seconds(2)).value } },
                    .outcome(.limited(.short, wait: .seconds(600), reason: "rate_limited"))))
            one.store.next(.finish, ScriptedStore.Turn())
            one.store.always([.finish], .timedOut)
            await one.begin()
            await one.landed(within: .seconds(10))
            let rest = await one.memory.runningCooldown(
                at: bench.time.source.now(), key: .anonymous)?.1
            #expect(rest ?? .zero > .seconds(580))
        }
    }

    @Test("keeps a limit whose store was lost and can't be asked any more (P5, R14)")
    func limitLost() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(600), reason: "rate_limited")))
            one.store.next(.finish, ScriptedStore.Turn(before: { bench.flush() }))
            one.store.always([.finish, .restore], .timedOut)
            await one.begin()
            await one.landed(within: .seconds(10))
            // Another instance has made the control anew, without a word of the limit.
            let other = bench.instance("b")
            await other.turn()
            one.store.always([.finish, .restore], nil)
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(bench.control { $0?.cooldowns[.short] != nil })
        }
    }

    @Test("takes its own answer where what it is told instead can't be read")
    func fencedByGarbage() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let there = StoredSnapshot(
                resource: usd, id: SnapshotID(fetchedAt: bench.storeNow, digest: [9, 9, 9, 9]),
                token: FencingToken(Int64.max / 4), fetchedAt: bench.storeNow, dataTime: bench.storeNow,
                source: .live, body: [0], keepFor: .seconds(900))
            one.store.next(.finish, .answer(.fenced(there)))
            await one.want()
            #expect(await one.held() != nil)
            #expect(one.refresher.counters.unreadable.value == 1)
        }
    }

    @Test("counts as its own what the event has brought before the reply")
    func eventFirst() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let refresher = one.refresher
            one.store.next(
                .finish, ScriptedStore.Turn(after: { await refresher.read(RefreshBench.usd) }))
            let landing = await refresher.refresh(usd, force: false, limit: .seconds(5))
            guard case .fetched = landing else {
                Issue.record("not fetched: \(landing)")
                return
            }
            #expect(await one.condition() == .idle)
        }
    }

    @Test("a failure that can't be told backs off by itself, not by another resource's pace")
    func foreignPace() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.table())
            await one.want(RefreshBench.eur)
            bench.time.advance(by: .seconds(2))
            // The last thing told is the other resource's interval: a minute.
            bench.upstream.next(.outcome(.failed(reason: "http_503")))
            one.store.always([.finish], .timedOut)
            await one.begin(usd)
            await one.landed(within: .seconds(6))
            #expect(await one.due() ?? .zero <= .seconds(16))
        }
    }
}

extension InMemoryRateStore {
    func snapshotNow(_ resource: Resource) async -> StoredSnapshot? { try? await snapshot(of: resource) }
}
