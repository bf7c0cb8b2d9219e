import Testing

@testable import CacheLayer

/// What upstream says of the month: section 7, line 8.
extension StoreContractTests {
    @Test(
        "books what upstream has counted beyond our own as external (U15)",
        arguments: StoreKind.allCases)
    func external(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let account = try await bench.granted(.account, plan: Self.wide)
            #expect(bench.shadow?.booked == 1)
            let told = try await bench.finish(
                account, .answered, upstreamUsed: 50, upstreamLimit: 9_000, plan: Self.wide)
            #expect(told.reply == .noted)
            #expect(told.shadow?.booked == 50 && told.shadow?.external == 49)
            #expect(told.shadow?.plan == 9_000 && told.shadow?.reserved == 0)
            // Our own next call isn't others'.
            let next = try await bench.granted(Self.eur, plan: Self.wide)
            let fewer = try await bench.finish(next, .answered, upstreamUsed: 51, plan: Self.wide)
            #expect(fewer.shadow?.booked == 51 && fewer.shadow?.external == 49)
            try bench.advance(.milliseconds(1))
            let third = try await bench.granted(.currencies, plan: Self.wide)
            let more = try await bench.finish(third, .answered, upstreamUsed: 60, plan: Self.wide)
            #expect(more.shadow?.booked == 60 && more.shadow?.external == 57)
            // A new month has no external calls yet.
            try bench.set(Month(containing: bench.now).next.start + .seconds(6))
            #expect(try await bench.look(plan: Self.wide).shadow?.external == 0)
        }
    }

    @Test(
        "upstream's own count replaces what was only assumed, up and down, and a later one an earlier one",
        arguments: StoreKind.allCases)
    func replaced(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            // A fleet that begins on the 10th: a third of the plan is assumed.
            _ = try await bench.restore(plan: Self.wide)
            try bench.advance(StoreTimings.grace)
            #expect(bench.shadow?.left == 6_936)
            func told(used: Int64? = nil, left: Int64? = nil, limit: Int64? = nil) async throws -> Shadow {
                try bench.advance(.milliseconds(1))
                let grant = try await bench.granted(.account, plan: Self.wide, isForced: true)
                let answer = try await bench.finish(
                    grant, .answered, upstreamUsed: used, upstreamLeft: left, upstreamLimit: limit,
                    plan: Self.wide)
                return try #require(answer.shadow)
            }
            let first = try await told(used: 100)
            #expect(first.assumed == 0 && first.counted == 1 && first.external == 99 && first.left == 9_900)
            #expect(first.evidenceAt == bench.now)
            let second = try await told(left: 4_000)
            #expect(second.left == 4_000)
            // One odd figure ends with the next.
            #expect(try await told(left: 87).left == 87)
            #expect(try await told(left: 8_999).left == 8_999)
            #expect(try await told(used: 105, limit: 10_000).external == 100)
        }
    }

    @Test(
        "the account's own limit holds below the configured one, and a larger one lifts it again",
        arguments: StoreKind.allCases)
    func accountLimit(kind: StoreKind) async throws {
        let plan = QuotaPlan(monthly: 50_000, perMinute: 60_000, maxInFlight: 2)
        try await StoreBench.with(kind) { bench in
            // A plan set five times too large, in mid-month: the assumption shrinks with the plan.
            _ = try await bench.restore(plan: plan)
            try bench.advance(StoreTimings.grace)
            #expect(bench.shadow?.assumed == 15_322)
            let first = try await bench.granted(.account, plan: plan)
            let known = try await bench.finish(first, .answered, upstreamLimit: 10_000, plan: plan)
            #expect(known.shadow?.plan == 10_000 && known.shadow?.assumed == 3_065)
            try bench.advance(.milliseconds(1))
            let second = try await bench.granted(.account, plan: plan, isForced: true)
            let told = try await bench.finish(
                second, .answered, upstreamUsed: 5_000, upstreamLimit: 10_000, plan: plan)
            #expect(told.shadow?.left == 5_000)
            try bench.advance(.milliseconds(1))
            let third = try await bench.granted(.account, plan: plan, isForced: true)
            let raised = try await bench.finish(
                third, .answered, upstreamUsed: 5_001, upstreamLimit: 100_000, plan: plan)
            #expect(raised.shadow?.plan == 50_000 && raised.shadow?.left == 44_999)
        }
    }

    @Test(
        "none left is a pause with a probe by the hour, never a bound for good",
        arguments: StoreKind.allCases)
    func noneLeft(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let odd = try await bench.granted(plan: Self.wide)
            let answer = try await bench.finish(
                odd, .fetched(bench.snapshot(odd)), upstreamLeft: 0, plan: Self.wide)
            #expect(answer.reply == .stored && answer.shadow?.left == 9_999)
            #expect(answer.shadow?.cooldowns.map(\.scope) == [.month])
            Self.expect(try await bench.begin(Self.eur, plan: Self.wide), .cooldown(.month, .seconds(3_600)))
            try bench.advance(.seconds(3_600))
            let probe = try await bench.granted(Self.eur, plan: Self.wide)
            let told = try await bench.finish(probe, .answered, upstreamLeft: 9_000, plan: Self.wide)
            #expect(told.shadow?.cooldowns.isEmpty == true && told.shadow?.left == 9_000)
        }
    }

    @Test(
        "a month that seems spent lets the account be asked, as long as not all of it was counted",
        arguments: StoreKind.allCases)
    func deadFleet(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(.account, plan: Self.wide)
            _ = try await bench.finish(grant, .answered, upstreamUsed: 10_000, plan: Self.wide)
            #expect(Self.word(try await bench.begin(plan: Self.wide)) == "exhausted")
            try bench.advance(.seconds(3_600))
            let again = try await bench.granted(.account, plan: Self.wide)
            let told = try await bench.finish(again, .answered, upstreamUsed: 200, plan: Self.wide)
            #expect(told.shadow?.left == 9_800)
            try bench.setCounted(10_000)
            #expect(
                Self.word(try await bench.begin(.account, plan: Self.wide, isForced: true)) == "exhausted")
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
            #expect(answer.shadow?.left == 99)
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
        "C085: a month that upstream calls used up is asked again by the hour",
        arguments: StoreKind.allCases)
    func disputedMonth(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let edge = Month(containing: bench.now).next.start
            try await bench.open(plan: Self.wide, counted: 9_500)
            for wait in [edge + .seconds(5) - bench.now, .seconds(600)] {
                let grant = try await bench.granted(plan: Self.wide, isForced: true)
                let counted = bench.shadow?.counted
                let answer = try await bench.finish(
                    grant, .limited(.month, wait: wait, reason: "quota_exceeded"), plan: Self.wide)
                // Shorter than an hour: upstream's own word.
                let rest = min(wait, .seconds(3_600))
                #expect(answer.shadow?.cooldowns.first?.rest == rest)
                // U5: the counter is untouched.
                #expect(answer.shadow?.counted == counted)
                try bench.advance(max(rest, .seconds(3_600)))
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
