import Foundation
import TestSupport
import Testing

@testable import CacheLayer

@Suite("Warm start", .timeLimit(.minutes(4)))
struct WarmStartTests {
    /// A machine whose only instance has been stopped after a fetch.
    private func withStopped(
        plan: QuotaPlan = StateBench.plenty, _ body: (StateBench, SnapshotID) async throws -> Void
    ) async throws {
        try await StateBench.with(plan: plan) { bench in
            let one = await bench.warm()
            let id = try #require(await one.held()?.id)
            await one.stop()
            try await body(bench, id)
        }
    }

    @Test("with the store away it serves what the file has, by its true age, and calls nobody (R1)")
    func storeAway() async throws {
        try await withStopped { bench, id in
            bench.time.advance(by: .seconds(40))
            let one = await bench.start(isAway: true)
            #expect(await one.held()?.id == id)
            #expect(await one.age() == .seconds(40))
            #expect(await one.freshness() == .fresh)
            #expect(one.refresher.board.status.hasTriedToLoad)
            #expect(one.keeper?.health.adopted == 1)
            await bench.pass(.seconds(60), one)
            await one.want(StateBench.usd, .stale)
            #expect(await one.freshness() == .stale)
            #expect(bench.upstream.calls == 1)
            // It comes back by itself.
            one.store.isAway(false)
            await bench.pass(.seconds(2), one)
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("costs no call while anything is fresh, also where the store has lost everything (R13, R14)")
    func free() async throws {
        for isLost in [false, true] {
            try await withStopped { bench, id in
                if isLost { bench.change { $0 = MemoryState(archiveBytes: 1 << 20) } }
                bench.time.advance(by: .seconds(10))
                let one = await bench.start()
                await one.want(StateBench.usd, .asked)
                #expect(await one.held()?.id == id)
                await bench.pass(.seconds(45), one)
                #expect(bench.upstream.calls == 1)
                let stored = try await bench.shared.snapshot(of: StateBench.usd)
                #expect(stored?.id == id)
                await bench.pass(.seconds(20), one)
                #expect(bench.upstream.calls == 2)
            }
        }
    }

    @Test("the list of currencies comes back too, by its true age and with its decimals, and for no call")
    func list() async throws {
        try await StateBench.with(plan: StateBench.plenty) { bench in
            let one = await bench.warm()
            await bench.pass(.seconds(2), one)
            bench.upstream.next(.list(["EUR": 2, "XAU": 4]))
            await one.want(.currencies)
            let id = try #require(await one.held(.currencies)?.id)
            await one.stop()
            bench.time.advance(by: .seconds(3_600))
            let two = await bench.start(isAway: true)
            #expect(await two.held(.currencies)?.id == id)
            #expect(await two.age(.currencies) == .seconds(3_600))
            #expect(await two.freshness(.currencies) == .fresh)
            #expect(await two.refresher.minorUnits == [.sample("XAU"): 4])
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("what the store has is taken where it is newer")
    func newerInStore() async throws {
        try await withStopped { bench, id in
            let other = await bench.start("b", hasFile: false)
            bench.time.advance(by: .seconds(70))
            await other.want(StateBench.usd, .stale)
            let newer = try #require(await other.held()?.id)
            #expect(newer != id)
            let one = await bench.start()
            #expect(await one.held()?.id == newer)
            #expect(bench.upstream.calls == 2)
        }
    }

    @Test("what has outlived its stale window stays out, to the second")
    func expired() async throws {
        // Lifetime 60 + 10 s, stale window 900 s.
        for (age, isHeld) in [(Int64(969), true), (970, false)] {
            try await withStopped { bench, _ in
                bench.time.advance(by: .seconds(age))
                let one = await bench.start(isAway: true)
                #expect(await (one.held() != nil) == isHeld)
            }
        }
    }

    @Test(
        "a wall clock that steps makes nothing younger or older (C1)", arguments: [-3_600, 3_600] as [Int64])
    func wallStep(seconds: Int64) async throws {
        try await withStopped { bench, id in
            bench.time.advance(by: .seconds(40))
            bench.jumpWall(by: .seconds(seconds))
            let one = await bench.start(isAway: true)
            #expect(await one.age() == .seconds(40))
            #expect(await one.held()?.id == id)
        }
    }

    @Test("a file from the future is served, but as nothing fresh, and is no evidence (C1)")
    func future() async throws {
        try await withStopped { bench, id in
            bench.time.advance(by: .seconds(5))
            bench.reboot()
            bench.jumpWall(by: .seconds(-3_600))
            let one = await bench.start(isAway: true)
            #expect(await one.held()?.id == id)
            #expect(await one.freshness() == .stale)
            #expect(await one.shadow == nil)
        }
    }

    @Test("after a reboot the wall clock counts")
    func rebooted() async throws {
        try await withStopped { bench, _ in
            bench.time.advance(by: .seconds(65))
            bench.reboot()
            let one = await bench.start(isAway: true)
            #expect(await one.age() == .seconds(65))
        }
    }

    @Test("a store that still lives its life hears nothing of the file's ledger, however old it is")
    func sameLife() async throws {
        try await withStopped { bench, _ in
            let used = bench.control { $0?.ledger.counted }
            bench.time.advance(by: .seconds(900))
            let one = await bench.start()
            #expect(one.store.testimonies.isEmpty)
            #expect(bench.control { $0?.ledger.counted } == used)
        }
    }

    @Test("tells a lost store its ledger while it is young, and not a millisecond longer")
    func evidence() async throws {
        let plan = QuotaPlan(monthly: 10_000, perMinute: 12)
        let longest = FleetMemory.longestEvidence(plan)
        #expect(longest == .seconds(500))
        let share = Pace.blankShare(at: StateSamples.noon + .seconds(500), plan: 10_000)
        for (age, isTold) in [(longest, true), (longest + .milliseconds(1), false)] {
            try await withStopped(plan: plan) { bench, _ in
                let used = try #require(bench.saved().ledger?.counted)
                let told = try #require(bench.saved().ledger?.age)
                bench.change { $0 = MemoryState(archiveBytes: 1 << 20) }
                bench.time.advance(by: age - told)
                let one = await bench.start()
                let rebuilt = bench.control { $0?.ledger.counted ?? 0 }
                #expect((one.store.testimonies.first?.ledger != nil) == isTold)
                #expect(isTold ? rebuilt == used + 1 + 100 : rebuilt >= share, "\(rebuilt)")
                #expect(await one.shadow?.birth == bench.control { $0?.birth })
            }
        }
    }

    @Test("an old file doesn't fill the plan: its ledger would say that all is used")
    func poison() async throws {
        try await withStopped(plan: QuotaPlan(monthly: 1_000, perMinute: 12)) { bench, _ in
            bench.change { $0 = MemoryState(archiveBytes: 1 << 20) }
            bench.time.advance(by: .seconds(86_400))
            let one = await bench.start()
            await bench.pass(.seconds(5), one)
            #expect(bench.control { $0?.ledger.counted ?? 1_000 } < 500)
        }
    }

    @Test("remembers a cooldown, no longer than any can be, and not beyond its end (R8)")
    func cooldown() async throws {
        try await StateBench.with { bench in
            let one = await bench.start()
            await bench.pass(.seconds(4), one)
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(300), reason: "rate_limited")))
            await one.want()
            await one.stop()
            bench.time.advance(by: .seconds(100))
            let two = await bench.start(isAway: true)
            let rest = await two.memory.runningCooldown(
                at: bench.time.source.now(), key: .anonymous)
            #expect(rest?.0 == .short)
            #expect(rest.map { $0.1 <= .seconds(200) && $0.1 > .seconds(190) } == true)
            bench.time.advance(by: .seconds(201))
            #expect(
                await two.memory.runningCooldown(
                    at: bench.time.source.now(), key: .anonymous) == nil)
            // The store has lost it and hears of it again.
            await two.stop()
            var state = try bench.saved()
            state.cooldowns = [
                .init(scope: .short, end: state.written.wall + .seconds(9_999_999), strikes: 3, reason: "x")
            ]
            let now = bench.time.source.now()
            let memory = FleetMemory(state, own: nil, elapsed: .seconds(1), now: now)
            #expect(memory.runningCooldown(at: now, key: .anonymous)?.1 == .seconds(3_599))
            let unknown = FleetMemory(state, own: nil, elapsed: nil, now: now)
            #expect(unknown.runningCooldown(at: now, key: .anonymous)?.1 == .seconds(3_600))
        }
    }

