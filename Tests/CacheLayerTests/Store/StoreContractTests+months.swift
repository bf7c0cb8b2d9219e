import Testing

@testable import CacheLayer

extension StoreContractTests {
    @Test(
        "rolls the month once, forward, and counts what is open in both (C4, U16)",
        arguments: StoreKind.allCases)
    func rollover(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let edge = Month(containing: bench.now).next.start
            try bench.set(edge + .seconds(-60))
            try await bench.open(plan: Self.wide, counted: 40)
            // The control's own carry is the burst: 2 calls that it may not know of.
            #expect(try bench.control("carry") == 2)
            try bench.set(edge + .milliseconds(-6_000))
            let ended = try await bench.granted(plan: Self.wide)
            let open = try await bench.granted(Self.eur, plan: Self.wide)
            #expect(bench.shadow?.booked == 42)
            try bench.set(edge + .milliseconds(-5_000))
            _ = try await bench.finish(ended, .fetched(bench.snapshot(ended)), plan: Self.wide)
            #expect(try bench.control("carry") == 3)
            try bench.set(edge + .milliseconds(-1))
            #expect(try await bench.look(plan: Self.wide).shadow?.month == "2026-03")
            try bench.set(edge)
            let rolled = try await bench.look(plan: Self.wide)
            #expect(rolled.shadow?.month == "2026-04")
            #expect(rolled.shadow?.booked == 4)
            #expect(rolled.shadow?.reserved == 0)
            // Never left, but counted in the new month: stays counted.
            let settled = try await bench.finish(open, .unsent, plan: Self.wide)
            #expect(settled.shadow?.booked == 4)
            #expect(try bench.control("carry") ?? 0 == 0)
            // The clock goes back over the boundary: the month doesn't.
            try bench.set(edge + .seconds(-30))
            #expect(try await bench.look(plan: Self.wide).shadow?.month == "2026-04")
        }
    }

    @Test("carries nothing of calls that ended outside the edge", arguments: StoreKind.allCases)
    func noCarry(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let edge = Month(containing: bench.now).next.start
            try bench.set(edge + .seconds(-60))
            try await bench.open()
            let grant = try await bench.granted()
            try bench.set(edge + .milliseconds(-5_001))
            _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)))
            try bench.set(edge + .milliseconds(5_001))
            #expect(try await bench.look().shadow?.booked == 1)
        }
    }

    @Test(
        "begins a new month's pace gently, though the old one's was days (C4)", arguments: StoreKind.allCases)
    func gentleStart(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let edge = Month(containing: bench.now).next.start
            try bench.set(edge + .seconds(-2 * 86_400))
            try await bench.open(counted: 9_999)
            let grant = try await bench.granted()
            #expect(grant.interval > .seconds(86_400))
            _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)))
            try bench.set(edge + .milliseconds(5_001))
            let held = bench.snapshot(grant).order
            let answer = try await bench.begin(held: held)
            guard case .paced(let rest) = answer.reply else {
                Issue.record("not paced: \(answer.reply)")
                return
            }
            // 30 days for 9,999 calls of which 95 % are spread.
            #expect(rest > .seconds(270) && rest < .seconds(275))
            try bench.advance(rest + .milliseconds(-1))
            Self.expect(try await bench.begin(held: held), .paced(.milliseconds(1)))
            try bench.advance(.milliseconds(1))
            #expect(Self.word(try await bench.begin(held: held)) == "fetch")
        }
    }
}
