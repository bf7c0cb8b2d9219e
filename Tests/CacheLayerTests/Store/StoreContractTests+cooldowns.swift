import Testing

@testable import CacheLayer

extension StoreContractTests {
    /// A call that upstream limits.
    private func limit(
        _ bench: StoreBench, _ grant: Grant, _ scope: CooldownScope = .short, wait: Duration,
        reason: String = "rate_limited", plan: QuotaPlan = plan
    ) async throws -> Shadow.Cooldown? {
        let answer = try await bench.finish(grant, .limited(scope, wait: wait, reason: reason), plan: plan)
        #expect(answer.reply == .noted)
        return answer.shadow?.cooldowns.first { $0.scope == scope }
    }

    @Test("pauses all instances up to the end, then lets one probe out (P5)", arguments: StoreKind.allCases)
    func pauseAndProbe(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(plan: Self.wide)
            let used = bench.shadow?.booked
            let record = try await limit(bench, grant, wait: .seconds(600), plan: Self.wide)
            #expect(record == .init(scope: .short, rest: .seconds(600), strikes: 1, reason: "rate_limited"))
            // A cooldown never touches the counter (U5).
            #expect(bench.shadow?.booked == used)
            try bench.advance(.milliseconds(599_999))
            Self.expect(
                try await bench.begin(Self.eur, plan: Self.wide), .cooldown(.short, .milliseconds(1)))
            try bench.advance(.milliseconds(1))
            let probe = try await bench.granted(Self.eur, plan: Self.wide)
            // A slot is free, but the probe is out.
            Self.expect(try await bench.begin(plan: Self.wide), .cooldown(.short, .seconds(15)))
            #expect(bench.shadow?.cooldowns.first?.rest == .zero)
            _ = try await bench.finish(probe, .fetched(bench.snapshot(probe)), plan: Self.wide)
            #expect(bench.shadow?.cooldowns.isEmpty == true)
            #expect(Self.word(try await bench.begin(plan: Self.wide)) == "fetch")
        }
    }

    @Test("forgets a lifted cooldown and no other one (U6)", arguments: StoreKind.allCases)
    func lifted(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            #expect(try await bench.lift(.key, plan: Self.wide).reply == .lost)
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(plan: Self.wide)
            try bench.advance(.milliseconds(1))
            let other = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await limit(bench, grant, .key, wait: .seconds(3_600), plan: Self.wide)
            _ = try await limit(bench, other, wait: .seconds(20), plan: Self.wide)
            Self.expect(
                try await bench.begin(.currencies, plan: Self.wide), .cooldown(.key, .seconds(3_600)))
            for expected in [LiftReply.lifted, .nothing] {
                let answer = try await bench.lift(.key, plan: Self.wide)
                #expect(answer.reply == expected)
                #expect(answer.shadow?.cooldowns.map(\.scope) == [.short])
            }
            if kind == .redis { #expect(try bench.mirror()?.hasPrefix("short ") == true) }
            Self.expect(try await bench.begin(.currencies, plan: Self.wide), .cooldown(.short, .seconds(20)))
            _ = try await bench.lift(.short, plan: Self.wide)
            #expect(try bench.mirror() == nil)
            _ = try await bench.granted(.currencies, plan: Self.wide)
        }
    }

    @Test(
        "leaves a failed probe's cooldown on record, and the next one is the probe",
        arguments: StoreKind.allCases)
    func failedProbe(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            _ = try await limit(bench, bench.granted(plan: Self.wide), wait: .seconds(60), plan: Self.wide)
            try bench.advance(.seconds(60))
            let probe = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await bench.finish(probe, .failed(reason: "http_500", keepsSlot: false), plan: Self.wide)
            #expect(bench.shadow?.cooldowns.first?.strikes == 1)
            // A dead prober's record ends by itself.
            _ = try await bench.granted(.currencies, plan: Self.wide)
            Self.expect(try await bench.begin(Self.eur, plan: Self.wide), .cooldown(.short, .seconds(15)))
            try bench.advance(.seconds(15))
            #expect(Self.word(try await bench.begin(Self.eur, plan: Self.wide)) == "fetch")
        }
    }

    @Test(
        "lets the longer of two pauses win, and counts overlapping limits once (C090, U4)",
        arguments: StoreKind.allCases)
    func longestWins(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let first = try await bench.granted(plan: Self.wide)
            let second = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await limit(bench, first, wait: .seconds(600), plan: Self.wide)
            try bench.advance(.seconds(1))
            let after = try await limit(bench, second, wait: .seconds(5), plan: Self.wide)
            #expect(after?.rest == .seconds(599) && after?.strikes == 1)
            // Told again: nothing moves.
            try bench.advance(.seconds(1))
            #expect(
                try await limit(bench, first, wait: .seconds(600), plan: Self.wide)?.rest == .seconds(598))
            #expect(bench.shadow?.cooldowns.count == 1)
        }
    }

    @Test("takes a limit from a holder whose record is long gone", arguments: StoreKind.allCases)
    func fencedLimit(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let old = try await bench.granted()
            try bench.advance(.seconds(400))
            let new = try await bench.granted()
            _ = try await bench.finish(new, .fetched(bench.snapshot(new)))
            try bench.advance(.seconds(5))
            #expect(try await limit(bench, old, wait: .seconds(30))?.rest == .seconds(30))
            Self.expect(try await bench.begin(Self.eur), .cooldown(.short, .seconds(30)))
        }
    }

    @Test("clears a pause only by a call that was begun after it", arguments: StoreKind.allCases)
    func clearedByNewer(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let before = try await bench.granted(plan: Self.wide)
            let limited = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await limit(bench, limited, wait: .seconds(2), plan: Self.wide)
            try bench.advance(.seconds(3))
            // The call that was out before is no probe: the next one is.
            let probe = try await bench.granted(.currencies, plan: Self.wide)
            _ = try await bench.finish(before, .fetched(bench.snapshot(before)), plan: Self.wide)
            #expect(bench.shadow?.cooldowns.count == 1)
            _ = try await bench.finish(probe, .fetched(bench.snapshot(probe)), plan: Self.wide)
            #expect(bench.shadow?.cooldowns.isEmpty == true)
        }
    }

    @Test("doubles a pause with each strike in a row, up to an hour", arguments: StoreKind.allCases)
    func doubling(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 1_000_000, perMinute: 60_000)
            try await bench.open(plan: plan)
            for (strike, expected) in [900, 1_800, 3_600, 3_600].enumerated() {
                let grant = try await bench.granted(plan: plan, least: .seconds(1))
                let record = try await limit(bench, grant, wait: .seconds(900), plan: plan)
                #expect(record?.rest == .seconds(expected) && record?.strikes == Int64(strike + 1))
                try bench.advance(.seconds(expected))
            }
        }
    }

    @Test(
        "clamps a pause to a second and to its scope's longest (C078, C080)", arguments: StoreKind.allCases,
        [
            (.short, -5_000, 1_000), (.short, 0, 1_000), (.short, 999, 1_000), (.short, 1_001, 1_001),
            (.short, 3_600_000, 3_600_000), (.short, 3_600_001, 3_600_000),
            (.short, Int64.max / 2, 3_600_000),
            (.key, 7_200_000, 3_600_000), (.month, 1_000_000_000, 3_600_000),
        ] as [(CooldownScope, Int64, Int64)])
    func clamped(kind: StoreKind, row: (scope: CooldownScope, wait: Int64, expected: Int64)) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(counted: 8_999)
            let record = try await limit(bench, bench.granted(), row.scope, wait: .milliseconds(row.wait))
            #expect(record?.rest == .milliseconds(row.expected))
        }
    }

    @Test("tells the longest of the pauses that run", arguments: StoreKind.allCases)
    func severalScopes(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 10_000, perMinute: 60_000, maxInFlight: 3)
            try await bench.open(plan: plan, counted: 9_000)
            let resources = [Self.usd, Self.eur, .currencies]
            var grants: [Grant] = []
            for resource in resources { grants.append(try await bench.granted(resource, plan: plan)) }
            _ = try await limit(bench, grants[0], .short, wait: .seconds(60), plan: plan)
            _ = try await limit(bench, grants[1], .month, wait: .seconds(90_000), plan: plan)
            _ = try await limit(bench, grants[2], .key, wait: .seconds(3_599), plan: plan)
            Self.expect(try await bench.begin(plan: plan), .cooldown(.month, .seconds(3_600)))
            #expect(bench.shadow?.cooldowns.map(\.scope) == [.short, .month, .key])
            Self.expect(
                try await bench.begin(plan: plan, isForced: true), .cooldown(.month, .seconds(3_600)))
        }
    }

    @Test(
        "doubles the interval with each short limit, eightfold at most, and halves it back by the hour (U3)",
        arguments: StoreKind.allCases)
    func slowDown(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 1_000_000, perMinute: 60_000)
            try await bench.open(plan: plan)
            for (year, pause) in [(2_001, 1), (2_002, 2), (2_003, 4), (2_004, 8)] as [(Int, Int64)] {
                let grant = try await bench.granted(Self.year(year), plan: plan, least: .seconds(100))
                #expect(grant.interval == .seconds(100 * pause))
                _ = try await limit(bench, grant, wait: .seconds(1), plan: plan)
                try bench.advance(.seconds(pause))
            }
            for (year, move, expected) in [
                (2_005, 3_600_000 - 1, 800), (2_006, 1, 400), (2_007, 3_600_000 - 1, 400), (2_008, 1, 200),
                (2_009, 3_600_000, 100),
            ] as [(Int, Int64, Int64)] {
                try bench.advance(.milliseconds(move))
                let grant = try await bench.granted(Self.year(year), plan: plan, least: .seconds(100))
                #expect(grant.interval == .seconds(expected))
                _ = try await bench.finish(grant, .unsent, plan: plan)
                // The probe is given back unsent: the record of the pause stays.
                #expect(bench.shadow?.cooldowns.first?.strikes == 4)
            }
        }
    }

    @Test("doubles at the cooldown's end for an hour, to the millisecond", arguments: StoreKind.allCases)
    func slowDownEdges(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 1_000_000, perMinute: 60_000)
            try await bench.open(plan: plan)
            _ = try await limit(bench, bench.granted(plan: plan), wait: .seconds(60), plan: plan)
            try bench.advance(.seconds(3_560))
            let doubled = try await bench.granted(plan: plan, least: .seconds(100))
            #expect(doubled.interval == .seconds(200))
            _ = try await bench.finish(doubled, .unsent, plan: plan)
            try bench.advance(.milliseconds(100_000 - 1))
            let slow = try await bench.granted(plan: plan, least: .seconds(100))
            #expect(slow.interval == .milliseconds(100_001))
            _ = try await bench.finish(slow, .fetched(bench.snapshot(slow)), plan: plan)
            // The success has cleared the record, not the slowness.
            #expect(bench.shadow?.cooldowns.isEmpty == true)
            try bench.advance(.milliseconds(1))
            let normal = try await bench.granted(Self.eur, plan: plan, least: .seconds(100))
            #expect(normal.interval == .seconds(100))
        }
    }

    @Test("cuts pauses that a jump of the clock has put too far away (R16)", arguments: StoreKind.allCases)
    func clockBack(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 1_000_000, perMinute: 60_000)
            try await bench.open(plan: plan)
            _ = try await limit(bench, bench.granted(plan: plan), wait: .seconds(3_600), plan: plan)
            try bench.advance(.seconds(-9 * 86_400))
            // The control opens anew after its grace, then the pause has its longest length.
            Self.expect(try await bench.begin(plan: plan), .paced(StoreTimings.grace))
            try bench.advance(StoreTimings.grace)
            Self.expect(try await bench.begin(plan: plan), .cooldown(.short, .seconds(3_600 - 3)))
            try bench.advance(.seconds(3_600 - 3))
            let probe = try await bench.granted(plan: plan, least: .seconds(100))
            #expect(probe.interval == .seconds(200))
            #expect(bench.shadow?.month == "2026-03")
            _ = try await bench.finish(probe, .fetched(bench.snapshot(probe)), plan: plan)
            // The slowness began to decay at the pause's end, not nine days later.
            try bench.advance(.seconds(3_600))
            let normal = try await bench.granted(Self.eur, plan: plan, least: .seconds(100))
            #expect(normal.interval == .seconds(100))
        }
    }

    @Test("cuts leases that a jump of the clock has put too far away (R16)", arguments: StoreKind.allCases)
    func leaseAfterClockBack(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            try bench.advance(.seconds(-3_600))
            Self.expect(try await bench.begin(), .paced(StoreTimings.grace))
            try bench.advance(StoreTimings.grace)
            Self.expect(try await bench.begin(), .busy(.seconds(12)))
            try bench.advance(.milliseconds(11_999))
            Self.expect(try await bench.begin(), .busy(.milliseconds(1)))
            try bench.advance(.seconds(30))
            let next = try await bench.granted()
            #expect(next.token.value == grant.token.value + 1)
        }
    }
}
