/// The plan that the simulated upstream enforces; nil is no limit.
package struct QuotaLimits: Equatable, Sendable {
    /// Calls of one key in one calendar month (UTC).
    package var monthly: Int?
    /// Calls of one key or one anonymous address in one minute of the clock.
    package var perMinute: Int?
    /// Calls of one anonymous address in one hour of the clock.
    package var perHour: Int?

    package init(monthly: Int? = nil, perMinute: Int? = nil, perHour: Int? = nil) {
        self.monthly = monthly
        self.perMinute = perMinute
        self.perHour = perHour
    }

    /// The smallest figures published for the free plan and for anonymous use.
    package static let free = QuotaLimits(monthly: 10_000, perMinute: 12, perHour: 100)
    package static let none = QuotaLimits()
}
