/// The limits that one instance has configured: the smallest of all members hold for the fleet.
package struct MemberLimits: Hashable, Sendable {
    package let monthly: Int64
    package let perMinute: Int64
    /// The distance at which grants keep the narrower rate limit, in milliseconds.
    package let gap: Int64

    package init(_ plan: QuotaPlan) {
        let numbers = PlanNumbers(plan)
        (monthly, perMinute, gap) = (numbers.monthly, numbers.perMinute, numbers.gap)
    }

    init(monthly: Int64, perMinute: Int64, gap: Int64) {
        (self.monthly, self.perMinute, self.gap) = (monthly, perMinute, gap)
    }
}
