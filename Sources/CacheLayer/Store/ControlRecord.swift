/// Everything that the fleet's promises depend on, as one value: it is there as a whole or not at all.
///
/// Instants and lengths are milliseconds by the store's clock.
struct ControlRecord: Hashable, Sendable {
    /// Which server wrote it.
    var stamp: String
    /// The random name of this life; a new one after every loss.
    var birth: String
    /// From when on it grants.
    var opensAt: Int64
    /// How long before `opensAt` this life began.
    var grace: Int64
    /// The last token drawn.
    var epoch: Int64 = 0
    var month: Month
    /// Reservations and calls of the month.
    var used: Int64
    /// Those of them that the next month has to count too.
    var carry: Int64
    /// The smallest limit that upstream has shown this month.
    var shownPlan: Int64?
    /// Calls that upstream has counted beyond ours this month: part of `used`.
    var external: Int64 = 0
    /// The most calls of our own this month, by what upstream said was left.
    var ownMost: Int64?
    /// Snapshots up to this token have been dropped by an operator.
    var purged: Int64 = 0
    var refusals: [RefusalRecord] = []
    /// The rate limit's next arrival: grants pass while it is less than the burst ahead.
    var arrival: Int64
    var flights: [FlightRecord] = []
    var cooldowns: [CooldownScope: CooldownRecord] = [:]
    var slowDown: SlowDown?
    var paces: [Resource: PaceRecord] = [:]
    /// Calls made while the store was away that this life was told of: part of `used`, unknown to older memories.
    var away: Int64 = 0
    /// While `used` rests on the blank share: what witnesses have told all the same; nil once one knew the month.
    var told: Int64?
    /// The running totals of calls without the store, by instance.
    var offline: [String: Testimony.Offline] = [:]

    /// The plans of those who have asked lately, each with the instant up to which it holds for all.
    var plans = ToldPlans()

    /// Brings it up to the present: a month that has begun, and ends that a jump of the clock has put farther away than
    /// they can be.
    mutating func catchUp(to now: Int64, plan: PlanNumbers) {
        roll(to: Month(containing: UnixMilliseconds(now)))
        plans.note(plan.monthly, at: now)
        opensAt = min(opensAt, now + grace)
        arrival = min(arrival, now + plan.window)
        for place in flights.indices {
            flights[place].end = min(flights[place].end, now + flights[place].lease)
        }
        for scope in CooldownScope.allCases {
            guard let end = cooldowns[scope]?.end else { continue }
            let longest = StoreTimings.longestCooldown(scope).milliseconds
            cooldowns[scope]?.end = min(end, now + longest)
        }
        catchUpRefusals(to: now)
        slowDown?.cut(to: now + StoreTimings.longestShortCooldown.milliseconds)
    }

    /// Begins a month; never goes back.
    ///
    /// What is open, and what ended in the boundary's edge, counts in both.
    mutating func roll(to newer: Month) {
        guard newer > month else { return }
        used = carry + reserved
        carry = 0
        month = newer
        shownPlan = nil
        external = 0
        ownMost = nil
        away = 0
        told = nil
    }

    /// Records of this month that are not settled.
    var reserved: Int64 {
        Int64(flights.count { $0.month == month && !$0.isSettled })
    }

    /// The smallest of the plans of all who ask, upstream's own limit, and what it said was left beside all that others
    /// have used.
    func limit(_ plan: PlanNumbers) -> Int64 {
        let smallest = min(plan.monthly, plans.smallest ?? plan.monthly)
        return min(smallest, shownPlan ?? smallest, ownMost.map { $0 + external } ?? smallest)
    }

    /// The interval that a fetch granted now begins: the tier's or the pace, doubled after limits; nil
    /// where the plan is used up.
    func interval(least: Int64, at now: Int64, plan: PlanNumbers) -> Int64? {
        let left = limit(plan) - used
        guard
            let pace = Pace.interval(at: UnixMilliseconds(now), left: left, permille: plan.permille)
        else { return nil }
        return lengthened(max(least, pace.milliseconds), at: now)
    }

    /// An interval as it is after upstream's rate limit was met.
    func lengthened(_ interval: Int64, at now: Int64) -> Int64 {
        slowDown?.lengthened(interval, at: now) ?? interval
    }

    /// What every answer tells of it.
    func shadow(
        at now: Int64, plan: PlanNumbers, resource: Resource?, instances: Int64? = nil,
        members: [Shadow.Member] = []
    ) -> Shadow {
        let records = CooldownScope.allCases.compactMap { scope in
            cooldowns[scope].map { record in
                Shadow.Cooldown(
                    scope: scope, rest: .milliseconds(max(0, record.end - now)), strikes: record.strikes,
                    reason: record.reason, keys: record.keys)
            }
        }
        let refused = refusals.map {
            Shadow.Refusal(
                kind: $0.kind, key: $0.key, rest: .milliseconds(max(0, $0.end - now)), strikes: $0.strikes)
        }
        return Shadow(
            now: UnixMilliseconds(now), birth: birth, epoch: FencingToken(epoch), month: month.description,
            used: used, reserved: reserved, plan: limit(plan), cooldowns: records,
            nextAt: resource.flatMap { paces[$0] }.map { UnixMilliseconds($0.nextAt) }, instances: instances,
            purged: FencingToken(purged), external: external, refusals: refused,
            slowLevel: slowDown?.level(at: now) ?? 0,
            flights: flights.filter { $0.isLive(at: now) }.map { $0.told(at: now) }, members: members)
    }
}
