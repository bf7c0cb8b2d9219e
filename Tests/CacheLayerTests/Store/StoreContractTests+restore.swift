import TestSupport
import Testing

@testable import CacheLayer

extension StoreContractTests {
    @Test(
        "says lost where the control is missing, of another life, server or time (R8, R14)",
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
            try bench.changeStamp()
            try await expectLost("another server")
            try bench.flush()
            try await expectLost("flushed")
        }
    }

    @Test("opens a new control after its grace, with one free grant", arguments: StoreKind.allCases)
    func grace(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            let answer = try await bench.restore(ledger: .init(month: month, used: 0, age: .zero))
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

    @Test("takes the elapsed part of the month's plan where nobody knows", arguments: StoreKind.allCases)
    func blankShare(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let answer = try await bench.restore()
            // Nine and a half days of 31.
            let share: Int64 = 3_064
            #expect(answer.shadow?.used == share)
            #expect(Pace.blankShare(at: bench.now, plan: 10_000) == share)
        }
    }

    @Test(
        "never counts beyond the plan for what lost writes may have granted (R8)",
        arguments: StoreKind.allCases)
    func lossAtTheEnd(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            for (used, expected) in [(9_998, 9_999), (9_999, 10_000), (10_000, 10_000), (10_003, 10_003)]
                as [(Int64, Int64)]
            {
                try bench.flush()
                try await bench.open()
                try bench.setUsed(used)
                try bench.changeStamp()
                #expect(try await bench.restore().shadow?.used == expected)
            }
        }
    }

    @Test(
        "rebuilds the ledger from a memory, with all that it may have missed (R8, R14)",
        arguments: StoreKind.allCases)
    func margin(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            for (used, age, expected) in [
                (100, 0, 101), (100, 4_999, 101), (100, 5_000, 102), (100, 60_000, 113),
                (9_999, 600_000, 10_000), (12_000, 600_000, 12_000),
            ] as [(Int64, Int64, Int64)] {
                try bench.flush()
                let answer = try await bench.restore(
                    ledger: .init(month: month, used: used, age: .milliseconds(age)), birth: "old")
                #expect(answer.shadow?.used == expected)
                // The same again, and a smaller one: nothing moves.
                #expect(
                    try await bench.restore(
                        ledger: .init(month: month, used: used, age: .milliseconds(age)), birth: "old"
                    ).shadow?.used == expected)
                #expect(
                    try await bench.restore(
                        ledger: .init(month: month, used: 7, age: .zero), birth: "old"
                    ).shadow?.used == expected)
            }
            // A memory of last month only bounds what may have been granted since.
            try bench.flush()
            let earlier = try await bench.restore(
                ledger: .init(month: "2026-02", used: 9_000, age: .seconds(60)), birth: "old")
            #expect(earlier.shadow?.used == 3_064)
        }
    }

    @Test("is not raised by a memory of its own life", arguments: StoreKind.allCases)
    func ownLife(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let used = bench.shadow?.used ?? 0
            let month = Month(containing: bench.now).description
            for _ in 0..<3 {
                let answer = try await bench.restore(
                    ledger: .init(month: month, used: used, age: .seconds(60)))
                #expect(answer.shadow?.used == used)
            }
        }
    }

    @Test("begins a new life on an earlier state, on top of it (R8)", arguments: StoreKind.allCases)
    func earlierState(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(used: 41)
            let grant = try await bench.granted()
            #expect(bench.shadow?.used == 43)
            try bench.changeStamp()
            let answer = try await bench.restore(floor: grant.token)
            #expect(answer.shadow?.birth == "birth-2")
            #expect(answer.shadow?.used == 44)
            #expect(try bench.control("carry") == 2)
            #expect(answer.shadow?.reserved == 1)
            #expect(answer.reply.opensAt == bench.now + .seconds(3))
            // Later tokens that a witness tells while it is rebuilt are no new loss; afterwards they are.
            let seen = FencingToken(grant.token.value + 10)
            let told = try await bench.restore(floor: seen)
            #expect(told.shadow?.birth == "birth-2" && told.shadow?.epoch == seen)
            #expect(told.shadow?.used == 44 && told.reply == answer.reply)
            try bench.advance(.seconds(3))
            let floor = FencingToken(grant.token.value + 10_000)
            let behind = try await bench.restore(floor: floor)
            #expect(behind.shadow?.birth == "birth-4")
            #expect(behind.shadow?.epoch == floor)
            #expect(behind.shadow?.used == 45)
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
                ledger: .init(month: month, used: 2, age: .zero), flight: flight, floor: grant.token)
            #expect(answer.shadow?.reserved == 1)
            #expect(try await bench.restore(flight: flight).shadow?.reserved == 1)
            try bench.advance(.seconds(3))
            Self.expect(try await bench.begin(), .busy(.seconds(8)))
            _ = try await bench.finish(grant, .unsent)
            #expect(bench.shadow?.used == 2)
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
            let used = bench.shadow?.used ?? 0
            let month = Month(containing: bench.now).description
            for (holder, calls, expected) in [
                ("a", 3, 3), ("a", 3, 3), ("b", 2, 5), ("a", 4, 6), ("a", 1, 6),
            ] as [(String, Int64, Int64)] {
                let answer = try await bench.restore(
                    offline: .init(month: month, calls: calls), holder: holder)
                #expect(answer.shadow?.used == used + expected)
            }
            #expect(
                try await bench.restore(offline: .init(month: "2026-02", calls: 90)).shadow?.used == used + 6)
        }
    }

    @Test(
        "adds calls made without the store to what any memory bounds, in either order",
        arguments: StoreKind.allCases)
    func offlineOnTop(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let month = Month(containing: bench.now).description
            let bounds: [(Testimony.Ledger, Int64)] = [
                // 5,000 s of last month's memory: 1 + 1,000 and less than the share, then more than it.
                (.init(month: "2026-02", used: 9, age: .seconds(5_000)), 3_064 + 5),
                (.init(month: "2026-02", used: 9, age: .seconds(20_000)), 4_001 + 5),
                (.init(month: month, used: 50, age: .zero), 51 + 5),
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
                    #expect(bench.shadow?.used == expected)
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
                testimony("late", floor: 60, ledger: .init(month: "2026-02", used: 50, age: .seconds(90))),
                testimony(
                    "a", floor: 70, ledger: .init(month: month, used: 80, age: .seconds(1)),
                    cooldowns: [.init(scope: .short, rest: .seconds(30), strikes: 3, reason: "x")],
                    flight: .init(
                        attempt: grant.attempt, token: grant.token, resource: Self.usd, age: .seconds(2)),
                    snapshots: [older]),
                testimony(
                    "b", floor: 90, ledger: .init(month: month, used: 60, age: .seconds(200)),
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
                    "\(last.epoch) \(last.used) \(last.reserved) \(last.cooldowns) \(String(describing: kept)) "
                        + "\(try bench.cooldownTokens())")
            }
            #expect(outcomes.count == 1, "\(outcomes)")
            // 60 + 1 + 40 beats 80 + 1 + 0; 11 calls were made without the store.
            #expect(outcomes.first?.hasPrefix("95 112 1 ") == true, "\(outcomes)")
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
