import Telemetry
import TestSupport
import Testing

@testable import CacheLayer

/// The answers to `begin`: rows of the table in `docs/protocol.md`.
@Suite("Refresh: asking", .timeLimit(.minutes(4)))
struct RefreshAskingTests {
    @Test("adopts what is newer and doesn't call")
    func newer() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a")
            let other = await bench.opened("b")
            await other.want()
            one.store.next(.look, .timedOut)
            bench.time.advance(by: .seconds(1))
            await one.want()
            #expect(one.store.begins.count == 1)
            #expect(await one.held()?.id == other.held()?.id)
            #expect(one.refresher.counters.adoptedShared.value == 1)
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("does not ask in a row where what is newer is nothing to it")
    func newerThatIsRefused() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let broken = StoredSnapshot(
                resource: RefreshBench.usd, id: SnapshotID(fetchedAt: bench.storeNow, digest: [1, 2, 3, 4]),
                token: FencingToken(9), fetchedAt: bench.storeNow, dataTime: bench.storeNow, source: .live,
                body: [1], keepFor: .seconds(100))
            one.store.always([.begin], .answer(.newer(broken)))
            await one.want()
            for _ in 0..<10 { await one.turn() }
            #expect(one.store.begins.count == 1)
            #expect(one.refresher.counters.unreadable.value == 1)
        }
    }

    @Test("waits for the holder of its resource, and asks again within a look")
    func busy() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.next(.begin, .answer(.busy(.seconds(15))))
            await one.want()
            #expect(await one.condition() == .refreshing)
            for _ in 0..<5 { await one.turn() }
            #expect(one.store.begins.count == 1)
            bench.time.advance(by: .milliseconds(1_100))
            await one.turn()
            #expect(one.store.begins.count == 2)
            #expect(await one.held() != nil)
        }
    }

    @Test(
        "waits as long as a cooldown runs, and a twentieth more at most",
        arguments: [
            (CooldownScope.short, Duration.seconds(100), Duration.seconds(5)),
            (.month, .seconds(86_400), .seconds(10)), (.key, .seconds(3_600), .seconds(10)),
        ])
    func cooldown(scope: CooldownScope, rest: Duration, most: Duration) async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a") { $0 - 1 }
            bench.setCooldown(scope, rest: rest)
            await one.want()
            let until = bench.time.wall + rest
            let expected: RefreshCondition =
                switch scope {
                case .short: .cooldown(until: until)
                case .month: .quotaSpent(until: until)
                case .key: .keyRejected(until: until)
                }
            #expect(await one.condition() == expected)
            #expect(one.news.last?.view.condition == expected)
            let due = await one.due() ?? .zero
            #expect(due >= rest && due < rest + most)
            bench.time.advance(by: rest - .milliseconds(1))
            await one.want()
            #expect(one.store.begins.count == 1)
            bench.time.advance(by: most)
            await one.want()
            #expect(one.store.begins.count == 2)
        }
    }

    @Test("waits for the pace, exactly where clients wait")
    func paced() async {
        await RefreshBench.with { bench in
            let one = await bench.opened("a") { $0 - 1 }
            one.store.next(.begin, .answer(.paced(.seconds(40))))
            await one.want()
            #expect(await one.condition() == .paced(until: bench.time.wall + .seconds(40)))
            #expect(await one.due() == .seconds(40))
        }
    }

    @Test("asks every minute whether a spent month is spent still")
    func exhausted() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.change { $0.control?.ledger.counted = 1_000_000 }
            one.store.next(.begin, .answer(.exhausted(.seconds(500_000))))
            await one.want()
            #expect(await one.condition() == .quotaSpent(until: bench.time.wall + .seconds(500_000)))
            #expect(await one.due() == .seconds(60))
            one.store.next(.begin, .answer(.exhausted(.seconds(7))))
            bench.time.advance(by: .seconds(60))
            await one.turn()
            #expect(await one.due() == .seconds(7))
        }
    }

    @Test("is late once where its idea of the store's time was wrong (C1, R16)")
    func late() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            // The look that would tell is lost.
            one.store.next(.look, .timedOut, .timedOut)
            bench.jumpStoreClock(by: .seconds(3_600))
            bench.time.advance(by: .seconds(1))
            await one.want()
            #expect(one.refresher.counters.begins.value(.late) == 1)
            #expect(bench.upstream.calls == 0)
            bench.time.advance(by: .milliseconds(50))
            await one.turn()
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("tells what it remembers where the control is lost, and asks again under the same attempt")
    func lost() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            bench.change { $0.control = nil }
            await one.want()
            #expect(one.store.testimonies.count == 2)
            #expect(one.store.begins.count == 2)
            #expect(Set(one.store.begins.map(\.attempt)).count == 1)
            #expect(await one.condition() == .warmingUp(until: bench.time.wall + StoreTimings.grace))
        }
    }

    @Test("gives up where the control is lost again and again, and comes back")
    func lostForGood() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.always([.begin], .answer(BeginReply.lost))
            await one.want()
            #expect(one.store.begins.count == 4)
            guard case .storeAway = await one.condition() else {
                Issue.record("not away: \(await one.condition())")
                return
            }
            one.store.always([.begin], nil)
            bench.time.advance(by: .seconds(1))
            await one.turn()
            #expect(await one.held() != nil)
        }
    }

    @Test("could not ask: comes back with a new attempt")
    func notExecuted() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.next(.begin, .noLink)
            await one.want()
            guard case .storeAway(let until) = await one.condition() else {
                Issue.record("not away: \(await one.condition())")
                return
            }
            let wait = until - bench.time.wall
            #expect(wait >= .milliseconds(250) && wait < .milliseconds(750))
            #expect(one.store.begins.count == 1)
            bench.time.advance(by: wait)
            await one.turn()
            #expect(bench.upstream.calls == 1)
            #expect(Set(one.store.begins.map(\.attempt)).count == 2)
        }
    }

    @Test(
        "asks under the same attempt where the outcome is unknown: one reservation, one call (C123, R5)",
        arguments: [ScriptedStore.Turn.replyLost, .timedOut])
    func unknown(turn: ScriptedStore.Turn) async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            let used = bench.control { $0?.ledger.counted ?? 0 }
            one.store.next(.begin, turn, turn, turn)
            await one.begin()
            await one.landed(within: .seconds(3))
            #expect(one.store.begins.count == 4)
            #expect(Set(one.store.begins.map(\.attempt)).count == 1)
            #expect(bench.upstream.calls == 1)
            #expect(bench.control { $0?.ledger.counted ?? 0 } == used + 1)
        }
    }

    @Test("keeps its attempt while the link comes back after an unknown outcome")
    func unknownThenNoLink() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.next(.begin, .replyLost, .noLink, .noLink)
            await one.begin()
            await one.landed(within: .seconds(3))
            #expect(Set(one.store.begins.map(\.attempt)).count == 1)
            #expect(bench.upstream.calls == 1)
            #expect(await one.held() != nil)
        }
    }

    @Test("lets an attempt go that is too old to be of use, and meets a growing distance")
    func unknownForLong() async {
        await RefreshBench.with { bench in
            let one = await bench.opened()
            one.store.always([.begin], .replyLost)
            await one.begin()
            await one.landed(within: .seconds(5))
            // Three seconds, asked every tenth.
            #expect(one.store.begins.count <= 32)
            #expect(Set(one.store.begins.map(\.attempt)).count == 1)
            guard case .storeAway = await one.condition() else {
                Issue.record("not away: \(await one.condition())")
                return
            }
            #expect(bench.control { $0?.reserved } == 1)
            one.store.always([.begin], nil)
            // The record ends by itself and counts as a failure; the reservation stays spent.
            for _ in 0..<14 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(bench.upstream.calls == 0 || bench.pace()?.failed ?? 0 > 0)
            for _ in 0..<4 {
                bench.time.advance(by: .seconds(1))
                await one.turn()
            }
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("doesn't ask for what has come in since its flight was decided on")
    func overtaken() async {
        await RefreshBench.with { bench in
            let one = await bench.warm()
            let begins = one.store.begins.count
            let held = await one.held()
            guard
                case .shared(let snapshot) = await one.refresher.fly(
                    RefreshBench.usd, isForced: false, holding: nil)
            else {
                Issue.record("not what has come in")
                return
            }
            #expect(snapshot.id == held?.id && one.store.begins.count == begins)
            _ = await one.refresher.fly(RefreshBench.usd, isForced: false, holding: held?.id)
            #expect(one.store.begins.count == begins + 1)
        }
    }
}
