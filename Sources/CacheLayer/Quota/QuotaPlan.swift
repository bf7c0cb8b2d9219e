/// What the fleet may spend: read from the configuration, the same on all instances.
package struct QuotaPlan: Hashable, Sendable {
    /// Calls in a calendar month (UTC).
    package let monthly: Int64
    /// Calls in a minute; the fleet's grants are spread by it.
    package let perMinute: Int64
    /// Calls in an hour where upstream has such a limit (anonymous use), else nil.
    package let perHour: Int64?
    /// The share of the budget that the pace spreads, in parts of a thousand: 950 leaves five percent
    /// over.
    package let targetPermille: Int64
    /// Calls in flight at once in the whole fleet.
    package let maxInFlight: Int64

    package init(
        monthly: Int64, perMinute: Int64, perHour: Int64? = nil, targetPermille: Int64 = 950,
        maxInFlight: Int64 = 1
    ) {
        precondition(monthly > 0 && perMinute > 0 && maxInFlight > 0, "a plan needs positive limits")
        precondition((1...1_000).contains(targetPermille), "the target is a share of 1 to 1000 permille")
        precondition(perHour.map { $0 > 0 } ?? true, "an hourly limit is positive")
        self.monthly = monthly
        self.perMinute = perMinute
        self.perHour = perHour
        self.targetPermille = targetPermille
        self.maxInFlight = maxInFlight
    }

    /// The same plan with another share for the pace to spread, 1 to 1000 permille.
    func spreading(_ permille: Int64) -> QuotaPlan {
        QuotaPlan(
            monthly: monthly, perMinute: perMinute, perHour: perHour, targetPermille: permille,
            maxInFlight: maxInFlight)
    }

    /// The distance at which grants keep the narrower of the two rate limits, in milliseconds, rounded
    /// up.
    package var gap: Duration {
        let minute = (60_000 + perMinute - 1) / perMinute
        let hour = perHour.map { (3_600_000 + $0 - 1) / $0 } ?? 0
        return .milliseconds(max(minute, hour))
    }
}
