import Testing

@testable import CacheLayer

@Suite("Refresh: what an instance remembers of the control")
struct FleetMemoryTests {
    @Test("the longest of two wins, whoever tells first (C090, U4)")
    func longest() {
        var memory = FleetMemory()
        let now = ContinuousClock.now
        memory.limit(
            .short, wait: .seconds(600), reason: "rate_limited", key: .anonymous, by: AttemptID(stored: "1"),
            at: now)
        memory.limit(
            .short, wait: .seconds(5), reason: "rate_limited", key: .anonymous, by: AttemptID(stored: "2"),
            at: now)
        #expect(memory.runningCooldown(at: now, key: .anonymous)?.1 == .seconds(600))
        memory.hear(.short, rest: .seconds(30), at: now)
        #expect(memory.runningCooldown(at: now, key: .anonymous)?.1 == .seconds(600))
        memory.hear(.key, rest: .seconds(700), at: now)
        #expect(memory.runningCooldown(at: now, key: .anonymous)?.0 == .key)
        #expect(
            memory.runningCooldown(at: now.advanced(by: .seconds(700)), key: .anonymous)
                == nil)
    }

    @Test("a limit that isn't told yet outlives an answer that doesn't know it; one that is told doesn't")
    func untold() {
        var memory = FleetMemory()
        let now = ContinuousClock.now
        let first = AttemptID(stored: "1")
        let second = AttemptID(stored: "2")
        memory.limit(.short, wait: .seconds(600), reason: "rate_limited", key: .anonymous, by: first, at: now)
        memory.limit(.short, wait: .seconds(50), reason: "rate_limited", key: .anonymous, by: second, at: now)
        memory.remember(shadow(), sent: now, at: now)
        #expect(memory.hasUntold(at: now))
        #expect(memory.runningCooldown(at: now, key: .anonymous) != nil)
        memory.told([second])
        memory.remember(shadow(rest: .seconds(50)), sent: now, at: now)
        #expect(memory.runningCooldown(at: now, key: .anonymous)?.1 == .seconds(600))
        memory.told([first])
        #expect(!memory.hasUntold(at: now))
        memory.remember(shadow(rest: .seconds(600)), sent: now, at: now)
        #expect(memory.runningCooldown(at: now, key: .anonymous)?.1 == .seconds(600))
        // An answer to an earlier question knows nothing of it.
        memory.remember(shadow(), sent: now.advanced(by: .seconds(-1)), at: now)
        #expect(memory.runningCooldown(at: now, key: .anonymous) != nil)
        let later = now.advanced(by: .seconds(1))
        memory.remember(shadow(), sent: later, at: later)
        #expect(memory.runningCooldown(at: later, key: .anonymous) == nil)
    }

    @Test("an answer that another one has overtaken changes nothing")
    func overtaken() {
        var memory = FleetMemory()
        let now = ContinuousClock.now
        memory.remember(shadow(now: 5_000, used: 7), sent: now, at: now)
        memory.remember(shadow(now: 4_000, used: 6), sent: now.advanced(by: .seconds(-1)), at: now)
        #expect(memory.shadow?.booked == 7)
        // But the store's clock may go back.
        let later = now.advanced(by: .seconds(1))
        memory.remember(shadow(now: 1_000, used: 8), sent: later, at: later)
        #expect(memory.shadow?.booked == 8)
    }

    @Test("a limit that could never be told is forgotten once it has ended")
    func untoldForEver() {
        var memory = FleetMemory()
        let now = ContinuousClock.now
        memory.limit(
            .short, wait: .seconds(60), reason: "rate_limited", key: .anonymous, by: AttemptID(stored: "1"),
            at: now)
        let later = now.advanced(by: .seconds(61))
        #expect(!memory.hasUntold(at: later))
        memory.remember(shadow(), sent: later, at: later)
        #expect(memory.cooldowns(at: later).isEmpty)
    }

    private func shadow(rest: Duration? = nil, now: Int64 = 1_000, used: Int64 = 1) -> Shadow {
        let cooldowns = rest.map { [Shadow.Cooldown(scope: .short, rest: $0, strikes: 1, reason: "r")] }
        return Shadow(
            now: UnixMilliseconds(now), birth: "b", epoch: FencingToken(1), month: "2026-03", counted: used,
            reserved: 0, plan: 10, cooldowns: cooldowns ?? [], nextAt: nil)
    }
}
