import Testing

@testable import CacheLayer

/// Each bound with its two sides.
@Suite("Offline budget")
struct OfflineBudgetTests {
    /// `gap` 5 s, `b` 1.
    private static let plan = QuotaPlan(monthly: 10_000, perMinute: 12)
    private static let noon = StateSamples.noon
    private static let month = StateSamples.month

    private static func ledger(
        used: Int64 = 100, month: Month = month, plan: Int64 = 10_000, age: Duration = .zero,
        instances: Int64 = 1
    ) -> OfflineBudget.Ledger {
        OfflineBudget.Ledger(month: month, used: used, plan: plan, age: age, instances: instances)
    }

    private static func answer(
        perHour: Int64 = 4, plan: QuotaPlan = plan, now: UnixMilliseconds = noon,
        away: Duration = .seconds(60),
        ledger: OfflineBudget.Ledger? = ledger(), cooldown: Duration = .zero, due: Duration = .zero,
        calls: Int64 = 0, lastHour: Int64 = 0
    ) -> OfflineBudget.Answer {
        OfflineBudget(perHour: perHour, plan: plan).answer(
            OfflineBudget.Situation(
                now: now, away: away, ledger: ledger, cooldown: cooldown, due: due,
                leastInterval: .seconds(60), calls: calls, lastHour: lastHour, hourFree: .seconds(11)))
    }

    private static func isCall(_ answer: OfflineBudget.Answer) -> Bool {
        if case .call = answer { true } else { false }
    }

    private static func refusal(_ answer: OfflineBudget.Answer) -> OfflineBudget.Refusal? {
        if case .no(let refusal, _) = answer { refusal } else { nil }
    }

    @Test("with nought nobody calls, whatever else holds")
    func off() {
        #expect(Self.answer(perHour: 0) == .no(.off, wait: nil))
        #expect(Self.isCall(Self.answer(perHour: 1)))
    }

    @Test("waits one grace of each outage")
    func grace() {
        #expect(Self.answer(away: .milliseconds(2_999)) == .no(.grace, wait: .milliseconds(1)))
        #expect(Self.isCall(Self.answer(away: .seconds(3))))
    }

    @Test("knows nothing, calls nobody")
    func unknown() { #expect(Self.answer(ledger: nil) == .no(.unknownLedger, wait: nil)) }

    @Test("holds to a remembered cooldown and to the interval, to the millisecond")
    func waits() {
        #expect(Self.answer(cooldown: .milliseconds(1)) == .no(.cooldown, wait: .milliseconds(1)))
        #expect(Self.answer(due: .milliseconds(1)) == .no(.notDue, wait: .milliseconds(1)))
    }

    @Test("is quiet at a month's edge")
    func edge() {
        let end = Self.month.next.start
        #expect(Self.isCall(Self.answer(now: end + .milliseconds(-5_001))))
        #expect(Self.answer(now: end + .milliseconds(-5_000)) == .no(.monthEdge, wait: .milliseconds(10_001)))
        #expect(Self.refusal(Self.answer(now: end + .milliseconds(5_000))) == .monthEdge)
        #expect(Self.isCall(Self.answer(now: end + .milliseconds(5_001))))
    }

    @Test("stays under the hourly number")
    func hourly() {
        #expect(Self.isCall(Self.answer(perHour: 4, lastHour: 3)))
        #expect(Self.answer(perHour: 4, lastHour: 4) == .no(.hourly, wait: .seconds(11)))
    }

    @Test("used + b + what may have been granted since + own calls × instances stays under the plan")
    func plan() {
        let cases: [(OfflineBudget.Ledger, calls: Int64, isCall: Bool)] = [
            (Self.ledger(used: 9_998), 0, true), (Self.ledger(used: 9_999), 0, false),
            // One grant for each whole gap of five seconds.
            (Self.ledger(used: 9_900, age: .milliseconds(494_999)), 0, true),
            (Self.ledger(used: 9_900, age: .milliseconds(495_000)), 0, false),
            (Self.ledger(used: 9_900, instances: 3), 32, true),
            (Self.ledger(used: 9_900, instances: 3), 33, false),
            // Never seen any: there is at least this one.
            (Self.ledger(used: 9_900, instances: 0), 98, true),
            (Self.ledger(used: 9_900, instances: 0), 99, false),
            // Upstream has shown a smaller limit.
            (Self.ledger(used: 498, plan: 500), 0, true), (Self.ledger(used: 499, plan: 500), 0, false),
        ]
        for (ledger, calls, isCall) in cases {
            let answer = Self.answer(ledger: ledger, calls: calls)
            #expect(Self.isCall(answer) == isCall, "\(ledger) \(calls)")
            if !isCall { #expect(answer == .no(.plan, wait: nil)) }
        }
    }

    @Test("stays under the plan also when all instances that were seen make the call that this one may make")
    func lastCallOfAll() {
        // Nine instances with the same memory: nine more calls on 9,990 and the one that may be unknown.
        #expect(Self.isCall(Self.answer(ledger: Self.ledger(used: 9_990, instances: 9))))
        #expect(Self.answer(ledger: Self.ledger(used: 9_991, instances: 9)) == .no(.plan, wait: nil))
        // Each has made one: eighteen in all after the next ones.
        #expect(Self.isCall(Self.answer(ledger: Self.ledger(used: 9_981, instances: 9), calls: 1)))
        #expect(
            Self.answer(ledger: Self.ledger(used: 9_982, instances: 9), calls: 1) == .no(.plan, wait: nil))
    }

    @Test("in a month that the ledger hasn't seen only what may have come since counts")
    func newMonth() {
        let now = Self.month.next.start + .seconds(60)
        let old = Self.ledger(used: 10_000, age: .seconds(120))
        #expect(OfflineBudget(perHour: 1, plan: Self.plan).bound(old, calls: 0, at: now) == 25)
        #expect(Self.isCall(Self.answer(now: now, ledger: old)))
        // A clock that has gone back doesn't bring a month back.
        let newer = Self.ledger(used: 9_999, month: Self.month.next)
        #expect(Self.answer(ledger: newer) == .no(.plan, wait: nil))
    }

    @Test("an old ledger forbids by itself: its margin fills the plan")
    func old() {
        #expect(Self.isCall(Self.answer(ledger: Self.ledger(used: 0, age: .seconds(9_998 * 5)))))
        #expect(Self.refusal(Self.answer(ledger: Self.ledger(used: 0, age: .seconds(9_999 * 5)))) == .plan)
    }

    @Test("the next one is due after the tier's interval or the pace of what is left")
    func interval() {
        guard case .call(let short) = Self.answer(),
            case .call(let long) = Self.answer(ledger: Self.ledger(used: 9_990))
        else {
            Issue.record("no call")
            return
        }
        let pace = Pace.interval(at: Self.noon, left: 9_899, permille: 950)
        #expect(short == max(.seconds(60), pace ?? .zero))
        #expect(long == Pace.interval(at: Self.noon, left: 9, permille: 950))
    }
}
