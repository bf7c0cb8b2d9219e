import Testing

@testable import CacheLayer

/// Instances with different limits, as while they are restarted one after the other.
extension StoreContractTests {
    private static let small = QuotaPlan(monthly: 1_000, perMinute: 60_000, maxInFlight: 2)
    private static let large = QuotaPlan(monthly: 10_000, perMinute: 60_000, maxInFlight: 2)

    @Test(
        "the smallest plan of all members holds, from when one is there until half a minute after it was heard",
        arguments: StoreKind.allCases)
    func smallestPlan(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.large, counted: 999)
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 10_000)
            try await bench.store.attend("b", MemberLimits(Self.small))
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 1_000)
            // One call is left of the smaller plan, whoever takes it.
            let grant = try await bench.granted(plan: Self.large)
            #expect(bench.shadow?.plan == 1_000 && bench.shadow?.left == 0)
            _ = try await bench.finish(grant, .answered, plan: Self.large)
            #expect(Self.word(try await bench.begin(Self.eur, plan: Self.large)) == "exhausted")
            try bench.advance(StoreTimings.presenceKept - .milliseconds(1))
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 1_000)
            try bench.advance(.milliseconds(1))
            #expect(try await bench.look(plan: Self.large).shadow?.plan == 10_000)
        }
    }

    @Test(
        "never more calls begin within any 60 s than the smallest limit of all members, over the whole fleet",
        arguments: StoreKind.allCases)
    func smallestMinute(kind: StoreKind) async throws {
        let fast = QuotaPlan(monthly: 1_000_000, perMinute: 600)
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: fast)
            try await bench.store.attend("b", MemberLimits(QuotaPlan(monthly: 1_000_000, perMinute: 12)))
            var starts: [UnixMilliseconds] = []
            let end = bench.now + .seconds(180)
            while bench.now < end {
                try await bench.store.attend("b", MemberLimits(QuotaPlan(monthly: 1_000_000, perMinute: 12)))
                let answer = try await bench.begin(plan: fast, isForced: true, isAwaited: true)
                if case .fetch(let token, _, let interval) = answer.reply, let attempt = bench.lastAttempt {
                    starts.append(bench.now)
                    let grant = Grant(resource: Self.usd, attempt: attempt, token: token, interval: interval)
                    _ = try await bench.finish(grant, .answered, plan: fast)
                }
                try bench.advance(.milliseconds(500))
            }
            for first in starts {
                let within = starts.count { $0 >= first && $0 - first < .seconds(60) }
                #expect(within <= 12)
            }
            #expect(starts.count >= 30, "\(starts.count)")
        }
    }

    @Test(
        "up to half a minute's calls come at once where clients wait, and one at a time where nobody does",
        arguments: StoreKind.allCases)
    func burst(kind: StoreKind) async throws {
        for (isAwaited, expected) in [(true, 6), (false, 1)] {
            try await StoreBench.with(kind) { bench in
                try await bench.open()
                var calls = 0
                for number in 0..<12 {
                    let answer = try await bench.begin(Self.year(2_000 + number), isAwaited: isAwaited)
                    guard case .fetch(let token, _, let interval) = answer.reply,
                        let attempt = bench.lastAttempt
                    else {
                        #expect(Self.word(answer) == "paced")
                        break
                    }
                    calls += 1
                    let grant = Grant(
                        resource: Self.year(2_000 + number), attempt: attempt, token: token,
                        interval: interval)
                    _ = try await bench.finish(grant, .answered)
                }
                #expect(calls == expected)
            }
        }
    }
}
