import Testing

@testable import CacheLayer

extension StoreContractTests {
    @Test(
        "says of each interest whether it is newer, the same or behind (R13, R17)",
        arguments: StoreKind.allCases)
    func standings(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            let snapshot = bench.snapshot(grant, dataTime: 2_000)
            _ = try await bench.finish(grant, .fetched(snapshot))
            let token = grant.token.value
            func held(_ token: Int64, _ dataTime: Int64, _ source: Source = .live) -> SnapshotOrder {
                SnapshotOrder(
                    token: FencingToken(token), dataTime: UnixMilliseconds(dataTime), source: source)
            }
            let rows: [(Resource, SnapshotOrder?, LookReply.Standing)] = [
                (Self.usd, nil, .newer), (Self.usd, held(token - 1, 2_000), .newer),
                (Self.usd, held(token - 1, 2_001), .same),
                (Self.usd, held(token - 1, 2_001, .ecbDaily), .newer),
                (Self.usd, held(token, 2_000), .same), (Self.usd, held(token + 1, 2_000), .behind),
                (Self.usd, held(token + 1, 1_999), .same), (Self.eur, nil, .same),
                (Self.eur, held(1, 1), .behind),
            ]
            guard case .seen(let seen) = try await bench.look(rows.map { ($0.0, $0.1) }).reply else {
                Issue.record("lost")
                return
            }
            #expect(seen.map(\.resource) == rows.map(\.0))
            #expect(seen.map(\.standing) == rows.map(\.2))
            #expect(seen.first?.nextAt == bench.now + grant.interval && seen.last?.nextAt == nil)
        }
    }

    @Test("changes no promise", arguments: StoreKind.allCases)
    func readOnly(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            _ = try await bench.granted()
            let before = bench.shadow
            for _ in 0..<3 { _ = try await bench.look([(Self.usd, nil), (Self.eur, nil)]) }
            #expect(bench.shadow?.epoch == before?.epoch && bench.shadow?.booked == before?.booked)
            #expect(bench.shadow?.reserved == 1)
        }
    }

    @Test("counts the members that were there within the hour", arguments: StoreKind.allCases)
    func instances(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            for (holder, expected) in [("a", 1), ("b", 2), ("a", 2)] as [(String, Int64)] {
                try await bench.store.attend(holder, MemberLimits(Self.plan))
                #expect(try await bench.look().shadow?.instances == expected)
            }
            try bench.advance(.milliseconds(3_599_999))
            try await bench.store.attend("c", MemberLimits(Self.plan))
            #expect(try await bench.look().shadow?.instances == 3)
            try bench.advance(.milliseconds(1))
            try await bench.store.attend("c", MemberLimits(Self.plan))
            #expect(try await bench.look().shadow?.instances == 1)
            try await bench.store.leave("c")
            #expect(try await bench.look().shadow?.instances == 0)
            #expect(try await bench.begin().shadow?.instances == nil)
        }
    }

    @Test("tells who was there last and how long ago, at most 64 of them", arguments: StoreKind.allCases)
    func members(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            func attend(_ holder: String) async throws {
                try await bench.store.attend(holder, MemberLimits(Self.plan))
            }
            try await attend("b")
            try await attend("a")
            try bench.advance(.milliseconds(1_500))
            try await attend("b")
            let told = try await bench.look(holder: "b").shadow?.members
            #expect(
                told == [
                    Shadow.Member(name: "a", idle: .milliseconds(1_500)),
                    Shadow.Member(name: "b", idle: .zero),
                ])
            #expect(try await bench.begin().shadow?.members == [])
            for number in 100..<170 { try await attend("i-\(number)") }
            try await attend("z")
            let many = try await bench.look(holder: "z").shadow
            #expect(many?.members.count == 64)
            #expect(many?.members.first?.name == "i-107" && many?.members.last?.name == "z")
            #expect(many?.instances == 73)
            // Who wasn't there for an hour is forgotten.
            try bench.advance(.seconds(3_600))
            try await attend("z")
            #expect(try await bench.look(holder: "z").shadow?.members.map(\.name) == ["z"])
        }
    }

    @Test("announces what came of each attempt, once", arguments: StoreKind.allCases)
    func announcements(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 1_000_000, perMinute: 60_000)
            var events = bench.store.events().makeAsyncIterator()
            #expect(await events.next() == .linkUp)
            try await bench.open(plan: plan)
            let first = try await bench.granted(plan: plan)
            let snapshot = bench.snapshot(first)
            _ = try await bench.finish(first, .fetched(snapshot), plan: plan)
            _ = try await bench.finish(first, .fetched(snapshot), plan: plan)
            #expect(await events.next() == .published(Self.usd, snapshot.id, first.token))
            try bench.advance(.seconds(300))
            let second = try await bench.granted(Self.eur, plan: plan)
            let failed = try await bench.finish(second, .failed(reason: "x", keepsSlot: false), plan: plan)
            #expect(await events.next() == .failed(Self.eur, next: failed.shadow?.nextAt ?? bench.now))
            try bench.advance(.seconds(300))
            let third = try await bench.granted(Self.eur, plan: plan)
            _ = try await bench.finish(third, .unsent, plan: plan)
            #expect(await events.next() == .slotFree(Self.eur))
            try bench.advance(.seconds(300))
            let fourth = try await bench.granted(Self.eur, plan: plan)
            for _ in 0..<2 {
                _ = try await bench.finish(
                    fourth, .limited(.short, wait: .seconds(9), reason: "rate_limited"), plan: plan)
            }
            #expect(await events.next() == .cooldown(.short, .seconds(9)))
            await bench.store.close()
            var rest: [StoreEvent] = []
            while let event = await events.next() { rest.append(event) }
            #expect(rest.filter { $0 != .linkDown }.isEmpty)
            await #expect(throws: StoreError.notExecuted(.closed)) {
                try await bench.store.snapshot(of: Self.usd)
            }
        }
    }
}
