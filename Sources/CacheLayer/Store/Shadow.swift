/// What an instance is told of the control at the end of each answer, and remembers.
package struct Shadow: Hashable, Sendable {
    /// The store's own time when it answered.
    package let now: UnixMilliseconds
    /// The random name of this life of the control; a new one after every loss.
    package let birth: String
    /// Which state of that life it is: every commit adds one.
    package let version: Int64
    /// The last token drawn.
    package let epoch: FencingToken
    /// `YYYY-MM`, the month that is counted.
    package let month: String
    /// Calls of known attempts this month, open reservations among them.
    package let counted: Int64
    /// Calls that may have been made and that nobody has seen.
    package let assumed: Int64
    /// `before` or `lost`; nil while nothing is assumed.
    package let assumedReason: String?
    /// Calls of others with the same key, by upstream's own count.
    package let external: Int64
    /// When upstream's own count last came; nil before that.
    package let evidenceAt: UnixMilliseconds?
    /// Records in flight: reserved but not settled; part of `counted`.
    package let reserved: Int64
    /// The monthly limit that holds: the configured one, or the smaller one that upstream has shown.
    package let plan: Int64
    /// Cooldowns on record, also those that have ended and await their probe.
    package let cooldowns: [Cooldown]
    /// When the resource asked for may be fetched next; nil if nothing is noted (or none was asked for).
    package let nextAt: UnixMilliseconds?
    /// Instances that have looked within the last hour; only in the answer to a `look`, else nil.
    package let instances: Int64?
    /// Snapshots up to this token have been dropped by an operator: nobody keeps or tells one.
    package let purged: FencingToken
    /// Kinds of resources that upstream refuses, also those whose pause has ended.
    package let refusals: [Refusal]
    /// By how many doublings intervals are longer now, after upstream's rate limit was met: 0 to 3.
    package let slowLevel: Int64
    /// Who fetches what right now, in the order of the grants; ended records aren't told.
    package let flights: [Flight]
    /// The instances that have looked last, at most 64, the latest at the end; only in the answer to a `look`, else empty.
    package let members: [Member]

    /// What the month's plan is booked with: counted, assumed and external calls together.
    package var booked: Int64 { counted + assumed + external }

    /// What the fleet may still call this month; zero where nothing is left.
    package var left: Int64 { max(0, plan - booked) }

    package struct Cooldown: Hashable, Sendable {
        package let scope: CooldownScope
        /// What remains; zero if it has ended and its probe is due.
        package let rest: Duration
        /// Consecutive limits, at least one.
        package let strikes: Int64
        /// A short word for people, for example `rate_limited`.
        package let reason: String
        /// Of the scope `key`: whose keys were refused; empty means everybody's.
        package let keys: [KeyMark]

        package init(
            scope: CooldownScope, rest: Duration, strikes: Int64, reason: String, keys: [KeyMark] = []
        ) {
            self.scope = scope
            self.rest = rest
            self.strikes = strikes
            self.reason = reason
            self.keys = keys
        }

        /// Whether it stops an instance with this key.
        package func holds(for key: KeyMark) -> Bool { keys.isEmpty || keys.contains(key) }
    }

    package struct Refusal: Hashable, Sendable {
        /// `Resource.refusalKind`.
        package let kind: String
        package let key: KeyMark
        /// What remains; zero if it has ended.
        package let rest: Duration
        /// Refusals in a row, at least one.
        package let strikes: Int64

        package init(kind: String, key: KeyMark, rest: Duration, strikes: Int64) {
            self.kind = kind
            self.key = key
            self.rest = rest
            self.strikes = strikes
        }
    }

    package struct Flight: Hashable, Sendable {
        package let resource: Resource
        /// The instance that holds the lease.
        package let holder: String
        package let token: FencingToken
        /// What is left of the lease.
        package let rest: Duration
        /// Whether the fetch has ended, and only the slot is kept: upstream may be at work on it still.
        package let isSettled: Bool

        package init(
            resource: Resource, holder: String, token: FencingToken, rest: Duration, isSettled: Bool = false
        ) {
            self.resource = resource
            self.holder = holder
            self.token = token
            self.rest = rest
            self.isSettled = isSettled
        }
    }

    /// One instance of the fleet.
    package struct Member: Hashable, Sendable {
        package let name: String
        /// How long ago it looked.
        package let idle: Duration

        package init(name: String, idle: Duration) {
            self.name = name
            self.idle = idle
        }
    }

    package init(
        now: UnixMilliseconds, birth: String, version: Int64 = 0, epoch: FencingToken, month: String,
        counted: Int64, assumed: Int64 = 0, assumedReason: String? = nil, external: Int64 = 0,
        evidenceAt: UnixMilliseconds? = nil, reserved: Int64, plan: Int64, cooldowns: [Cooldown],
        nextAt: UnixMilliseconds?, instances: Int64? = nil, purged: FencingToken = .none,
        refusals: [Refusal] = [], slowLevel: Int64 = 0, flights: [Flight] = [], members: [Member] = []
    ) {
        self.now = now
        self.birth = birth
        self.version = version
        self.epoch = epoch
        self.month = month
        self.counted = counted
        self.assumed = assumed
        self.assumedReason = assumedReason
        self.external = external
        self.evidenceAt = evidenceAt
        self.reserved = reserved
        self.plan = plan
        self.cooldowns = cooldowns
        self.nextAt = nextAt
        self.instances = instances
        self.purged = purged
        self.refusals = refusals
        self.slowLevel = slowLevel
        self.flights = flights
        self.members = members
    }
}
