import Testing

@testable import CacheLayer

@Suite("A whole month", .timeLimit(.minutes(4)))
struct StoreMonthTests {
    @Test(
        "C087: with hourly restarts of all instances 1,000 calls last 31 days, and restarts cost none of them"
    )
    func restarts() async throws {
        let march = UnixMilliseconds(1_772_323_200_000)
        let clock = HandClock(march)
        let store = InMemoryRateStore(archiveBytes: 1 << 16) { clock.now }
        let plan = QuotaPlan(monthly: 1_000, perMinute: 12)
        var instances = Array(repeating: Instance(), count: 3)
        var calls = 0
        var forecasts: [Int64] = []
        let end = Month(containing: march).next.start
        while clock.now < end {
            if (clock.now - march).milliseconds % 3_600_000 == 0 {
                instances = Array(repeating: Instance(), count: 3)
            }
            for number in instances.indices {
                let callsBefore = calls
                let isNew = instances[number].birth == nil
                try await instances[number].look(at: store, plan: plan, now: clock.now) { calls += 1 }
                // While something is stored, a restarted instance takes it and doesn't ask upstream at once.
                if isNew, clock.now > march + .seconds(3_600) {
                    #expect(calls == callsBefore || instances[number].wasDue)
                }
            }
            if let shadow = instances[0].shadow {
                #expect(calls <= Int(shadow.booked) && shadow.booked <= 1_000)
                if (clock.now - march).milliseconds % 86_400_000 == 43_200_000 {
                    let outlook = QuotaOutlook(shadow, plan)
                    forecasts.append(try #require(outlook.forecast))
                }
            }
            clock.set(clock.now + .seconds(120))
        }
        #expect(calls <= 1_000 && calls >= 850, "\(calls)")
        // The projected end is near what came, from the second day on.
        #expect(forecasts.count == 31)
        for forecast in forecasts.dropFirst() { #expect((850...1_050).contains(forecast), "\(forecast)") }
        print("a month of 1,000 calls with hourly restarts: \(calls) calls; projected: \(forecasts)")
        await store.close()
    }

    /// One process: what it remembers is gone with its restart.
    private struct Instance {
        var birth: String?
        var floor = FencingToken.none
        var held: SnapshotOrder?
        var shadow: Shadow?
        /// Whether its last fetch was granted after what is stored was taken.
        var wasDue = false

        mutating func look(
            at store: InMemoryRateStore, plan: QuotaPlan, now: UnixMilliseconds, call: () -> Void
        ) async throws {
            for _ in 0..<3 {
                let attempt = AttemptID()
                let answer = try await store.begin(
                    BeginRequest(
                        resource: StoreBench.usd, attempt: attempt, holder: "a", lease: .seconds(15),
                        held: held, floor: floor, birth: birth, notAfter: now + .seconds(1), plan: plan,
                        leastInterval: .seconds(60)))
                remember(answer.shadow)
                switch answer.reply {
                case .lost:
                    let told = try await store.restore(
                        Testimony(
                            holder: "a", floor: floor, birth: birth, ledger: nil, cooldowns: [], flight: nil,
                            snapshots: [], plan: plan, lease: .seconds(15), grace: StoreTimings.grace))
                    remember(told.shadow)
                case .newer(let snapshot):
                    held = snapshot.order
                    floor = max(floor, snapshot.token)
                case .fetch(let token, _, let interval):
                    wasDue = held != nil
                    call()
                    let snapshot = StoredSnapshot(
                        resource: StoreBench.usd,
                        id: SnapshotID(
                            fetchedAt: now, digest: [1, 2, 3, UInt8(truncatingIfNeeded: token.value)]),
                        token: token, fetchedAt: now, dataTime: now, source: .live, body: [1],
                        keepFor: interval + .seconds(3_600))
                    let settled = try await store.finish(
                        FinishRequest(
                            resource: StoreBench.usd, attempt: attempt, token: token, birth: birth,
                            floor: floor, holder: "a", outcome: .fetched(snapshot), interval: interval,
                            plan: plan, callClass: "latest"))
                    remember(settled.shadow)
                    held = snapshot.order
                    floor = token
                    return
                case .busy, .slotsTaken, .cooldown, .refused, .paced, .exhausted, .disputed, .late: return
                }
            }
        }

        private mutating func remember(_ told: Shadow?) {
            guard let told else { return }
            shadow = told
            birth = told.birth
        }
    }
}