    @Test("a lost store hears of a cooldown from the file")
    func cooldownTold() async throws {
        try await StateBench.with { bench in
            let one = await bench.start()
            await bench.pass(.seconds(4), one)
            bench.upstream.next(.outcome(.limited(.short, wait: .seconds(300), reason: "rate_limited")))
            await one.want()
            await one.stop()
            bench.change { $0 = MemoryState(archiveBytes: 1 << 20) }
            bench.time.advance(by: .seconds(20))
            let two = await bench.start()
            await bench.pass(.seconds(5), two)
            await two.want()
            #expect(bench.control { $0?.cooldowns[.short]?.isRunning(at: bench.wall.value) } == true)
            #expect(bench.upstream.calls == 1)
        }
    }

    @Test("goes on without a file that is none of its own, says so once, and replaces it (T8, T9)")
    func foreign() async throws {
        let texts = ["", "{", "{\"schema\":2}", "garbage", String(repeating: "\u{0}", count: 100)]
        for text in texts {
            try await StateBench.with { bench in
                let path = bench.directory.appending(path: StateSamples.identity.fileName)
                try Data(text.utf8).write(to: path)
                let one = await bench.warm()
                #expect(bench.upstream.calls == 1)
                #expect(one.logged("going on without the state file") == 1)
                #expect(one.keeper?.health.fault != nil)
                await one.stop()
                #expect(one.keeper?.health.fault == nil)
                #expect(try bench.saved().snapshots.count == 1)
            }
        }
    }

    @Test("is written soon after an adoption, seldom otherwise, and once more at the stop")
    func written() async throws {
        try await StateBench.with { bench in
            let one = await bench.warm()
            let keeper = try #require(one.keeper)
            #expect(keeper.health.writes == 0)
            await bench.pass(.seconds(5), one)
            let isWritten = await eventually(within: .seconds(10)) { keeper.health.writes == 1 }
            #expect(isWritten)
            #expect(try bench.saved().snapshots.count == 1)
            await bench.pass(.seconds(50), one)
            #expect(keeper.health.writes == 1)
            await one.stop()
            #expect(keeper.health.writes == 2)
        }
    }

    @Test("a directory that is away costs one line, and is used when it comes (T8)")
    func noDirectory() async throws {
        try await StateBench.with { bench in
            try FileManager.default.removeItem(at: bench.directory)
            let one = await bench.warm()
            for _ in 0..<3 { #expect(await one.refresher.save() == false) }
            #expect(one.logged("going on without the state file") == 1)
            #expect(one.keeper?.health.fault == .noDirectory)
            #expect(bench.upstream.calls == 1)
            try FileManager.default.createDirectory(at: bench.directory, withIntermediateDirectories: false)
            #expect(await one.refresher.save())
            #expect(one.logged("written again") == 1)
            #expect(one.keeper?.health.fault == nil)
        }
    }
}
