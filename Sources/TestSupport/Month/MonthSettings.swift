package import CacheLayer

/// What a simulated month is run with.
package struct MonthSettings: Sendable {
    /// Decides all that happens: load, latencies, faults, jitter.
    package var seed: UInt64
    /// Calls in the month, for upstream and for the fleet.
    package var plan: Int64
    /// `FXGW_LIVE_TTL`.
    package var liveTTL: Duration
    package var month: Month
    /// The direct bases, the pivot first.
    package var bases: [Currency]
    package var instances = 10
    package var perMinute: Int64 = 12
    /// How far apart the looks at the store are while nothing happens to it.
    ///
    /// In the second before and after a fault of the store each instance looks within a second, as it does in life: at
    /// other times a look finds nothing that an event hasn't told.
    package var quietLook = Duration.seconds(600)
    /// What upstream takes for each answer; nil: mostly a fraction of a second, now and then some seconds.
    package var latency: Duration?

    package init(seed: UInt64, plan: Int64, liveTTL: Duration, month: Month, bases: [Currency]) {
        precondition(!bases.isEmpty && plan > 0, "a month needs a pivot and a plan")
        self.seed = seed
        self.plan = plan
        self.liveTTL = liveTTL
        self.month = month
        self.bases = bases
    }
}

extension MonthSettings {
    var policy: TierPolicy { TierPolicy(liveTTL: liveTTL) }
    var quota: QuotaPlan { QuotaPlan(monthly: plan, perMinute: perMinute) }
    /// An hour before the month.
    var start: UnixMilliseconds { month.start + .seconds(-3_600) }
    /// An hour after it.
    var end: UnixMilliseconds { month.next.start + .seconds(3_600) }
    var pivot: Resource { .latest(base: bases[0]) }
}
