/// What the month's ledger says of the rest of the month.
///
/// Pure whole-number arithmetic on what the store has told.
package struct QuotaOutlook: Hashable, Sendable {
    /// Shares of the plan, in percent, that are worth a word when they are passed.
    package static let marks: [Int64] = [80, 90]

    /// Calls of the whole month if the rest of it goes like the part that has passed; nil in its first hour, which says
    /// nothing yet.
    package let forecast: Int64?
    /// The interval that spreads what is left to the month's end; nil if nothing is left.
    package let pace: Duration?
    /// Those of `marks` that are reached.
    package let reached: [Int64]

    private static let leastElapsed: Int64 = 3_600_000

    /// By what the store told last.
    package init(_ shadow: Shadow, _ plan: QuotaPlan) {
        self.init(
            used: shadow.counted + shadow.external, assumed: shadow.assumed, plan: shadow.plan,
            permille: plan.targetPermille, at: shadow.now)
    }

    /// `used` calls are known of; `assumed` ones may have been made: they are no part of the forecast.
    package init(used: Int64, assumed: Int64 = 0, plan: Int64, permille: Int64, at now: UnixMilliseconds) {
        // Bounded as in the control: no product leaves 64 bits.
        let used = min(max(0, used), PlanNumbers.mostCalls)
        let plan = min(max(0, plan), PlanNumbers.mostCalls)
        let month = Month(containing: now)
        let elapsed = (now - month.start).milliseconds
        let length = (month.next.start - month.start).milliseconds
        forecast = elapsed >= Self.leastElapsed ? used * (length / 1_000) / (elapsed / 1_000) : nil
        pace = Pace.interval(at: now, left: plan - used - min(max(0, assumed), plan), permille: permille)
        reached = Self.marks.filter { used * 100 >= plan * $0 }
    }
}
