import Testing

@testable import CacheLayer

/// Whose key was refused, and to whom a kind of resource is closed.
extension StoreContractTests {
    private static let old = KeyMark(of: "FXKEY-TEST-123", salt: "fleet")
    private static let new = KeyMark(of: "FXKEY-TEST-124", salt: "fleet")

    private func refuse(_ bench: StoreBench, _ grant: Grant, _ key: KeyMark) async throws {
        _ = try await bench.finish(
            grant, .limited(.key, wait: .seconds(3_600), reason: "key_rejected"), plan: Self.wide, key: key)
    }

    @Test(
        "a refused key stops those that hold it, and a new one may go at once (U6)",
        arguments: StoreKind.allCases)
    func newKey(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            try await refuse(bench, bench.granted(plan: Self.wide, key: Self.old), Self.old)
            Self.expect(
                try await bench.begin(Self.eur, plan: Self.wide, key: Self.old),
                .cooldown(.key, .seconds(3_600)))
            #expect(bench.shadow?.cooldowns.first?.keys == [Self.old])
            let fetch = try await bench.granted(Self.eur, plan: Self.wide, key: Self.new)
            _ = try await bench.finish(fetch, .fetched(bench.snapshot(fetch)), plan: Self.wide, key: Self.new)
            // The new one's success doesn't let the old one loose: one probe an hour.
            try bench.advance(.milliseconds(3_599_999))
            Self.expect(
                try await bench.begin(.currencies, plan: Self.wide, key: Self.old),
                .cooldown(.key, .milliseconds(1)))
            try bench.advance(.milliseconds(1))
            let probe = try await bench.granted(.currencies, plan: Self.wide, key: Self.old)
            // While it is out, those with the old key wait for it, and those with the new one don't.
            Self.expect(
                try await bench.begin(Self.year(2_001), plan: Self.wide, key: Self.old),
                .cooldown(.key, .seconds(15)))
            let other = try await bench.granted(Self.year(2_001), plan: Self.wide, key: Self.new)
            try await refuse(bench, probe, Self.old)
            _ = try await bench.finish(other, .answered, plan: Self.wide, key: Self.new)
            Self.expect(
                try await bench.begin(Self.year(2_002), plan: Self.wide, key: Self.old),
                .cooldown(.key, .seconds(3_600)))
            #expect(bench.shadow?.cooldowns.first?.strikes == 2)
        }
    }

    @Test("two refused keys don't let each other loose", arguments: StoreKind.allCases)
    func twoRefusedKeys(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            try await refuse(bench, bench.granted(plan: Self.wide, key: Self.old), Self.old)
            try bench.advance(.seconds(60))
            try await refuse(bench, bench.granted(Self.eur, plan: Self.wide, key: Self.new), Self.new)
            for key in [Self.old, Self.new] {
                Self.expect(
                    try await bench.begin(.currencies, plan: Self.wide, key: key),
                    .cooldown(.key, .seconds(3_600)))
            }
            #expect(Self.word(try await bench.begin(.currencies, plan: Self.wide)) == "fetch")
        }
    }

    @Test("a control made anew is told whose key was refused", arguments: StoreKind.allCases)
    func refusedKeyAfterLoss(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            try await refuse(bench, bench.granted(plan: Self.wide, key: Self.old), Self.old)
            let told = bench.shadow?.cooldowns ?? []
            try bench.loseControl()
            _ = try await bench.restore(cooldowns: told, plan: Self.wide)
            // Another witness has met the refusal of another key.
            _ = try await bench.restore(
                cooldowns: [
                    .init(
                        scope: .key, rest: .seconds(60), strikes: 1, reason: "key_rejected", keys: [Self.new])
                ], plan: Self.wide)
            try bench.advance(StoreTimings.grace)
            #expect(Set(bench.shadow?.cooldowns.first?.keys ?? []) == [Self.old, Self.new])
            #expect(Self.word(try await bench.begin(plan: Self.wide, key: Self.old)) == "cooldown")
            #expect(Self.word(try await bench.begin(plan: Self.wide, key: .anonymous)) == "fetch")
            // A witness that doesn't know whose it was: everybody's.
            try bench.loseControl()
            _ = try await bench.restore(cooldowns: told, plan: Self.wide)
            _ = try await bench.restore(
                cooldowns: [.init(scope: .key, rest: .seconds(60), strikes: 1, reason: "key_rejected")],
                plan: Self.wide)
            try bench.advance(StoreTimings.grace)
            #expect(Self.word(try await bench.begin(plan: Self.wide)) == "cooldown")
        }
    }

    @Test(
        "403 closes one base for an hour, doubling up to a day, and nothing else (U6)",
        arguments: StoreKind.allCases)
    func refusedBase(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            var hours: Int64 = 1
            for strike in 1...7 {
                let grant = try await bench.granted(Self.eur, plan: Self.wide, key: Self.old)
                for _ in 0..<2 {
                    let answer = try await bench.finish(grant, .refused, plan: Self.wide, key: Self.old)
                    #expect(answer.reply == .noted)
                    #expect(
                        answer.shadow?.refusals == [
                            .init(
                                kind: "latest:EUR", key: Self.old, rest: .seconds(3_600 * hours),
                                strikes: Int64(strike))
                        ])
                }
                Self.expect(
                    try await bench.begin(Self.eur, plan: Self.wide, key: Self.old),
                    .refused(.seconds(3_600 * hours)))
                if strike == 1 {
                    // Others, and the same base with another key, go on; an operator may ask all the same.
                    let usd = try await bench.granted(plan: Self.wide, key: Self.old)
                    _ = try await bench.finish(
                        usd, .fetched(bench.snapshot(usd)), plan: Self.wide, key: Self.old)
                    try bench.advance(.seconds(300))
                    hours = 1
                    let forced = try await bench.granted(
                        Self.eur, plan: Self.wide, key: Self.old, isForced: true)
                    _ = try await bench.finish(forced, .unsent, plan: Self.wide, key: Self.old)
                }
                let rest = bench.shadow?.refusals.first?.rest ?? .zero
                try bench.advance(rest + .milliseconds(-1))
                Self.expect(
                    try await bench.begin(Self.eur, plan: Self.wide, key: Self.old),
                    .refused(.milliseconds(1)))
                try bench.advance(.milliseconds(1))
                hours = min(hours * 2, 24)
            }
            let good = try await bench.granted(Self.eur, plan: Self.wide, key: Self.old)
            let answer = try await bench.finish(
                good, .fetched(bench.snapshot(good)), plan: Self.wide, key: Self.old)
            #expect(answer.shadow?.refusals.isEmpty == true)
        }
    }

    @Test(
        "a refusal leaves no distance behind it: a new key may ask at once, however long the interval was",
        arguments: StoreKind.allCases)
    func refusedList(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let day = Duration.seconds(86_400)
            let grant = try await bench.granted(.currencies, plan: Self.wide, least: day, key: Self.old)
            let answer = try await bench.finish(grant, .refused, plan: Self.wide, key: Self.old)
            #expect(answer.shadow?.nextAt == bench.now)
            try bench.advance(.milliseconds(1))
            Self.expect(
                try await bench.begin(.currencies, plan: Self.wide, least: day, key: Self.old),
                .refused(.milliseconds(3_599_999)))
            let other = try await bench.granted(.currencies, plan: Self.wide, least: day, key: Self.new)
            let next = try await bench.finish(
                other, .fetched(bench.snapshot(other)), plan: Self.wide, key: Self.new)
            // A report that is sent again moves nothing.
            let again = try await bench.finish(grant, .refused, plan: Self.wide, key: Self.old)
            #expect(again.shadow?.nextAt == bench.now + day && next.shadow?.nextAt == bench.now + day)
        }
    }

    @Test(
        "more refusals than there is room for keep their distance, or each would push out the other's",
        arguments: StoreKind.allCases)
    func refusalsBeyondRoom(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            var last: Resource?
            for number in 0..<33 {
                try bench.advance(.milliseconds(1))
                let letters = [number / 26, number % 26].map { String(UnicodeScalar(UInt8(65 + $0))) }
                let base = try #require(Resource(name: "latest:X" + letters.joined()))
                let grant = try await bench.granted(base, plan: Self.wide, key: Self.old)
                let answer = try await bench.finish(grant, .refused, plan: Self.wide, key: Self.old)
                #expect(answer.shadow?.nextAt == bench.now + (number < 32 ? .zero : grant.interval))
                last = base
            }
            #expect(bench.shadow?.refusals.count == 32)
            let paced = try await bench.begin(try #require(last), plan: Self.wide, key: Self.new)
            #expect(Self.word(paced) == "paced")
        }
    }

    @Test("all of history is one kind", arguments: StoreKind.allCases)
    func refusedHistory(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(Self.year(2_001), plan: Self.wide)
            _ = try await bench.finish(grant, .refused, plan: Self.wide)
            Self.expect(
                try await bench.begin(Self.year(2_002), plan: Self.wide), .refused(.seconds(3_600)))
            let other = try await bench.granted(Self.usd, plan: Self.wide, key: Self.new)
            _ = try await bench.finish(other, .answered, plan: Self.wide, key: Self.new)
            try bench.advance(.milliseconds(1))
            _ = try await bench.granted(Self.year(2_002), plan: Self.wide, key: Self.new)
        }
    }

    @Test("a jump of the clock makes no refusal longer than a day (R16)", arguments: StoreKind.allCases)
    func refusalAfterClockBack(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(Self.eur, plan: Self.wide)
            _ = try await bench.finish(grant, .refused, plan: Self.wide)
            try bench.advance(.seconds(-5 * 86_400))
            _ = try await bench.look(plan: Self.wide)
            #expect(bench.shadow?.refusals.first?.rest == .seconds(86_400))
            // Long over: the next one begins anew.
            try bench.advance(.seconds(9 * 86_400))
            _ = try await bench.look(plan: Self.wide)
            #expect(bench.shadow?.refusals.isEmpty == true)
        }
    }
}
