import Testing

@testable import CacheLayer

/// What upstream says of the month: section 7, line 8.
extension StoreContractTests {
    @Test(
        "shows what upstream has counted beyond our own, and counts it as used (U15)",
        arguments: StoreKind.allCases)
    func external(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let account = try await bench.granted(.account, plan: Self.wide)
            #expect(bench.shadow?.used == 3)
            let told = try await bench.finish(
                account, .answered, upstreamUsed: 50, upstreamLimit: 9_000, plan: Self.wide)
            #expect(told.reply == .noted)
            #expect(told.shadow?.used == 50 && told.shadow?.external == 47)
            #expect(told.shadow?.plan == 9_000 && told.shadow?.reserved == 0)
            // Our own next calls aren't others': only what goes beyond them is.
            let next = try await bench.granted(Self.eur, plan: Self.wide)
            let fewer = try await bench.finish(next, .answered, upstreamUsed: 51, plan: Self.wide)
            #expect(fewer.shadow?.used == 51 && fewer.shadow?.external == 47)
            try bench.advance(.milliseconds(1))
            let third = try await bench.granted(.currencies, plan: Self.wide)
            let more = try await bench.finish(third, .answered, upstreamUsed: 60, plan: Self.wide)
            #expect(more.shadow?.used == 60 && more.shadow?.external == 55)
            // A new month has no external calls yet.
            try bench.set(Month(containing: bench.now).next.start + .seconds(6))
            #expect(try await bench.look(plan: Self.wide).shadow?.external == 0)
        }
    }

    @Test(
        "takes what upstream says is left as a bound of its own, never upwards (U15)",
        arguments: StoreKind.allCases)
    func left(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            func left(_ resource: Resource, _ left: Int64, used: Int64? = nil, limit: Int64? = nil)
                async throws -> Int64
            {
                try bench.advance(.milliseconds(1))
                let grant = try await bench.granted(resource, plan: Self.wide)
                let answer = try await bench.finish(
                    grant, .answered, upstreamUsed: used, upstreamLeft: left, upstreamLimit: limit,
                    plan: Self.wide)
                let shadow = try #require(answer.shadow)
                return shadow.plan - shadow.used
            }
            #expect(try await left(Self.usd, 4_000) == 4_000)
            // Larger than ours, or out of a cache: nothing is raised, our own call counts.
            #expect(try await left(Self.eur, 9_999) == 3_999)
            #expect(try await left(.currencies, 100_000_000_000) == 3_998)
            // The account names the same calls once more, and another limit: nothing is counted twice.
            #expect(try await left(.account, 3_997, used: 1_003, limit: 5_000) == 3_997)
            let external = bench.shadow?.external
            #expect(external == 997)
            #expect(try await left(Self.year(2_001), 10) == 10)
            // All of it is used: nobody calls until the month ends.
            for year in 0..<10 {
                try bench.advance(.milliseconds(1))
                let grant = try await bench.granted(Self.year(2_010 + year), plan: Self.wide)
                _ = try await bench.finish(grant, .answered, plan: Self.wide)
            }
            #expect(Self.word(try await bench.begin(Self.year(2_030), plan: Self.wide)) == "exhausted")
            try bench.set(Month(containing: bench.now).next.start + .milliseconds(5_001))
            _ = try await bench.granted(Self.year(2_030), plan: Self.wide)
            #expect((bench.shadow?.plan ?? 0) == 10_000)
        }
    }

    @Test(
        "a plan set larger than upstream's isn't exhausted by two words for the same calls",
        arguments: StoreKind.allCases)
    func tooLargePlan(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            // Upstream's plan has 5,000 calls, ours says 10,000; first a field tells, then the account.
            let first = try await bench.granted(plan: Self.wide)
            let field = try await bench.finish(first, .answered, upstreamLeft: 4_999, plan: Self.wide)
            #expect(field.shadow.map { $0.plan - $0.used } == 4_999)
            let account = try await bench.granted(.account, plan: Self.wide)
            let told = try await bench.finish(
                account, .answered, upstreamUsed: 2, upstreamLimit: 5_000, plan: Self.wide)
            // The margin of the testimony, two calls, makes the difference.
            #expect(told.shadow.map { $0.plan - $0.used } == 4_996)
            #expect(told.shadow?.external == 0)
        }
    }

    @Test(
        "calls in flight are not among those that upstream has counted",
        arguments: StoreKind.allCases)
    func leftWithOpenCalls(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let first = try await bench.granted(plan: Self.wide)
            _ = try await bench.granted(Self.eur, plan: Self.wide)
            let answer = try await bench.finish(first, .answered, upstreamLeft: 100, plan: Self.wide)
            #expect(answer.shadow.map { $0.plan - $0.used } == 99)
        }
    }

    @Test("an answer to keep nothing of is a success like any other", arguments: StoreKind.allCases)
    func answered(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let failed = try await bench.granted(.account, plan: Self.wide)
            _ = try await bench.finish(
                failed, .failed(reason: "x", keepsSlot: false), interval: .seconds(86_400), plan: Self.wide)
            try bench.advance(.seconds(2))
            let limited = try await bench.granted(plan: Self.wide)
            _ = try await bench.finish(
                limited, .limited(.short, wait: .seconds(9), reason: "rate_limited"), plan: Self.wide)
            try bench.advance(.seconds(9))
            let probe = try await bench.granted(.account, plan: Self.wide)
            for _ in 0..<2 {
                let answer = try await bench.finish(probe, .answered, plan: Self.wide)
                #expect(answer.reply == .noted)
                #expect(answer.shadow?.cooldowns.isEmpty == true)
                #expect(answer.shadow?.reserved == 0)
            }
            #expect(try await bench.store.snapshot(of: .account) == nil)
        }
    }

    @Test(
        "C085: a month that upstream calls used up is asked again by the hour while the ledger disagrees",
        arguments: StoreKind.allCases)
    func disputedMonth(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let edge = Month(containing: bench.now).next.start
            try bench.set(edge + .seconds(-610))
            for (used, expected) in [(8_990, 620), (9_500, 620)] as [(Int64, Int64)] {
                try bench.loseControl()
                try await bench.open(plan: Self.wide, used: used)
                let grant = try await bench.granted(plan: Self.wide)
                let answer = try await bench.finish(
                    grant, .limited(.month, wait: edge + .seconds(5) - bench.now, reason: "quota_exceeded"),
                    plan: Self.wide)
                // Shorter than an hour, either way: upstream's own word.
                #expect((answer.shadow?.cooldowns.first?.rest ?? .zero) <= .seconds(expected))
                #expect((answer.shadow?.cooldowns.first?.rest ?? .zero) > .seconds(590))
            }
            try bench.set(edge + .seconds(-20 * 86_400))
            for (used, isBelieved) in [(8_996, false), (8_997, true)] as [(Int64, Bool)] {
                try bench.flush()
                try await bench.open(plan: Self.wide, used: used)
                let grant = try await bench.granted(plan: Self.wide)
                let spent = bench.shadow?.used
                let wait = edge + .seconds(5) - bench.now
                let answer = try await bench.finish(
                    grant, .limited(.month, wait: wait, reason: "quota_exceeded"), plan: Self.wide)
                #expect(answer.shadow?.cooldowns.first?.rest == (isBelieved ? wait : .seconds(3_600)))
                // U5: the counter is untouched.
                #expect(answer.shadow?.used == spent)
            }
        }
    }

    @Test(
        "U5, C085: one call an hour until the quota is renewed, then all is as before, without a restart",
        arguments: StoreKind.allCases)
    func renewedMonth(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let edge = Month(containing: bench.now).next.start
            try bench.set(edge + .seconds(-5 * 3_600))
            try await bench.open(plan: Self.wide)
            var calls = 0
            while bench.now < edge + .seconds(7_200) {
                let answer = try await bench.begin(plan: Self.wide)
                if case .fetch(let token, _, let interval) = answer.reply, let attempt = bench.lastAttempt {
                    calls += 1
                    let grant = Grant(
                        resource: Self.usd, attempt: attempt, token: token, interval: interval)
                    let isRenewed = bench.now > edge + .seconds(1_200)
                    _ = try await bench.finish(
                        grant,
                        isRenewed
                            ? .fetched(bench.snapshot(grant))
                            : .limited(.month, wait: .seconds(2_000_000), reason: "quota_exceeded"),
                        plan: Self.wide)
                    if isRenewed { break }
                }
                try bench.advance(.seconds(60))
            }
            // Five hours, and up to two until the first call after the renewal.
            #expect((6...8).contains(calls), "\(calls)")
            #expect(bench.shadow?.cooldowns.isEmpty == true)
            #expect(bench.now > edge && bench.now < edge + .seconds(7_200))
        }
    }
}
