import Testing

@testable import CacheLayer

extension StoreContractTests {
    @Test("has no effect after its not-after, and has it up to then (C123)", arguments: StoreKind.allCases)
    func late(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let before = bench.shadow
            let late = try await bench.begin(notAfter: bench.now + .milliseconds(-1))
            #expect(late.reply == .late)
            #expect(late.shadow?.now == bench.now)
            #expect(late.shadow?.booked == before?.booked && late.shadow?.epoch == before?.epoch)
            #expect(Self.word(try await bench.begin(notAfter: bench.now)) == "fetch")
        }
    }

    @Test(
        "answers a repeated begin with the same token and reserves once (C123)", arguments: StoreKind.allCases
    )
    func repeatedBegin(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let attempt = AttemptID()
            let first = try await bench.begin(attempt: attempt)
            guard case .fetch(let token, let left, let interval) = first.reply else {
                Issue.record("not granted: \(first.reply)")
                return
            }
            #expect(left == .seconds(15))
            try bench.advance(.milliseconds(14_999))
            let again = try await bench.begin(attempt: attempt, least: .seconds(7))
            Self.expect(again, .fetch(token, left: .milliseconds(1), interval: interval))
            #expect(again.shadow?.booked == first.shadow?.booked)
            #expect(again.shadow?.reserved == 1)
            try bench.advance(.milliseconds(1))
            #expect(Self.word(try await bench.begin(attempt: attempt)) != "fetch")
        }
    }

    @Test("offers a newer snapshot whole, and only what the asker may take", arguments: StoreKind.allCases)
    func newer(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            let snapshot = bench.snapshot(
                grant, dataTime: 5_000, source: .unknown("új"), body: Array(0...255) + [13, 10])
            #expect(try await bench.finish(grant, .fetched(snapshot)).reply == .stored)
            let used = bench.shadow?.booked
            guard case .newer(let offered) = try await bench.begin().reply else {
                Issue.record("no newer one offered")
                return
            }
            #expect(offered.kept(for: .zero) == snapshot.kept(for: .zero))
            #expect(offered.keepFor > .seconds(86_000) && offered.keepFor <= .seconds(86_400))
            #expect(bench.shadow?.booked == used)
            let order = snapshot.order
            let same = try await bench.begin(held: order)
            #expect(Self.word(same) == "paced")
            // A lower token, but a later data time of one class: offered, it would be refused for ever.
            let later = SnapshotOrder(
                token: FencingToken(1), dataTime: UnixMilliseconds(5_001), source: order.source)
            #expect(Self.word(try await bench.begin(held: later)) == "paced")
            let other = SnapshotOrder(
                token: FencingToken(1), dataTime: UnixMilliseconds(5_001), source: .live)
            #expect(Self.word(try await bench.begin(held: other)) == "newer")
        }
    }

    @Test("grants nothing within 5 s of a month's edge (C4)", arguments: StoreKind.allCases)
    func monthEdge(kind: StoreKind) async throws {
        for (offset, expected) in [
            (-5_001, nil), (-5_000, 10_001), (0, 5_001), (5_000, 1), (5_001, nil),
        ] as [(Int64, Int64?)] {
            try await StoreBench.with(kind) { bench in
                let edge = Month(containing: bench.now).next.start
                try bench.set(edge + .seconds(-60))
                try await bench.open()
                try bench.set(edge + .milliseconds(offset))
                let answer = try await bench.begin()
                if let expected {
                    Self.expect(answer, .paced(.milliseconds(expected)))
                } else {
                    #expect(Self.word(answer) == "fetch", "\(offset)")
                }
            }
        }
    }

    @Test("tells busy for the same resource, and slots taken for another one", arguments: StoreKind.allCases)
    func busyAndSlots(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            _ = try await bench.granted()
            try bench.advance(.milliseconds(14_999))
            Self.expect(try await bench.begin(), .busy(.milliseconds(1)))
            Self.expect(try await bench.begin(Self.eur), .slotsTaken(.milliseconds(1)))
            try bench.advance(.milliseconds(1))
            #expect(Self.word(try await bench.begin(Self.eur)) == "fetch")
        }
    }

    @Test("lets as many call at once as the cap says", arguments: StoreKind.allCases, [1, 2, 3] as [Int64])
    func cap(kind: StoreKind, cap: Int64) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 10_000, perMinute: 60_000, maxInFlight: cap)
            try await bench.open(plan: plan)
            try bench.advance(.seconds(1))
            var words: [String] = []
            for year in 2_000..<2_005 {
                guard let resource = Resource(name: "year:USD:\(year)") else { continue }
                words.append(Self.word(try await bench.begin(resource, plan: plan)))
            }
            #expect(words.count { $0 == "fetch" } == Int(cap))
            #expect(words.count { $0 == "slotsTaken" } == 5 - Int(cap))
        }
    }

    @Test(
        "counts a record that nobody finished as a failure: growing distances (L1, C113)",
        arguments: StoreKind.allCases)
    func unfinished(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            for strike in 1...11 {
                let grant = try await bench.granted(least: .seconds(300))
                try bench.advance(.milliseconds(14_999))
                Self.expect(try await bench.begin(least: .seconds(300)), .busy(.milliseconds(1)))
                try bench.advance(.milliseconds(1))
                let pause = Pace.backOff(
                    strikes: Int64(strike), limit: grant.interval.milliseconds, token: grant.token.value)
                let nominal = min(1_000 << (strike - 1), grant.interval.milliseconds)
                #expect((nominal...nominal + nominal / 20).contains(pause))
                Self.expect(try await bench.begin(least: .seconds(300)), .paced(.milliseconds(pause)))
                // Counted once, however often it is met.
                try bench.advance(.milliseconds(pause - 1))
                Self.expect(try await bench.begin(least: .seconds(300)), .paced(.milliseconds(1)))
                try bench.advance(.milliseconds(1))
            }
            #expect(bench.shadow?.counted == 11)
        }
    }

    @Test(
        "keeps the interval and, across resources, the rate limit with its burst",
        arguments: StoreKind.allCases)
    func intervalAndRateLimit(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 1_000_000, perMinute: 12, maxInFlight: 2)
            try await bench.open(plan: plan)
            let names = ["latest:USD", "latest:EUR", "currencies"]
            let resources = names.compactMap { Resource(name: $0) }
            // A new control begins with one free grant, 3 s ago; the burst of two is full 5 s after that.
            try bench.advance(.seconds(2))
            var grants: [Grant] = []
            for resource in resources[..<2] { grants.append(try await bench.granted(resource, plan: plan)) }
            for grant in grants {
                _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)), plan: plan)
            }
            Self.expect(try await bench.begin(resources[2], plan: plan), .paced(.seconds(5)))
            try bench.advance(.milliseconds(4_999))
            Self.expect(try await bench.begin(resources[2], plan: plan), .paced(.milliseconds(1)))
            try bench.advance(.milliseconds(1))
            let third = try await bench.granted(resources[2], plan: plan)
            _ = try await bench.finish(third, .fetched(bench.snapshot(third)), plan: plan)
            let held = bench.snapshot(grants[0]).order
            try bench.advance(.milliseconds(60_000 - 5_001))
            Self.expect(try await bench.begin(held: held, plan: plan), .paced(.milliseconds(1)))
            try bench.advance(.milliseconds(1))
            #expect(Self.word(try await bench.begin(held: held, plan: plan)) == "fetch")
        }
    }

    @Test("spreads what is left to the month's end", arguments: StoreKind.allCases)
    func pace(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(counted: 5_000)
            let rest = (Month(containing: bench.now).next.start - bench.now).milliseconds
            // (10,000 - 5,000) calls, 95 % of them; rounded up.
            let expected = (rest * 1_000 + 4_749_999) / 4_750_000
            let grant = try await bench.granted()
            #expect(grant.interval == .milliseconds(expected))
            #expect(bench.shadow?.nextAt == bench.now + .milliseconds(expected))
        }
    }

    @Test(
        "grants the last call of the plan and none after it, until the reset", arguments: StoreKind.allCases)
    func exhausted(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(counted: 9_999)
            let grant = try await bench.granted()
            #expect(bench.shadow?.booked == 10_000)
            _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)))
            try bench.advance(.seconds(60))
            let reset = Month(containing: bench.now).next.start
            Self.expect(
                try await bench.begin(Self.eur, isForced: true),
                .exhausted(reset + StoreTimings.monthEdge - bench.now))
            try bench.set(reset + .milliseconds(5_001))
            #expect(Self.word(try await bench.begin(Self.eur)) == "fetch")
        }
    }

    @Test("never grants more than is left, whoever asks at once", arguments: StoreKind.allCases)
    func concurrentBegins(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            let plan = QuotaPlan(monthly: 100, perMinute: 60_000, maxInFlight: 100)
            let month = Month(containing: bench.now).description
            _ = try await bench.restore(
                ledger: .init(month: month, counted: 0, age: .zero), plan: plan)
            try bench.setCounted(92)
            try bench.advance(.seconds(3))
            let stores = [bench.store, try await bench.another(), try await bench.another()]
            let (birth, now) = (bench.birth, bench.now)
            let replies = try await withThrowingTaskGroup(of: BeginReply.self) { group in
                for number in 0..<30 {
                    guard let resource = Resource(name: "year:USD:\(2_000 + number)") else { continue }
                    let store = stores[number % 3]
                    group.addTask {
                        try await store.begin(
                            BeginRequest(
                                resource: resource, attempt: AttemptID(), holder: "i\(number % 3)",
                                lease: .seconds(15), held: nil, floor: .none, birth: birth,
                                notAfter: now + .seconds(60), plan: plan, leastInterval: .seconds(60))
                        ).reply
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            var tokens: Set<FencingToken> = []
            for reply in replies { if case .fetch(let token, _, _) = reply { tokens.insert(token) } }
            #expect(tokens.count == 8)
            #expect(replies.count { if case .exhausted = $0 { true } else { false } } == 22)
            for store in stores.dropFirst() where bench.server != nil { await store.close() }
        }
    }

    @Test(
        "draws tokens above the clock, all memories and the stored snapshot (R8, R16)",
        arguments: StoreKind.allCases)
    func tokens(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let first = try await bench.granted(plan: Self.wide)
            #expect(first.token.value == bench.now.value)
            _ = try await bench.finish(first, .fetched(bench.snapshot(first)), plan: Self.wide)
            // The server's clock goes back an hour: still upwards.
            try bench.advance(.seconds(-3_600))
            Self.expect(try await bench.begin(Self.eur, plan: Self.wide), .paced(StoreTimings.grace))
            try bench.advance(StoreTimings.grace)
            let second = try await bench.granted(Self.eur, plan: Self.wide)
            #expect(second.token.value == first.token.value + 1)
            // The control is lost, the snapshot stays, and nobody remembers its token.
            try bench.loseControl()
            try await bench.open(plan: Self.wide)
            let third = try await bench.begin(held: bench.snapshot(first).order, plan: Self.wide)
            guard case .fetch(let token, _, _) = third.reply else {
                Issue.record("not granted: \(third.reply)")
                return
            }
            #expect(token.value == first.token.value + 1)
        }
    }

    @Test("lets an operator pass the interval, never a pause", arguments: StoreKind.allCases)
    func forced(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            let held = bench.snapshot(grant).order
            Self.expect(try await bench.begin(held: held, isForced: true), .busy(.seconds(15)))
            _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)))
            // The rate limit: 12 a minute.
            try bench.advance(.milliseconds(4_999))
            Self.expect(try await bench.begin(held: held, isForced: true), .paced(.milliseconds(1)))
            try bench.advance(.milliseconds(1))
            #expect(Self.word(try await bench.begin(held: held)) == "paced")
            let attempt = AttemptID()
            let forced = try await bench.begin(attempt: attempt, held: held, isForced: true)
            guard case .fetch(let token, _, let interval) = forced.reply else {
                Issue.record("not granted: \(forced.reply)")
                return
            }
            let second = Grant(resource: Self.usd, attempt: attempt, token: token, interval: interval)
            _ = try await bench.finish(second, .limited(.short, wait: .seconds(60), reason: "rate_limited"))
            try bench.advance(.seconds(6))
            // Seven wishes within the pause neither end it nor make it longer.
            for _ in 0..<7 {
                Self.expect(
                    try await bench.begin(held: held, isForced: true), .cooldown(.short, .seconds(54)))
            }
            #expect(bench.shadow?.cooldowns.first?.strikes == 1)
        }
    }
}
