import Testing

@testable import CacheLayer

/// How far a fetch that brought nothing, or one that was slowed down, keeps back the next one.
extension StoreContractTests {
    private static let roomy = QuotaPlan(monthly: 1_000_000, perMinute: 60_000)
    private static let day = Duration.seconds(86_400)

    private func limit(_ bench: StoreBench, _ grant: Grant, wait: Duration) async throws {
        _ = try await bench.finish(
            grant, .limited(.short, wait: wait, reason: "rate_limited"), plan: Self.roomy)
    }

    @Test(
        "the slow-down keeps a fetch back by no more than the time that it lasts itself",
        arguments: StoreKind.allCases)
    func slowDownEnds(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            func interval(_ least: Duration) async throws -> Duration {
                let grant = try await bench.granted(plan: Self.roomy, least: least)
                let answer = try await bench.finish(grant, .unsent, plan: Self.roomy)
                #expect(answer.shadow?.nextAt == bench.now)
                try bench.advance(.milliseconds(1))
                return grant.interval
            }
            try await bench.open(plan: Self.roomy)
            for (year, pause) in [(2_001, 1), (2_002, 2), (2_003, 4)] as [(Int, Int64)] {
                try await limit(
                    bench, bench.granted(Self.year(year), plan: Self.roomy), wait: .seconds(1))
                try bench.advance(.seconds(pause))
            }
            // Eightfold, for three hours from now on.
            #expect(try await interval(Self.day) == Self.day + .seconds(10_800))
            #expect(try await interval(.seconds(1_000)) == .seconds(8_000))
            try bench.advance(.milliseconds(7_200_000 - 2))
            #expect(try await interval(Self.day) == Self.day + .seconds(3_600))
            #expect(try await interval(.seconds(1_000)) == .seconds(2_000))
            try bench.advance(.milliseconds(3_600_000 - 2))
            #expect(try await interval(Self.day) == Self.day)
        }
    }

    @Test(
        "an instant that is farther away than the interval now asked for is brought near, and stays there",
        arguments: StoreKind.allCases)
    func cutDistance(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.roomy)
            let grant = try await bench.granted(.currencies, plan: Self.roomy, least: Self.day)
            try await limit(bench, grant, wait: .seconds(60))
            try bench.advance(.seconds(60))
            Self.expect(
                try await bench.begin(.currencies, plan: Self.roomy, least: Self.day),
                .paced(Self.day + .seconds(-60)))
            // The hour, and as much again for the slow-down.
            Self.expect(
                try await bench.begin(.currencies, plan: Self.roomy, least: .seconds(3_600)),
                .paced(.seconds(7_200)))
            try bench.advance(.seconds(7_199))
            for least in [Duration.seconds(3_600), Self.day] {
                Self.expect(
                    try await bench.begin(.currencies, plan: Self.roomy, least: least), .paced(.seconds(1)))
            }
            try bench.advance(.seconds(1))
            _ = try await bench.granted(.currencies, plan: Self.roomy, least: Self.day)
        }
    }
}
