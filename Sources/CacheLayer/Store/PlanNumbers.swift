/// A plan in the control's numbers: milliseconds and counts, bounded so that no product of them overflows.
struct PlanNumbers: Hashable, Sendable {
    /// Calls a month, at most a thousand million.
    private(set) var monthly: Int64
    private(set) var perMinute: Int64
    /// Milliseconds between grants that keep the narrower rate limit.
    private(set) var gap: Int64
    /// Calls that may be in flight at once, at most a thousand.
    let cap: Int64
    let permille: Int64
    /// Upstream also limits calls by the hour: anonymous use.
    let isHourly: Bool

    static let mostCalls: Int64 = 1_000_000_000

    init(_ plan: QuotaPlan) {
        monthly = min(plan.monthly, Self.mostCalls)
        perMinute = min(plan.perMinute, Self.mostCalls)
        gap = max(1, plan.gap.milliseconds)
        cap = min(plan.maxInFlight, 1_000)
        permille = plan.targetPermille
        isHourly = plan.perHour != nil
    }

    /// The plan that holds while other members have configured smaller limits.
    func narrowed(by members: [MemberLimits]) -> PlanNumbers {
        var narrowed = self
        for member in members {
            narrowed.monthly = min(narrowed.monthly, member.monthly)
            narrowed.perMinute = min(narrowed.perMinute, member.perMinute)
            narrowed.gap = max(narrowed.gap, member.gap)
        }
        return narrowed
    }

    /// Grants that may follow each other at once: for those that clients wait for, up to half a minute's calls.
    func burst(isAwaited: Bool) -> Int64 { isAwaited && !isHourly ? max(cap, perMinute / 2) : cap }

    /// How far the rate limit's next arrival may lie behind the present.
    var window: Int64 { gap * max(cap, perMinute / 2) }

    /// Grants that may have happened unknown to a memory of that age: as many at once as may be, and one for each gap
    /// since.
    func margin(age: Int64) -> Int64 { cap + max(0, age) / gap }
}
