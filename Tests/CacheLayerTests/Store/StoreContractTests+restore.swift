import TestSupport
import Testing

@testable import CacheLayer

extension StoreContractTests {
    @Test(
        "says lost where the control is missing, of another life or an earlier state (R8, R14)",
        arguments: StoreKind.allCases)
    func lost(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            func expectLost(_ comment: Comment) async throws {
                let grant = Grant(
                    resource: Self.usd, attempt: AttemptID(), token: FencingToken(5), interval: .zero)
                let begin = try await bench.begin()
                #expect(begin.reply == .lost && begin.shadow == nil, comment)
                #expect(try await bench.finish(grant, .unsent).reply == .lost, comment)
                #expect(try await bench.look().reply == .lost, comment)
            }
            try await expectLost("missing: nothing creates it but a testimony")
            try await bench.open()
            #expect(Self.word(try await bench.look()) == "seen")
            let birth = bench.birth
            bench.birth = "another"
            try await expectLost("another life")
            bench.birth = nil
            try await expectLost("no life known")
            bench.birth = birth
            let epoch = bench.shadow?.epoch.value ?? 0
            bench.floor = FencingToken(epoch + 1)
            try await expectLost("an earlier state than the asker's memory")
            bench.floor = FencingToken(epoch)
            #expect(Self.word(try await bench.look()) == "seen")
            bench.version += 1
            try await expectLost("an earlier version than the asker has seen")
            bench.version -= 1
            #expect(Self.word(try await bench.look()) == "seen")
            try bench.flush()
            try await expectLost("flushed")
        }
    }

    @Test("opens a new control after its grace, with one free grant", arguments: StoreKind.allCases)
    func grace(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            let answer = try await bench.restore(ledger: .init(month: month, counted: 0, age: .zero))
            #expect(answer.reply.opensAt == bench.now + .seconds(3))
            #expect(answer.shadow?.birth == "birth-1")
            try bench.advance(.milliseconds(2_999))
            Self.expect(try await bench.begin(), .paced(.milliseconds(1)))
            // Another testimony neither moves the opening nor begins another life.
            let other = try await bench.restore(birth: "old")
            #expect(other.reply == answer.reply && other.shadow?.birth == "birth-1")
            try bench.advance(.milliseconds(1))
            _ = try await bench.finish(bench.granted(), .unsent)
            Self.expect(try await bench.begin(), .paced(.seconds(5)))
        }
    }

    @Test(
        "assumes the elapsed part of the month's plan where nobody knows, and says so",
        arguments: StoreKind.allCases)
    func blankShare(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let answer = try await bench.restore()
            // Nine and a half days of 31.
            #expect(answer.shadow?.assumed == 3_064 && answer.shadow?.assumedReason == "before")
            #expect(answer.shadow?.counted == 0 && answer.shadow?.external == 0)
            #expect(Pace.blankShare(at: bench.now, plan: 10_000) == 3_064)
        }
    }

    @Test("assumes nothing for anonymous use: it has no month", arguments: StoreKind.allCases)
    func blankAnonymous(kind: StoreKind) async throws {
        let plan = QuotaPlan(monthly: 10_000, perMinute: 12, perHour: 100)
        try await StoreBench.with(kind) { bench in
            let answer = try await bench.restore(plan: plan)
            #expect(answer.shadow?.booked == 0)
        }
    }

    @Test(
        "assumes nothing after a loss where every member that was there testifies (R8, R14)",
        arguments: StoreKind.allCases)
    func allTestify(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            func ledger(_ counted: Int64, _ members: [String], age: Duration) -> Testimony.Ledger {
                .init(month: month, counted: counted, members: members, age: age)
            }
            let first = try await bench.restore(
                ledger: ledger(100, ["b"], age: .seconds(1)), birth: "old", holder: "a")
            // Until "b" speaks, what it may have spent is assumed: one call in flight, and a second's pace.
            #expect(first.shadow?.counted == 100 && first.shadow?.assumedReason == "lost")
            #expect(first.shadow?.assumed == 2)
            let second = try await bench.restore(
                ledger: ledger(101, ["a"], age: .seconds(2)), birth: "old", holder: "b")
            #expect(second.shadow?.counted == 101 && second.shadow?.assumed == 0)
            #expect(second.shadow?.assumedReason == nil)
        }
    }

    @Test(
        "assumes no more than an hour of the fleet's pace and the calls in flight for members that are missing",
        arguments: StoreKind.allCases)
    func missingMembers(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            // 9,900 calls left, 95 % of them over 21.5 days: one in 197.5 s.
            for (age, expected) in [(0, 1), (197, 2), (198, 3), (3_600, 20), (50_400, 19)] as [(Int64, Int64)]
            {
                try bench.flush()
                let ledger = Testimony.Ledger(
                    month: month, counted: 100, members: ["gone"], age: .seconds(age))
                for _ in 0..<2 {
                    let answer = try await bench.restore(ledger: ledger, birth: "old")
                    #expect(answer.shadow?.counted == 100)
                    #expect(answer.shadow?.assumed == expected, "\(age) s")
                }
            }
        }
    }

    @Test(
        "a late witness raises what was counted and adds no assumption; upstream's count ends all of them",
        arguments: StoreKind.allCases)
    func lateWitness(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            _ = try await bench.restore(
                ledger: .init(month: month, counted: 100, members: ["b", "c"], age: .seconds(1)),
                birth: "old", holder: "a")
            try bench.advance(.seconds(240))
            let own = try await bench.granted()
            _ = try await bench.finish(own, .answered)
            #expect(bench.shadow?.counted == 101 && bench.shadow?.assumed == 2)
            // It stood still for four minutes: its memory is older than what it asks about.
            for _ in 0..<3 {
                let late = try await bench.restore(
                    ledger: .init(month: month, counted: 140, members: ["a", "c"], age: .seconds(241)),
                    birth: "old", holder: "b")
                #expect(late.shadow?.counted == 141)
                #expect((late.shadow?.assumed ?? 9) <= 2)
            }
            try bench.advance(.seconds(60))
            let account = try await bench.granted(.account)
            let told = try await bench.finish(account, .answered, upstreamUsed: 150)
            #expect(told.shadow?.counted == 142 && told.shadow?.assumed == 0 && told.shadow?.external == 8)
        }
    }

    @Test(
        "a control that is older than it was seen is a loss, however often it happens (R8)",
        arguments: StoreKind.allCases)
    func rollback(kind: StoreKind) async throws {
        let plan = QuotaPlan(monthly: 12, perMinute: 60_000)
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: plan)
            try bench.backUpControl()
            var calls = 0
            for _ in 0..<30 {
                try bench.rollBackControl()
                var answer = try await bench.begin(plan: plan, isForced: true)
                if answer.reply == .lost {
                    let shadow = bench.shadow
                    let counted =
                        shadow?.month == Month(containing: bench.now).description ? shadow?.counted : nil
                    _ = try await bench.restore(
                        ledger: counted.map {
                            .init(month: shadow?.month ?? "", counted: $0, age: .zero)
                        }, plan: plan)
                    try bench.advance(StoreTimings.grace)
                    answer = try await bench.begin(plan: plan, isForced: true)
                }
                if case .fetch(let token, _, let interval) = answer.reply, let attempt = bench.lastAttempt {
                    calls += 1
                    let grant = Grant(resource: Self.usd, attempt: attempt, token: token, interval: interval)
                    _ = try await bench.finish(
                        grant, .failed(reason: "http_500", keepsSlot: false), plan: plan)
                }
                try bench.advance(.seconds(60))
            }
            #expect(calls == 12)
        }
    }

    @Test(
        "by a clock that differs from the asker's by over ten minutes no call, life or month begins",
        arguments: StoreKind.allCases)
    func disputedClock(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(counted: 41)
            let month = bench.shadow?.month
            let start = bench.now
            bench.wall = start
            for (ahead, isDisputed) in [
                (Duration.seconds(600), false), (.seconds(601), true), (.seconds(400 * 86_400), true),
            ] {
                try bench.set(start + ahead)
                let reply = try await bench.begin(least: .zero, isForced: true).reply
                #expect((reply == .disputed(ahead)) == isDisputed, "\(reply)")
                #expect(bench.shadow?.month == month)
            }
            // A clock that is right again finds all as it was.
            try bench.set(start + .seconds(1))
            #expect(try await bench.look().shadow?.counted ?? 0 >= 41)
            try bench.set(start + .seconds(400 * 86_400))
            try bench.loseControl()
            #expect(try await bench.restore().shadow == nil)
            try bench.set(start)
            #expect(try await bench.restore().shadow?.month == month)
        }
    }

    @Test("is not raised by a memory of its own life", arguments: StoreKind.allCases)
    func ownLife(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let used = bench.shadow?.booked ?? 0
            let month = Month(containing: bench.now).description
            for _ in 0..<3 {
                let answer = try await bench.restore(
                    ledger: .init(month: month, counted: used, age: .seconds(60)))
                #expect(answer.shadow?.booked == used)
            }
        }
    }

    @Test("brings back the flight that is under way, once (R8)", arguments: StoreKind.allCases)
    func reinstated(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            let flight = Testimony.Flight(
                attempt: grant.attempt, token: grant.token, resource: grant.resource, age: .seconds(4))
            // It has a record: nothing is added.
            #expect(try await bench.restore(flight: flight).shadow?.reserved == 1)
            try bench.loseControl()
            let month = Month(containing: bench.now).description
            let answer = try await bench.restore(
                ledger: .init(month: month, counted: 2, age: .zero), flight: flight, floor: grant.token)
            #expect(answer.shadow?.reserved == 1)
            #expect(try await bench.restore(flight: flight).shadow?.reserved == 1)
            try bench.advance(.seconds(3))
            Self.expect(try await bench.begin(), .busy(.seconds(8)))
            _ = try await bench.finish(grant, .unsent)
            #expect(bench.shadow?.booked == 1)
            // One whose lease is over isn't brought back.
            try bench.loseControl()
            let old = Testimony.Flight(
                attempt: AttemptID(), token: grant.token, resource: grant.resource, age: .seconds(15))
            #expect(try await bench.restore(flight: old, floor: grant.token).shadow?.reserved == 0)
        }
    }

    @Test("remembers a pause that any witness remembers (R8, R12, C126)", arguments: StoreKind.allCases)
    func rememberedPause(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            try bench.loseControl()
            let short = Shadow.Cooldown(
                scope: .short, rest: .seconds(100), strikes: 2, reason: "rate_limited")
            let longer = Shadow.Cooldown(scope: .short, rest: .seconds(120), strikes: 1, reason: "other")
            _ = try await bench.restore(cooldowns: [short])
            let answer = try await bench.restore(cooldowns: [longer])
            #expect(
                answer.shadow?.cooldowns
                    == [.init(scope: .short, rest: .seconds(120), strikes: 2, reason: "other")])
            try bench.advance(.seconds(120) + .milliseconds(-1))
            Self.expect(try await bench.begin(), .cooldown(.short, .milliseconds(1)))
            try bench.advance(.milliseconds(1))
            let probe = try await bench.granted()
            // A testimony to the open control doesn't make the probe an old call.
            _ = try await bench.restore()
            _ = try await bench.finish(probe, .fetched(bench.snapshot(probe)))
            #expect(bench.shadow?.cooldowns.isEmpty == true)
            // Its own life's memory of what has been cleared since doesn't bring it back.
            let ended = Shadow.Cooldown(scope: .short, rest: .zero, strikes: 2, reason: "rate_limited")
            #expect(try await bench.restore(cooldowns: [ended]).shadow?.cooldowns.isEmpty == true)
        }
    }

    @Test("refills snapshots from memories, by the one comparison (R13)", arguments: StoreKind.allCases)
    func refill(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let first = try await bench.granted()
            let old = bench.snapshot(first, dataTime: 1_000)
            _ = try await bench.finish(first, .fetched(old))
            try bench.advance(.seconds(400))
            let second = try await bench.granted(held: old.order)
            let new = bench.snapshot(second, dataTime: 2_000)
            _ = try await bench.finish(second, .fetched(new))
            try bench.loseSnapshot(of: Self.usd)
            guard case .seen(let seen) = try await bench.look([(Self.usd, new.order)]).reply else {
                Issue.record("lost")
                return
            }
            #expect(seen.first?.standing == .behind)
            for (told, expected) in [(old, old), (new, new), (old, new)] {
                _ = try await bench.restore(snapshots: [told])
                #expect(try await bench.store.snapshot(of: Self.usd)?.id == expected.id)
            }
        }
    }

    @Test("draws above the token of what was fetched without it", arguments: StoreKind.allCases)
    func foreignToken(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let first = try await bench.granted()
            let drawn = bench.snapshot(first, dataTime: 1_000)
            _ = try await bench.finish(first, .fetched(drawn))
            let birth = bench.birth
            let own = Grant(
                resource: Self.usd, attempt: AttemptID(), token: FencingToken(first.token.value + 40_000_000),
                interval: .zero)
            let fetched = bench.snapshot(own, dataTime: 2_000)
            // Told with the highest token that the store itself has drawn: no loss.
            let answer = try await bench.restore(snapshots: [fetched], floor: first.token)
            #expect(answer.shadow?.birth == birth && answer.shadow?.epoch == own.token)
            #expect(try await bench.store.snapshot(of: Self.usd)?.id == fetched.id)
            // Those who adopt it aren't ahead of the store.
            bench.floor = own.token
            #expect(Self.word(try await bench.look([(Self.usd, fetched.order)])) == "seen")
            try bench.loseSnapshot(of: Self.usd)
            try bench.advance(.seconds(400))
            #expect(try await bench.granted().token > own.token)
        }
    }

    @Test("counts calls made without the store once, as a running total", arguments: StoreKind.allCases)
    func offlineCalls(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let used = bench.shadow?.booked ?? 0
            let month = Month(containing: bench.now).description
            for (holder, calls, expected) in [
                ("a", 3, 3), ("a", 3, 3), ("b", 2, 5), ("a", 4, 6), ("a", 1, 6),
            ] as [(String, Int64, Int64)] {
                let answer = try await bench.restore(
                    offline: .init(month: month, calls: calls), holder: holder)
                #expect(answer.shadow?.booked == used + expected)
            }
            #expect(
                try await bench.restore(offline: .init(month: "2026-02", calls: 90)).shadow?.booked == used
                    + 6)
        }
    }

    @Test(
        "adds calls made without the store to what any memory bounds, in either order",
        arguments: StoreKind.allCases)
    func offlineOnTop(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            let bounds: [(Testimony.Ledger, Int64)] = [
                (.init(month: "2026-02", counted: 9, age: .seconds(5_000)), 3_064 + 5),
                (.init(month: month, counted: 50, age: .zero), 50 + 5),
            ]
            for (ledger, expected) in bounds {
                for order in [[0, 1], [1, 0]] {
                    try bench.flush()
                    for number in order {
                        let witness =
                            number == 0
                            ? testimony("a", floor: 0, ledger: ledger)
                            : testimony("b", floor: 0, offline: .init(month: month, calls: 5))
                        bench.shadow = try await bench.store.restore(witness).shadow
                    }
                    #expect(bench.shadow?.booked == expected)
                }
            }
        }
    }

    @Test(
        "comes to the same whatever order its witnesses speak in, however often",
        arguments: StoreKind.allCases)
    func anyOrder(kind: StoreKind) async throws {
        let month = Month(containing: StoreBench.noon).description
        let grant = Grant(
            resource: Self.usd, attempt: AttemptID(stored: "f1"), token: FencingToken(70), interval: .zero)
        try await StoreBench.with(kind) { bench in
            let body = bench.snapshot(grant)
            let older = bench.snapshot(
                Grant(resource: Self.usd, attempt: grant.attempt, token: FencingToken(60), interval: .zero))
            let witnesses = [
                testimony("nothing", floor: 0),
                testimony("late", floor: 60, ledger: .init(month: "2026-02", counted: 50, age: .seconds(90))),
                testimony(
                    "a", floor: 70, ledger: .init(month: month, counted: 80, age: .seconds(1)),
                    cooldowns: [.init(scope: .short, rest: .seconds(30), strikes: 3, reason: "x")],
                    flight: .init(
                        attempt: grant.attempt, token: grant.token, resource: Self.usd, age: .seconds(2)),
                    snapshots: [older]),
                testimony(
                    "b", floor: 90, ledger: .init(month: month, counted: 60, age: .seconds(200)),
                    cooldowns: [
                        .init(scope: .short, rest: .seconds(40), strikes: 1, reason: "y"),
                        .init(scope: .month, rest: .seconds(9_000), strikes: 1, reason: "z"),
                    ],
                    offline: .init(month: month, calls: 7), snapshots: [body]),
                testimony("c", floor: 20, offline: .init(month: month, calls: 4)),
                // Knows the latest token and no pause: calls begun before it clear none all the same.
                testimony("d", floor: 95),
            ]
            var numbers = SeededNumbers(seed: 20_260_310)
            var outcomes: Set<String> = []
            for _ in 0..<40 {
                try bench.flush()
                var last: Shadow?
                let again = witnesses.shuffled(using: &numbers).prefix(2)
                for witness in witnesses.shuffled(using: &numbers) + again {
                    last = try await bench.store.restore(witness).shadow
                }
                guard let last else { continue }
                let kept = try await bench.store.snapshot(of: Self.usd)?.id
                outcomes.insert(
                    "\(last.epoch) \(last.counted) \(last.assumed) \(last.reserved) \(last.cooldowns) \(String(describing: kept)) "
                        + "\(try bench.cooldownTokens())")
            }
            #expect(outcomes.count == 1, "\(outcomes)")
            // The most that a witness knows, and 11 calls that were made without the store.
            #expect(outcomes.first?.hasPrefix("95 91 0 1 ") == true, "\(outcomes)")
        }
    }

    private func testimony(
        _ holder: String, floor: Int64, ledger: Testimony.Ledger? = nil, cooldowns: [Shadow.Cooldown] = [],
        flight: Testimony.Flight? = nil, offline: Testimony.Offline? = nil, snapshots: [StoredSnapshot] = []
    ) -> Testimony {
        Testimony(
            holder: holder, floor: FencingToken(floor), birth: "old", ledger: ledger, cooldowns: cooldowns,
            flight: flight, offline: offline, snapshots: snapshots, plan: Self.plan, lease: .seconds(15),
            grace: StoreTimings.grace)
    }
}
