import TestSupport
import Testing

@testable import CacheLayer

/// What operators do to a running fleet.
extension StoreContractTests {
    @Test("lifting the key's pause opens refused kinds as well", arguments: StoreKind.allCases)
    func liftedKey(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            #expect(try await bench.lift(.key, plan: Self.wide).reply == .nothing)
            let grant = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await bench.finish(grant, .refused, plan: Self.wide)
            #expect(try await bench.lift(.short, plan: Self.wide).reply == .nothing)
            #expect(bench.shadow?.refusals.count == 1)
            #expect(try await bench.lift(.key, plan: Self.wide).reply == .lifted)
            #expect(bench.shadow?.refusals.isEmpty == true)
        }
    }

    @Test(
        "a lifted month's pause leaves the ledger and the slowness as they are",
        arguments: StoreKind.allCases)
    func liftedMonth(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide, counted: 9_500)
            let first = try await bench.granted(plan: Self.wide)
            let second = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await bench.finish(
                first, .limited(.short, wait: .seconds(60), reason: "rate_limited"), plan: Self.wide)
            _ = try await bench.finish(
                second, .limited(.month, wait: .seconds(90_000), reason: "quota_exceeded"), plan: Self.wide)
            let used = bench.shadow?.booked
            _ = try await bench.lift(.short, plan: Self.wide)
            Self.expect(
                try await bench.begin(.currencies, plan: Self.wide), .cooldown(.month, .seconds(3_600)))
            #expect(try await bench.lift(.month, plan: Self.wide).reply == .lifted)
            #expect(bench.shadow?.booked == used)
            try bench.advance(.milliseconds(1))
            let slow = try await bench.granted(.currencies, plan: Self.wide, least: .seconds(4_000))
            // By all that is left of it: to an hour after the pause, which began a millisecond ago.
            #expect(slow.interval == .milliseconds(4_000_000 + 3_660_000 - 1))
        }
    }

    @Test(
        "dropped snapshots count for nobody, wherever they are, and the control stays",
        arguments: StoreKind.allCases)
    func purged(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            #expect(try await bench.purge(plan: Self.wide).reply == .lost)
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(plan: Self.wide)
            let bad = bench.snapshot(grant, dataTime: 5_000)
            _ = try await bench.finish(grant, .fetched(bad), plan: Self.wide)
            let other = try await bench.granted(Self.eur, plan: Self.wide)
            let unknown = bench.snapshot(other)
            _ = try await bench.finish(other, .fetched(unknown), plan: Self.wide)
            try bench.advance(.milliseconds(1))
            let open = try await bench.granted(.currencies, plan: Self.wide)
            let before = try #require(bench.shadow)
            let answer = try await bench.purge(plan: Self.wide)
            #expect(answer.reply == .purged)
            #expect(answer.shadow?.purged == before.epoch)
            #expect(answer.shadow?.booked == before.booked && answer.shadow?.reserved == 1)
            #expect(try await bench.store.snapshot(of: Self.usd) == nil)
            #expect(try await bench.store.archived(bad.id) != nil)
            // Neither one that wasn't named, nor a memory that has not heard of it, nor what was asked for before.
            let looked = try await bench.look(
                [(Self.usd, bad.order), (Self.eur, nil)], plan: Self.wide)
            guard case .seen(let seen) = looked.reply else {
                Issue.record("lost")
                return
            }
            #expect(seen.map(\.standing) == [.same, .same])
            _ = try await bench.restore(snapshots: [bad, unknown], plan: Self.wide)
            #expect(try await bench.store.snapshot(of: Self.usd) == nil)
            let late = try await bench.finish(open, .fetched(bench.snapshot(open)), plan: Self.wide)
            #expect(late.reply == .noted && late.shadow?.reserved == 0)
            #expect(try await bench.store.snapshot(of: .currencies) == nil)
            // The next one is taken, though its data is older than what was dropped.
            try bench.advance(.seconds(300))
            let next = try await bench.granted(plan: Self.wide)
            let good = bench.snapshot(next, dataTime: 1_000)
            #expect(try await bench.finish(next, .fetched(good), plan: Self.wide).reply == .stored)
            #expect(try await bench.store.snapshot(of: Self.usd)?.id == good.id)
        }
    }

    @Test("tells all instances of it, and notes it in the month's report")
    func purgeEvent() async throws {
        try await StoreBench.with(.redis) { bench in
            try await bench.open(plan: Self.wide)
            let other = try await bench.another()
            var events = other.events().makeAsyncIterator()
            #expect(await events.next() == .linkUp)
            _ = try await bench.purge(plan: Self.wide)
            #expect(await events.next() == .purged)
            let grant = try await bench.granted(plan: Self.wide)
            _ = try await bench.finish(
                grant, .limited(.short, wait: .seconds(9), reason: "rate_limited"), plan: Self.wide)
            for _ in 0..<2 { _ = try await bench.lift(.short, plan: Self.wide) }
            let refused = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await bench.finish(refused, .refused, plan: Self.wide)
            #expect(await events.next() == .cooldown(.short, .seconds(9)))
            #expect(await events.next() == .refused(Self.eur, next: bench.now + .seconds(3_600)))
            let session = try #require(bench.session)
            let report = bench.keys.prefix + "ledger:2026-03"
            #expect(try session.send(["HGET", report, "purged"]) == "1")
            #expect(try session.send(["HGET", report, "lifted:short"]) == "1")
            #expect(try session.send(["HGET", report, "outcome:refused"]) == "1")
            await other.close()
        }
    }
}
