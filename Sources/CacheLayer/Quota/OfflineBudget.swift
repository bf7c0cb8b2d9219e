/// Decides whether this instance may call upstream while the store is away.
///
/// A pure value: the caller says what is known, and counts the call, in the state file first, before it leaves.
package struct OfflineBudget: Hashable, Sendable {
    /// Calls in any hour; zero, the default, means never.
    package let perHour: Int64
    package let plan: QuotaPlan

    package init(perHour: Int64, plan: QuotaPlan) {
        precondition(perHour >= 0, "a number of calls isn't negative")
        self.perHour = perHour
        self.plan = plan
    }

    /// Why not.
    package enum Refusal: String, CaseIterable, Sendable {
        /// The number is zero.
        case off
        /// The outage is younger than one grace: the store may be back at once, and others may be calling.
        case grace
        /// The month's ledger was never told, neither in this life nor by a state file.
        case unknownLedger = "unknown_ledger"
        /// A cooldown is remembered.
        case cooldown
        /// The last or first seconds of a month.
        case monthEdge = "month_edge"
        /// The interval or the back-off isn't over.
        case notDue = "not_due"
        /// So many calls lie in the last hour.
        case hourly
        /// The plan could be used up by what may have been granted since.
        case plan
        /// The call can't be counted in a state file: a crash would forget it.
        case uncounted
    }

    package enum Answer: Hashable, Sendable {
        /// It may, and the next one is due so long after it.
        case call(interval: Duration)
        /// Not before `wait`; nil where that can't be told.
        case no(Refusal, wait: Duration?)
    }

    /// What is known.
    package struct Situation: Sendable {
        /// The store's time, as well as it is known.
        let now: UnixMilliseconds
        /// Since the store was first missed.
        let away: Duration
        let ledger: Ledger?
        /// What remains of the longest remembered cooldown; zero if none runs.
        let cooldown: Duration
        /// What remains of the resource's interval and back-off; zero if it is due.
        let due: Duration
        /// What its tier asks for at least, from this fetch to the next.
        let leastInterval: Duration
        /// Own calls without the store in this month.
        let calls: Int64
        /// Own calls without the store in the last hour, and how long until one of the number is free.
        let lastHour: Int64
        let hourFree: Duration
    }

    /// The ledger as it was last told.
    package struct Ledger: Sendable {
        let month: Month
        let used: Int64
        /// The smallest monthly limit that upstream has shown.
        let plan: Int64
        let age: Duration
        /// Instances last seen, this one among them.
        let instances: Int64
    }

    /// The questions in the order in which they decide.
    package func answer(_ situation: Situation) -> Answer {
        guard perHour > 0 else { return .no(.off, wait: nil) }
        if situation.away < StoreTimings.grace {
            return .no(.grace, wait: StoreTimings.grace - situation.away)
        }
        guard let ledger = situation.ledger else { return .no(.unknownLedger, wait: nil) }
        if situation.cooldown > .zero { return .no(.cooldown, wait: situation.cooldown) }
        if let leave = MonthEdge(at: situation.now).leave {
            return .no(.monthEdge, wait: leave - situation.now)
        }
        if situation.due > .zero { return .no(.notDue, wait: situation.due) }
        if situation.lastHour >= perHour { return .no(.hourly, wait: situation.hourFree) }
        // This call, and the one that every other instance may make by the same memory, must fit.
        let after = bound(ledger, calls: situation.calls + 1, at: situation.now)
        let left = min(plan.monthly, ledger.plan) - after + 1
        guard let pace = Pace.interval(at: situation.now, left: left, permille: plan.targetPermille) else {
            return .no(.plan, wait: nil)
        }
        return .call(interval: max(situation.leastInterval, pace))
    }

    /// The most that may be used by now: what was told, what may have been granted since, and what every instance seen
    /// may have called as often as this one.
    ///
    /// In a month that the ledger hasn't seen only the latter two; that of a later month than the clock's holds.
    func bound(_ ledger: Ledger, calls: Int64, at now: UnixMilliseconds) -> Int64 {
        let numbers = PlanNumbers(plan)
        let known = ledger.month < Month(containing: now) ? 0 : ledger.used
        return known + numbers.margin(age: ledger.age.milliseconds) + calls * max(1, ledger.instances)
    }
}
