import Testing

@testable import CacheLayer

extension StoreContractTests {
    @Test("stores once, however often it is told (C123)", arguments: StoreKind.allCases)
    func storedTwice(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            let snapshot = bench.snapshot(grant)
            let first = try await bench.finish(grant, .fetched(snapshot))
            #expect(first.reply == .stored)
            #expect(first.shadow?.reserved == 0)
            try bench.advance(.seconds(1))
            let again = try await bench.finish(grant, .fetched(snapshot))
            #expect(again.reply == .stored)
            #expect(again.shadow?.booked == first.shadow?.booked)
            #expect(
                try await bench.store.snapshot(of: Self.usd)?.kept(for: .zero) == snapshot.kept(for: .zero))
            #expect(
                try await bench.store.archived(snapshot.id)?.kept(for: .zero) == snapshot.kept(for: .zero))
        }
    }

    @Test("refuses what is not newer, and says what is there (P4, L2, R9)", arguments: StoreKind.allCases)
    func fencedAndOlder(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let paused = try await bench.granted(plan: Self.wide)
            try bench.advance(.seconds(60))
            let next = try await bench.granted(plan: Self.wide)
            let there = bench.snapshot(next, dataTime: 2_000)
            #expect(try await bench.finish(next, .fetched(there), plan: Self.wide).reply == .stored)
            // The paused one comes back after its lease: refused, although its data time is later.
            let late = bench.snapshot(paused, dataTime: 3_000)
            let fenced = try await bench.finish(paused, .fetched(late), plan: Self.wide)
            guard case .fenced(let carried) = fenced.reply else {
                Issue.record("not fenced: \(fenced.reply)")
                return
            }
            #expect(carried.kept(for: .zero) == there.kept(for: .zero))
            // Data time one millisecond back in one class, then the same.
            try bench.advance(.seconds(300))
            let third = try await bench.granted(held: there.order)
            let back = bench.snapshot(third, dataTime: 1_999)
            guard
                case .older(let kept) = try await bench.finish(
                    third, .fetched(back), interval: third.interval
                ).reply
            else {
                Issue.record("not older")
                return
            }
            #expect(kept.id == there.id)
            Self.expect(try await bench.begin(held: there.order), .paced(third.interval))
            try bench.advance(third.interval)
            let fourth = try await bench.granted(held: there.order)
            #expect(
                try await bench.finish(fourth, .fetched(bench.snapshot(fourth, dataTime: 2_000))).reply
                    == .stored)
        }
    }

    @Test(
        "an answer with older data is no failure: due an interval later, its limits are over (C068)",
        arguments: StoreKind.allCases)
    func olderAnswer(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let first = try await bench.granted()
            _ = try await bench.finish(first, .limited(.short, wait: .seconds(60), reason: "rate_limited"))
            try bench.advance(.seconds(300))
            let second = try await bench.granted()
            _ = try await bench.finish(second, .failed(reason: "http_503", keepsSlot: false))
            try bench.advance(.seconds(300))
            let third = try await bench.granted()
            try bench.advance(.seconds(2))
            let answer = try await bench.finish(third, .older, interval: .seconds(90))
            #expect(answer.reply == .noted)
            #expect(answer.shadow?.cooldowns.isEmpty == true)
            #expect(answer.shadow?.reserved == 0)
            #expect(answer.shadow?.nextAt == bench.now + .seconds(90))
            let used = answer.shadow?.booked
            // Told again it changes nothing.
            try bench.advance(.seconds(1))
            let again = try await bench.finish(third, .older, interval: .seconds(90))
            #expect(again.reply == .noted)
            #expect(again.shadow?.nextAt == answer.shadow?.nextAt)
            #expect(again.shadow?.booked == used)
            // The row of failures has ended: the next one is the first.
            try bench.advance(.seconds(300))
            let fourth = try await bench.granted()
            let failed = try await bench.finish(fourth, .failed(reason: "http_503", keepsSlot: false))
            let pause = failed.shadow?.nextAt.map { $0 - bench.now } ?? .zero
            #expect(pause >= .seconds(1) && pause < .milliseconds(1_100))
        }
    }

    @Test(
        "takes a change of class over under its own label, whatever its data time (U13)",
        arguments: StoreKind.allCases)
    func classChange(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let first = try await bench.granted()
            _ = try await bench.finish(first, .fetched(bench.snapshot(first, dataTime: 2_000)))
            try bench.advance(.seconds(300))
            let second = try await bench.granted(held: bench.snapshot(first, dataTime: 2_000).order)
            let daily = bench.snapshot(second, dataTime: 1_000, source: .ecbDaily)
            #expect(try await bench.finish(second, .fetched(daily)).reply == .stored)
            #expect(try await bench.store.snapshot(of: Self.usd)?.source == .ecbDaily)
        }
    }

    @Test(
        "keeps a paid answer of a record that is gone, if nothing newer is there (L2, C119)",
        arguments: StoreKind.allCases)
    func paidAnswer(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let paused = try await bench.granted()
            try bench.advance(.seconds(7_200))
            let used = bench.shadow?.booked
            let other = try await bench.granted(Self.eur)
            #expect(bench.shadow?.reserved == 1)
            #expect(try await bench.finish(paused, .fetched(bench.snapshot(paused))).reply == .stored)
            #expect(bench.shadow?.booked == used.map { $0 + 1 })
            // Nor has it freed the other's record.
            Self.expect(try await bench.begin(Self.eur), .busy(.seconds(15)))
            _ = try await bench.finish(other, .unsent)
        }
    }

    @Test(
        "keeps the reservation of a call that its stopping holder cut off, and lets somebody else go on (L9)",
        arguments: StoreKind.allCases)
    func handedOver(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            let grant = try await bench.granted(plan: Self.wide)
            let used = bench.shadow?.booked
            for _ in 0..<2 {
                #expect(try await bench.finish(grant, .handedOver, plan: Self.wide).reply == .noted)
                #expect(bench.shadow?.booked == used)
                #expect(bench.shadow?.reserved == 0)
            }
            // As soon as the rate limit lets it: neither the interval nor a back-off is in the way.
            try bench.advance(.milliseconds(1))
            let next = try await bench.granted(plan: Self.wide)
            // A repetition that comes late settles nothing of the next one.
            _ = try await bench.finish(grant, .handedOver, plan: Self.wide)
            #expect(bench.shadow?.reserved == 1)
            _ = try await bench.finish(next, .unsent, plan: Self.wide)
        }
    }

    @Test("gives back the reservation of a call that never left, once", arguments: StoreKind.allCases)
    func unsent(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            let used = bench.shadow?.booked ?? 0
            #expect(try await bench.finish(grant, .unsent).shadow?.booked == used - 1)
            #expect(try await bench.finish(grant, .unsent).shadow?.booked == used - 1)
            // L9: somebody else may go on as soon as the rate limit lets him.
            Self.expect(try await bench.begin(), .paced(.seconds(5)))
        }
    }

    @Test("frees nobody else's record (L4, C115)", arguments: StoreKind.allCases)
    func othersRecord(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let old = try await bench.granted(least: .seconds(1))
            try bench.advance(.seconds(300))
            let new = try await bench.granted(least: .seconds(1))
            for outcome in [.unsent, .failed(reason: "reset", keepsSlot: false)] as [FinishRequest.Outcome] {
                _ = try await bench.finish(old, outcome)
                Self.expect(try await bench.begin(), .busy(.seconds(15)))
            }
            #expect(bench.shadow?.reserved == 1)
            #expect(try await bench.finish(new, .unsent).shadow?.reserved == 0)
        }
    }

    @Test("keeps the slot of a call that was cut off until its record's end", arguments: StoreKind.allCases)
    func keptSlot(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            try bench.advance(.seconds(10))
            let answer = try await bench.finish(grant, .failed(reason: "deadline", keepsSlot: true))
            #expect(answer.shadow?.reserved == 0)
            try bench.advance(.milliseconds(4_999))
            Self.expect(try await bench.begin(Self.eur), .slotsTaken(.milliseconds(1)))
            Self.expect(try await bench.begin(attempt: grant.attempt), .busy(.milliseconds(1)))
            // Settled: an unsent that comes late gives nothing back.
            let used = bench.shadow?.booked
            #expect(try await bench.finish(grant, .unsent).shadow?.booked == used)
            try bench.advance(.milliseconds(1))
            #expect(Self.word(try await bench.begin(Self.eur)) == "fetch")
        }
    }

    @Test("notes a failure's back-off before anybody else can try (C125, U2)", arguments: StoreKind.allCases)
    func backOff(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open(plan: Self.wide)
            for strike in 1...10 {
                let grant = try await bench.granted(plan: Self.wide)
                let failed = try await bench.finish(
                    grant, .failed(reason: "http_500", keepsSlot: false), interval: .seconds(200),
                    plan: Self.wide)
                let pause = Pace.backOff(strikes: Int64(strike), limit: 200_000, token: grant.token.value)
                #expect(pause >= min(1_000 << (strike - 1), 200_000) && pause <= 210_000)
                #expect(failed.shadow?.nextAt == bench.now + .milliseconds(pause))
                // Told again: no second strike.
                try bench.advance(.milliseconds(10))
                let again = try await bench.finish(
                    grant, .failed(reason: "http_500", keepsSlot: false), interval: .seconds(200),
                    plan: Self.wide)
                #expect(again.shadow?.nextAt == failed.shadow?.nextAt)
                try bench.advance(.milliseconds(pause - 11))
                Self.expect(try await bench.begin(plan: Self.wide), .paced(.milliseconds(1)))
                try bench.advance(.milliseconds(1))
            }
            let grant = try await bench.granted(plan: Self.wide)
            _ = try await bench.finish(grant, .fetched(bench.snapshot(grant)), plan: Self.wide)
            try bench.advance(.seconds(300))
            let after = try await bench.granted(held: bench.snapshot(grant).order, plan: Self.wide)
            let once = try await bench.finish(
                after, .failed(reason: "http_500", keepsSlot: false), plan: Self.wide)
            let first = Pace.backOff(strikes: 1, limit: 300_000, token: after.token.value)
            #expect(once.shadow?.nextAt == bench.now + .milliseconds(first))
        }
    }

    @Test("doesn't let a fenced failure slow anybody", arguments: StoreKind.allCases)
    func fencedFailure(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let old = try await bench.granted()
            try bench.advance(.seconds(300))
            let new = try await bench.granted()
            let next = bench.shadow?.nextAt
            let answer = try await bench.finish(old, .failed(reason: "late", keepsSlot: false))
            #expect(answer.shadow?.nextAt == next)
            _ = try await bench.finish(new, .unsent)
        }
    }

    @Test("forgets the pace of a resource that never changes again", arguments: StoreKind.allCases)
    func immutable(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let year = Resource(name: "year:USD:2020") ?? Self.usd
            let grant = try await bench.granted(year)
            #expect(bench.shadow?.nextAt != nil)
            let answer = try await bench.finish(grant, .fetched(bench.snapshot(grant)), isImmutable: true)
            #expect(answer.reply == .stored && answer.shadow?.nextAt == nil)
        }
    }

    @Test(
        "takes upstream's count as a lower bound, where it can be this month's (U15, U16)",
        arguments: StoreKind.allCases)
    func upstreamCount(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let first = try await bench.granted()
            let raised = try await bench.finish(first, .fetched(bench.snapshot(first)), upstreamUsed: 50)
            #expect(raised.shadow?.booked == 50)
            // Without an open record it says nothing; a later count replaces an earlier one.
            let again = try await bench.finish(first, .fetched(bench.snapshot(first)), upstreamUsed: 90)
            #expect(again.shadow?.booked == 50)
            try bench.advance(.seconds(300))
            let second = try await bench.granted(Self.eur)
            let lower = try await bench.finish(
                second, .failed(reason: "x", keepsSlot: false), upstreamUsed: 7, upstreamLimit: 60)
            #expect(lower.shadow?.booked == 7)
            #expect(lower.shadow?.plan == 60)
            // An answer that comes after the month's end speaks of the month in which it was asked for.
            let edge = Month(containing: bench.now).next.start
            try bench.set(edge + .milliseconds(-5_001))
            let third = try await bench.granted(Self.eur)
            try bench.set(edge + .milliseconds(5_001))
            let late = try await bench.finish(
                third, .failed(reason: "x", keepsSlot: false), upstreamUsed: 800, upstreamLimit: 50)
            #expect(late.shadow?.month == "2026-04")
            #expect(late.shadow?.booked == 2 && late.shadow?.plan == 10_000)
        }
    }

    @Test("says wait while a control is rebuilt, and does nothing", arguments: StoreKind.allCases)
    func waits(kind: StoreKind) async throws {
        try await StoreBench.with(kind) { bench in
            try await bench.open()
            let grant = try await bench.granted()
            try bench.loseControl()
            _ = try await bench.restore(floor: grant.token, birth: "old")
            try bench.advance(.milliseconds(2_999))
            let answer = try await bench.finish(grant, .fetched(bench.snapshot(grant)))
            #expect(answer.reply == .wait(.milliseconds(1)))
            #expect(try await bench.store.snapshot(of: Self.usd) == nil)
            try bench.advance(.milliseconds(1))
            #expect(try await bench.finish(grant, .fetched(bench.snapshot(grant))).reply == .stored)
        }
    }
}
