import TestSupport
import Testing

@testable import CacheLayer

/// An operator's amended snapshot.
extension StoreContractTests {
    private func amended(
        _ snapshot: StoredSnapshot, token: FencingToken, digest: UInt8 = 9
    ) -> StoredSnapshot {
        StoredSnapshot(
            resource: snapshot.resource,
            id: SnapshotID(fetchedAt: snapshot.fetchedAt, digest: [digest, 9, 9, 9]), token: token,
            fetchedAt: snapshot.fetchedAt, dataTime: snapshot.dataTime, source: snapshot.source,
            body: [1, 2, 3], keepFor: .seconds(5_000))
    }

    @Test(
        "an amended snapshot takes the place of the one it was made from, costs nothing and is told",
        arguments: StoreKind.allCases)
    func amend(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let nobody = StoredSnapshot(
                resource: Self.usd, id: SnapshotID(fetchedAt: bench.now, digest: [1, 1, 1, 1]),
                token: FencingToken(1), fetchedAt: bench.now, dataTime: bench.now, source: .live, body: [1],
                keepFor: .seconds(1))
            #expect(try await bench.amend(nobody, from: nobody, plan: Self.wide).reply == .lost)
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(plan: Self.wide)
            let first = bench.snapshot(grant)
            // While it is fetched, an operator waits.
            let early = amended(first, token: FencingToken(grant.token.value + 1))
            guard case .busy(let rest) = try await bench.amend(early, from: first, plan: Self.wide).reply
            else {
                Issue.record("not busy")
                return
            }
            #expect(rest > .zero && rest <= .seconds(15))
            _ = try await bench.finish(grant, .fetched(first), plan: Self.wide)
            let before = try #require(bench.shadow)
            var events = bench.store.events().makeAsyncIterator()
            if kind == .redis { #expect(await events.next() == .linkUp) }

            try bench.advance(.seconds(300))
            // At the newest drawn token it is overtaken, one above it is taken.
            let low = amended(first, token: before.epoch)
            let refused = try await bench.amend(low, from: first, plan: Self.wide)
            #expect(refused.reply == .overtaken && refused.shadow?.epoch == before.epoch)
            let taken = amended(first, token: FencingToken(before.epoch.value + 1))
            let answer = try await bench.amend(taken, from: first, plan: Self.wide)
            #expect(answer.reply == .stored)
            #expect(answer.shadow?.epoch == taken.token)
            #expect(answer.shadow?.booked == before.booked && answer.shadow?.reserved == 0)
            let stored = try #require(await bench.store.snapshot(of: Self.usd))
            #expect(stored.id == taken.id && stored.body == taken.body)
            #expect(try await bench.store.archived(taken.id)?.body == taken.body)
            #expect(try await bench.store.archived(first.id) != nil)
            // Each was the newest for its time, though both were fetched at once.
            let amendedAt = bench.now
            #expect(amendedAt > first.fetchedAt)
            for (instant, expected) in [
                (first.fetchedAt, first.id), (amendedAt + .milliseconds(-1), first.id), (amendedAt, taken.id),
                (amendedAt + .seconds(60), taken.id),
            ] {
                #expect(try await bench.store.archived(of: Self.usd, at: instant)?.id == expected)
            }
            while let event = await events.next() {
                guard case .published(Self.usd, taken.id, taken.token) = event else { continue }
                break
            }

            // Sent again, it is the same answer and no second event.
            let repeated = try await bench.amend(taken, from: first, plan: Self.wide)
            #expect(repeated.reply == .stored && repeated.shadow?.epoch == taken.token)

            // Made from what is no longer there: to be made anew.
            let again = amended(first, token: FencingToken(taken.token.value + 1), digest: 8)
            #expect(try await bench.amend(again, from: first, plan: Self.wide).reply == .changed)
            // The next token is above it, and a holder of an older one is fenced.
            try bench.advance(.seconds(300))
            let next = try await bench.granted(held: taken.order, plan: Self.wide)
            #expect(next.token > taken.token)
        }
    }

    @Test(
        "whoever began to fetch before can't overwrite it, nor does it bring back what was dropped",
        arguments: StoreKind.allCases)
    func amendOrder(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(plan: Self.wide)
            let first = bench.snapshot(grant)
            _ = try await bench.finish(grant, .fetched(first), plan: Self.wide)
            try bench.advance(.seconds(300))
            // A holder that sleeps beyond its lease.
            let slow = try await bench.granted(held: first.order, plan: Self.wide)
            try bench.advance(.seconds(60))
            let taken = amended(first, token: FencingToken(slow.token.value + 1))
            #expect(try await bench.amend(taken, from: first, plan: Self.wide).reply == .stored)
            let late = try await bench.finish(slow, .fetched(bench.snapshot(slow)), plan: Self.wide)
            guard case .fenced(let stored) = late.reply else {
                Issue.record("not fenced: \(late.reply)")
                return
            }
            #expect(stored.id == taken.id)
            _ = try await bench.purge(plan: Self.wide)
            let revived = amended(taken, token: FencingToken(taken.token.value + 1), digest: 7)
            #expect(try await bench.amend(revived, from: taken, plan: Self.wide).reply == .changed)
            #expect(try await bench.store.snapshot(of: Self.usd) == nil)
        }
    }
}
