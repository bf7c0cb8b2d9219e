import Testing

@testable import CacheLayer

/// Instances that are restarted with another plan, one after the other.
extension StoreContractTests {
    private static let small = QuotaPlan(monthly: 1_000, perMinute: 60_000, maxInFlight: 2)
    private static let large = QuotaPlan(monthly: 10_000, perMinute: 60_000, maxInFlight: 2)

    @Test(
        "while instances differ the smallest plan holds for all of them, from its first look on",
        arguments: StoreKind.allCases)
    func smallestPlan(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.large, used: 997)
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 10_000)
            #expect(try await bench.look(plan: Self.small, holder: "b").shadow?.plan == 1_000)
            // One call is left of the smaller plan, whoever takes it.
            let grant = try await bench.granted(plan: Self.large)
            #expect(bench.shadow?.plan == 1_000 && bench.shadow?.used == 1_000)
            _ = try await bench.finish(grant, .answered, plan: Self.large)
            #expect(Self.word(try await bench.begin(Self.eur, plan: Self.large)) == "exhausted")
            #expect(Self.word(try await bench.begin(Self.eur, plan: Self.small)) == "exhausted")
        }
    }

    @Test(
        "a raised plan holds ten seconds after the last one with the smaller was heard, and the pace with it",
        arguments: StoreKind.allCases)
    func raised(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.small, used: 100)
            let paced = try await bench.granted(plan: Self.small, least: .seconds(1))
            for _ in 0..<5 {
                try bench.advance(.milliseconds(1_000))
                _ = try await bench.look(plan: Self.small)
                #expect(try await bench.look(plan: Self.large, holder: "b").shadow?.plan == 1_000)
            }
            // The last look came with less than eight seconds left, or more: at most two seconds apart.
            try bench.advance(.milliseconds(7_999))
            #expect(try await bench.look(plan: Self.large, holder: "b").shadow?.plan == 1_000)
            try bench.advance(.milliseconds(2_001))
            #expect(try await bench.look(plan: Self.large, holder: "b").shadow?.plan == 10_000)
            _ = try await bench.finish(paced, .answered, plan: Self.large)
            let grant = try await bench.granted(Self.eur, plan: Self.large, least: .seconds(1))
            #expect(paced.interval > grant.interval * 9)
        }
    }

    @Test("of three plans the next smallest holds when the smallest is gone", arguments: StoreKind.allCases)
    func threePlans(kind: StoreKind) async throws {
        let middle = QuotaPlan(monthly: 5_000, perMinute: 60_000, maxInFlight: 2)
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.large)
            for plan in [Self.small, middle, Self.large] { _ = try await bench.look(plan: plan) }
            try bench.advance(.seconds(5))
            for plan in [middle, Self.large] {
                #expect(try await bench.look(plan: plan).shadow?.plan == 1_000)
            }
            try bench.advance(.seconds(5))
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 5_000)
            try bench.advance(.seconds(10))
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 10_000)
        }
    }

    @Test("a clock that jumps back doesn't keep a plan for longer", arguments: StoreKind.allCases)
    func planAfterClockBack(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.large)
            _ = try await bench.look(plan: Self.small)
            try bench.advance(.seconds(-3_600))
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 1_000)
            try bench.advance(.seconds(10))
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 10_000)
        }
    }
}
