/// Everything that the fleet's promises depend on, as one value: it is there as a whole or not at all.
///
/// Instants and lengths are milliseconds by the store's clock.
struct ControlRecord: Hashable, Sendable {
    /// The random name of this life; a new one after every loss.
    var birth: String
    /// Every commit adds one.
    var version: Int64 = 0
    /// From when on it grants.
    var opensAt: Int64
    /// How long before `opensAt` this life began.
    var grace: Int64
    /// The last token drawn.
    var epoch: Int64 = 0
    var ledger: LedgerRecord
    /// Snapshots up to this token have been dropped by an operator.
    var purged: Int64 = 0
    var refusals: [RefusalRecord] = []
    /// The rate limit's next arrival: grants pass while it is less than the burst ahead.
    var arrival: Int64
    var starts = MinuteWindow()
    var flights: [FlightRecord] = []
    var cooldowns: [CooldownScope: CooldownRecord] = [:]
    var slowDown: SlowDown?
    var paces: [Resource: PaceRecord] = [:]

    /// The layout that this build reads and writes.
    static let schema: Int64 = 2

    /// Brings it up to the present: a month that has begun, and ends that a jump of the clock has put farther away than
    /// they can be; whether there were such ends.
    mutating func catchUp(to now: Int64, plan: PlanNumbers) -> Bool {
        roll(to: Month(containing: UnixMilliseconds(now)))
        let rolled = self
        opensAt = min(opensAt, now + grace)
        if arrival > now + plan.window { arrival = now + plan.gap * plan.cap }
        for place in flights.indices {
            flights[place].end = min(flights[place].end, now + flights[place].lease)
        }
        for scope in CooldownScope.allCases {
            guard let end = cooldowns[scope]?.end else { continue }
            cooldowns[scope]?.end = min(end, now + StoreTimings.longestCooldown(scope).milliseconds)
        }
        catchUpRefusals(to: now)
        slowDown?.cut(to: now + StoreTimings.longestShortCooldown.milliseconds)
        let hasCutStarts = starts.cut(to: now)
        // A month that has begun is no reason to write: every reader begins it again until somebody has one.
        return hasCutStarts || self != rolled
    }

    mutating func roll(to newer: Month) { ledger.roll(to: newer, reserved: reserved(in: ledger.month)) }

    /// Records of the ledger's month that are not settled.
    var reserved: Int64 { reserved(in: ledger.month) }

    private func reserved(in month: Month) -> Int64 {
        Int64(flights.count { $0.month == month && !$0.isSettled })
    }

    /// The smallest of the plans of all members, and the account's own limit.
    func limit(_ plan: PlanNumbers) -> Int64 { min(plan.monthly, ledger.shownLimit ?? plan.monthly) }

    /// What is left of the month.
    func left(_ plan: PlanNumbers) -> Int64 {
        let limit = limit(plan)
        return limit - ledger.booked(under: limit)
    }

    /// The interval that a fetch granted now begins: the tier's or the pace, doubled after limits; nil
    /// where the plan is used up.
    func interval(least: Int64, at now: Int64, plan: PlanNumbers) -> Int64? {
        guard
            let pace = Pace.interval(at: UnixMilliseconds(now), left: left(plan), permille: plan.permille)
        else { return nil }
        return lengthened(max(least, pace.milliseconds), at: now)
    }

    /// An interval as it is after upstream's rate limit was met.
    func lengthened(_ interval: Int64, at now: Int64) -> Int64 {
        slowDown?.lengthened(interval, at: now) ?? interval
    }

    /// A stored snapshot, unless an operator has dropped all that there was when it was stored.
    func unpurged(_ stored: StoredSnapshot?) -> StoredSnapshot? {
        stored.flatMap { $0.token.value > purged ? $0 : nil }
    }
}
