/// What an instance is told of the control at the end of each answer, and remembers.
package struct Shadow: Hashable, Sendable {
    /// The store's own time when it answered.
    package let now: UnixMilliseconds
    /// The random name of this life of the control; a new one after every loss.
    package let birth: String
    /// The last token drawn.
    package let epoch: FencingToken
    /// `YYYY-MM`, the month that `used` counts.
    package let month: String
    /// Reservations and calls of the month.
    package let used: Int64
    /// Records in flight: reserved but not settled; part of `used`.
    package let reserved: Int64
    /// The monthly limit that holds: the configured one, or the smaller one that upstream has shown.
    package let plan: Int64
    /// Cooldowns on record, also those that have ended and await their probe.
    package let cooldowns: [Cooldown]
    /// When the resource asked for may be fetched next; nil if nothing is noted (or none was asked for).
    package let nextAt: UnixMilliseconds?
    /// Instances that have looked within the last hour; only in the answer to a `look`, else nil.
    package let instances: Int64?

    package struct Cooldown: Hashable, Sendable {
        package let scope: CooldownScope
        /// What remains; zero if it has ended and its probe is due.
        package let rest: Duration
        /// Consecutive limits, at least one.
        package let strikes: Int64
        /// A short word for people, for example `rate_limited`.
        package let reason: String

        package init(scope: CooldownScope, rest: Duration, strikes: Int64, reason: String) {
            self.scope = scope
            self.rest = rest
            self.strikes = strikes
            self.reason = reason
        }
    }

    package init(
        now: UnixMilliseconds, birth: String, epoch: FencingToken, month: String, used: Int64,
        reserved: Int64, plan: Int64, cooldowns: [Cooldown], nextAt: UnixMilliseconds?,
        instances: Int64? = nil
    ) {
        self.now = now
        self.birth = birth
        self.epoch = epoch
        self.month = month
        self.used = used
        self.reserved = reserved
        self.plan = plan
        self.cooldowns = cooldowns
        self.nextAt = nextAt
        self.instances = instances
    }
}
