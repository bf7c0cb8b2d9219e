import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Refresh: adoption", .timeLimit(.minutes(4)))
struct RefreshAdoptionTests {
    private let usd = RefreshBench.usd

    private func stored(
        _ bench: RefreshBench, token: Int64, dataTime: Duration = .zero, source: Source = .live,
        body: [UInt8]? = nil
    ) -> StoredSnapshot {
        let sample = SampleSnapshot(
            source: source, dataTime: RefreshBench.noon + dataTime, fetchedAt: bench.storeNow,
            symbols: [.sample("GBP", source)])
        let snapshot = RateSnapshot(
            id: SnapshotID(fetchedAt: bench.storeNow, digest: [1, 2, 3, UInt8(truncatingIfNeeded: token)]),
            resource: usd, token: FencingToken(token), fetchedAt: bench.storeNow, interval: .seconds(60),
            table: sample.table)
        let good = SnapshotCodec(policy: TierPolicy()).encode(snapshot)
        guard let body else { return good }
        return StoredSnapshot(
            resource: usd, id: good.id, token: good.token, fetchedAt: good.fetchedAt, dataTime: good.dataTime,
            source: good.source, body: body, keepFor: good.keepFor)
    }

    @Test(
        "takes what is newer by token and doesn't go back in data time within a class (P4)",
        arguments: [
            (Int64(11), Duration.seconds(1), Source.live, true), (11, .zero, .live, true),
            (11, .seconds(-1), .live, false), (10, .seconds(5), .live, false), (9, .seconds(5), .live, false),
            (11, .seconds(-9_000), .ecbDaily, true), (10, .zero, .ecbDaily, false),
        ])
    func ruleFive(token: Int64, dataTime: Duration, source: Source, isTaken: Bool) async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let base = bench.storeNow.value
            _ = await one.refresher.adopt(stored(bench, token: base + 10))
            let before = await one.held()
            let told = one.news.count
            let taken = await one.refresher.adopt(
                stored(bench, token: base + token, dataTime: dataTime, source: source))
            #expect((taken != nil) == isTaken)
            #expect((await one.held()?.id != before?.id) == isTaken)
            #expect(one.news.count == told + (isTaken ? 1 : 0))
            #expect(await one.memory.floor == FencingToken(base + max(10, isTaken ? token : 0)))
        }
    }

    @Test("takes the same thing once, by whatever way it comes")
    func once() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let other = await bench.opened("b")
            await other.want()
            await one.want()
            await one.hearAll()
            let held = await one.held()
            #expect(held != nil)
            let reads = one.store.count(.snapshot)
            await one.refresher.hear(
                .published(usd, held?.id ?? stored(bench, token: 1).id, held?.token ?? .none))
            #expect(one.store.count(.snapshot) == reads)
            #expect(one.refresher.counters.adoptedShared.value == 1)
        }
    }

    @Test("events may come twice, late and for strangers")
    func oddEvents() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let held = await one.held()
            let told = one.news.count
            let id = stored(bench, token: 1).id
            await one.refresher.hear(.published(usd, id, FencingToken(1)))
            await one.refresher.hear(.published(.year(base: .sample("USD"), year: 1999), id, FencingToken(1)))
            await one.refresher.hear(.failed(.year(base: .sample("USD"), year: 1999), next: bench.storeNow))
            await one.refresher.hear(.purged)
            await one.refresher.hear(.linkDown)
            #expect(await one.held()?.id == held?.id)
            #expect(one.news.count == told)
            #expect(await one.refresher.states.count == 1)
        }
    }

    @Test("a reconnect looks at once")
    func linkUp() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let other = await bench.opened("b")
            await other.want()
            await one.refresher.adoptDemand(usd)
            await one.refresher.hear(.linkUp)
            #expect(await one.held()?.id == other.held()?.id)
        }
    }

    @Test("a body that can't be read is a miss, read once, and the next fetch replaces it (R19, T9)")
    func unreadable() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let broken = stored(bench, token: bench.storeNow.value, body: Array("{}".utf8))
            bench.change { $0.shelf.put(broken, at: bench.storeNow) }
            bench.time.advance(by: .seconds(1))
            await one.want()
            #expect(one.refresher.counters.unreadable.value == 1)
            #expect(one.logged("can't be read") == 1)
            #expect(bench.upstream.calls == 1)
            #expect(await one.held().map { $0.token > broken.token } == true)
            #expect(await bench.store.snapshotNow(usd)?.id == one.held()?.id)
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(one.store.count(.snapshot) == 1)
        }
    }

    @Test("an unreadable one that has left the store is nothing to be told every second")
    func unreadableGone() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let broken = stored(bench, token: bench.storeNow.value + 60_000, dataTime: .seconds(9), body: [0])
            bench.change { $0.shelf.put(broken, at: bench.storeNow) }
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(one.refresher.counters.unreadable.value == 1)
            bench.change { $0.shelf.remove(RefreshBench.usd) }
            let before = one.store.testimonies.count
            for _ in 0..<5 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(one.store.testimonies.count <= before + 1)
            #expect(await bench.store.snapshotNow(usd)?.id == one.held()?.id)
        }
    }

    @Test("fills an emptied store from memory without a call (R13, R14)")
    func refill() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let held = await one.held()
            bench.flush()
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(await bench.store.snapshotNow(usd)?.id == held?.id)
            bench.time.advance(by: .seconds(10))
            await one.turn()
            #expect(bench.upstream.calls == 1)
            let other = await bench.opened("b")
            await other.want()
            #expect(await other.held()?.id == held?.id)
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("fills one evicted snapshot in, with what is left of its life")
    func evicted() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let whole = await bench.store.snapshotNow(usd)?.keepFor ?? .zero
            bench.change { $0.shelf.remove(RefreshBench.usd) }
            bench.time.advance(by: .seconds(30))
            await one.turn()
            let rest = await bench.store.snapshotNow(usd)?.keepFor ?? .zero
            #expect(rest > .zero && rest <= whole - .seconds(30))
        }
    }

    @Test("doesn't bring back what has outlived its stale window")
    func outlived() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.upstream.always(.outcome(.failed(reason: "http_503")))
            bench.time.advance(by: .seconds(5_000))
            let before = one.store.testimonies.count
            for _ in 0..<3 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(one.store.testimonies.count == before)
            #expect(await bench.store.snapshotNow(usd) == nil)
        }
    }

    @Test("writes a remembered cooldown again into an emptied store (R8)")
    func cooldownAgain() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(300), reason: "rate_limited")))
            await one.want()
            bench.flush()
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(bench.control { $0?.cooldowns[.short]?.end } ?? 0 > bench.storeNow.value + 290_000)
            let other = await bench.opened("b")
            await other.want()
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("tells the flight under way, and only while it is (R14)")
    func flightTold() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.time.advance(by: .seconds(61))
            let refresher = one.refresher
            bench.upstream.next(
                .first(
                    {
                        bench.flush()
                        await refresher.look()
                    }, .table()))
            one.store.next(.finish, ScriptedStore.Turn(before: { await refresher.testify() }))
            await one.begin(usd, .stale)
            await one.landed(within: .seconds(5))
            let told = one.store.testimonies.suffix(2)
            #expect(told.first?.flight?.attempt == one.store.begins.last?.attempt)
            #expect(told.last?.flight == nil)
        }
    }

    @Test("tells every flight under way, where more than one may be")
    func flightsTold() async {
        let plan = QuotaPlan(monthly: 1_000_000, perMinute: 6_000, maxInFlight: 2)
        await RefreshBench.with(plan: plan) { bench in
            let one = await bench.opened()
            bench.time.advance(by: .seconds(1))
            bench.upstream.always(.after(.seconds(4), .table()))
            one.refresher.wants.add(RefreshBench.eur, .cold)
            await one.begin()
            await bench.calm()
            #expect(bench.upstream.mostOpen == 2)
            bench.flush()
            bench.time.advance(by: .seconds(1))
            await one.refresher.step()
            #expect(bench.control { $0?.flights.count } == 2)
            await one.landed(within: .seconds(9))
        }
    }

    @Test("goes on by its own age where the store's clock jumps back an hour (R16, P6)")
    func storeClockBack() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.jumpStoreClock(by: .seconds(-3_600))
            bench.time.advance(by: .seconds(1))
            await one.turn()
            // Asked after one interval, when the store cuts its own instant, and granted after the next.
            for _ in 0..<122 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("goes on by its own age where the store's clock jumps ahead an hour (R16)")
    func storeClockAhead() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            bench.jumpStoreClock(by: .seconds(3_600))
            for _ in 0..<65 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(bench.upstream.calls <= 3)
            #expect(await one.condition() == .idle)
        }
    }

    @Test("says how old its memory is, from before it asked (hole 8)")
    func ageOfMemory() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            // The process stands still between the answer's coming and its being read.
            one.store.next(.look, ScriptedStore.Turn(after: { bench.time.advance(by: .seconds(600)) }))
            bench.time.advance(by: .seconds(1))
            await one.turn()
            bench.change { $0.control = nil }
            await one.refresher.testify()
            #expect(one.store.testimonies.last?.ledger?.age ?? .zero >= .seconds(600))
        }
    }

    @Test("many snapshots go out in pieces of sixteen")
    func pieces() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            for number in 0..<35 {
                let code =
                    "A" + String(UnicodeScalar(UInt8(65 + number / 26)))
                    + String(UnicodeScalar(UInt8(65 + number % 26)))
                let sample = RefreshBench.snapshot(
                    of: .sample(code), token: 10 + Int64(number), at: bench.storeNow)
                _ = await one.refresher.adopt(
                    sample, stored: SnapshotCodec(policy: TierPolicy()).encode(sample), isOwnFetch: false)
            }
            let before = one.store.testimonies.count
            await one.refresher.testify()
            let told = one.store.testimonies.dropFirst(before).map(\.snapshots.count)
            #expect(told == [16, 16, 3])
        }
    }
}

extension RefreshBench {
    static func snapshot(of base: Currency, token: Int64, at now: UnixMilliseconds) -> RateSnapshot {
        RateSnapshot(
            id: SnapshotID(fetchedAt: now, digest: [1, 2, 3, UInt8(truncatingIfNeeded: token)]),
            resource: .latest(base: base), token: FencingToken(token), fetchedAt: now, interval: .seconds(60),
            table: RateTable(
                base: base, source: .live, marketSession: nil, timestamp: nil,
                dataTime: Timestamp(text: now.rfc3339, instant: now), symbols: [.sample("GBP", .live)],
                hasSources: true, hasEffectiveAt: false, notice: nil))
    }
}

extension Refresher {
    /// As if a client had asked.
    func adoptDemand(_ resource: Resource) {
        states[resource, default: ResourceState()].ask(.asked, at: time.now())
    }
}
