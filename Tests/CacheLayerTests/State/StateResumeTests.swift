import TestSupport
import Testing

@testable import CacheLayer

@Suite("State file: the in-memory store's ledger")
struct StateResumeTests {
    private static let plan = QuotaPlan(monthly: 10_000, perMinute: 12)

    private func store(_ control: ControlRecord?, at now: UnixMilliseconds, floor: Int64 = 0)
        -> InMemoryRateStore
    {
        let state = SavedState(
            instance: "i", written: StateSamples.written, floor: FencingToken(floor), control: control)
        return InMemoryRateStore(archiveBytes: 1 << 20, resuming: (state, Self.plan), clock: { now })
    }

    @Test("goes on in the same month with what was used, and in the next one from nought")
    func months() async throws {
        let control = StateSamples.control
        for (now, used) in [
            (StateSamples.noon + .seconds(3_600), Int64(4_711)),
            // What the month that ended carries over, and the record that was open in it.
            (StateSamples.month.next.start + .seconds(60), 2),
        ] {
            let store = store(control, at: now)
            let answer = try await store.look(
                LookRequest(holder: "a", birth: "birth-1", floor: .none, interests: [], plan: Self.plan))
            #expect(answer.shadow?.counted == used)
        }
    }

    @Test("what was open when the process ended holds nobody up and stays spent")
    func openRecords() async throws {
        var control = StateSamples.control
        control.cooldowns = [:]
        let now = StateSamples.noon + .seconds(2)
        let store = store(control, at: now)
        let reply = try await store.begin(
            BeginRequest(
                resource: .latest(base: .sample("USD")), attempt: AttemptID(), holder: "b",
                lease: .seconds(15),
                held: nil, floor: .none, birth: "birth-1", notAfter: now, plan: Self.plan,
                leastInterval: .seconds(60))
        ).reply
        // A failure that ends now: one second, and up to a twentieth of jitter.
        guard case .paced(let rest) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(rest >= .seconds(1) && rest <= .seconds(5))
        #expect(store.savedControl?.ledger.counted == 4_711)
    }

    @Test("draws above every token in the file")
    func epoch() {
        #expect(
            store(StateSamples.control, at: StateSamples.noon, floor: 0).savedControl?.epoch
                == StateSamples.control.epoch)
        let above = StateSamples.control.epoch + 7
        #expect(store(StateSamples.control, at: StateSamples.noon, floor: above).savedControl?.epoch == above)
    }

    @Test("a month that a wrong clock has written doesn't hold for years")
    func farMonth() {
        var control = StateSamples.control
        for (ahead, isKept) in [(0, true), (1, true), (2, false), (900, false)] {
            var month = StateSamples.month
            for _ in 0..<ahead { month = month.next }
            control.ledger = LedgerRecord(month: month)
            control.ledger.counted = 4_711
            let resumed = store(control, at: StateSamples.noon).savedControl
            #expect(resumed?.ledger.month == (isKept ? control.ledger.month : StateSamples.month))
            #expect(resumed?.ledger.counted == 4_711)
        }
        control.ledger.counted = 5
        let share = Pace.blankShare(at: StateSamples.noon, plan: 10_000)
        #expect(store(control, at: StateSamples.noon).savedControl?.ledger.booked(under: 10_000) == share)
    }

    @Test("without a file there is no control, and the blank share will apply")
    func none() { #expect(store(nil, at: StateSamples.noon).savedControl == nil) }
}
