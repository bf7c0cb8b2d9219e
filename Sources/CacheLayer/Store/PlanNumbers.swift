/// A plan in the control's numbers: milliseconds and counts, bounded so that no product of them leaves
/// the 53 bits of a script's numbers.
struct PlanNumbers: Hashable, Sendable {
    /// Calls a month, at most a thousand million.
    let monthly: Int64
    /// Milliseconds between grants that keep the narrower rate limit.
    let gap: Int64
    /// Grants that may follow each other at once: as many as calls may be in flight, at most a thousand.
    let burst: Int64
    let permille: Int64

    static let mostCalls: Int64 = 1_000_000_000

    init(_ plan: QuotaPlan) {
        monthly = min(plan.monthly, Self.mostCalls)
        gap = max(1, plan.gap.milliseconds)
        burst = min(plan.maxInFlight, 1_000)
        permille = plan.targetPermille
    }

    /// How far the rate limit's next arrival may lie behind the present.
    var window: Int64 { gap * burst }

    /// Grants that may have happened unknown to a memory of that age: as many at once as may be, and one for each gap
    /// since.
    func margin(age: Int64) -> Int64 { burst + max(0, age) / gap }
}
