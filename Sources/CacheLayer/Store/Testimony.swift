/// What an instance remembers of a control that lost data: the only thing that creates one.
///
/// May be told by any instance, any number of times, in any order.
package struct Testimony: StoreRequest, Hashable {
    /// Whose running total of calls without the store it carries.
    package let holder: String
    /// The name under which this instance is a member of the fleet.
    package let member: String
    package let floor: FencingToken
    package let birth: String?
    package let version: Int64
    package let wall: UnixMilliseconds?
    /// The ledger as last told to this instance, and how long ago; nil if it never was.
    package let ledger: Ledger?
    package let cooldowns: [Shadow.Cooldown]
    /// The attempt whose call may still be made or is under way; nil if there is none.
    package let flight: Flight?
    /// Calls made while the store was away, as a running total of the month; nil if none.
    package let offline: Offline?
    /// At most 16 in one request.
    package let snapshots: [StoredSnapshot]
    package let plan: QuotaPlan
    package let lease: Duration
    /// The grace in which nothing is granted after a loss: long enough for every witness to speak; zero for a store that
    /// can have forgotten nothing.
    package let grace: Duration

    package struct Ledger: Hashable, Sendable {
        package let month: String
        package let counted: Int64
        package let assumed: Int64
        package let external: Int64
        /// The members that this instance saw when it was told, itself among them or not.
        package let members: [String]
        package let age: Duration

        package init(
            month: String, counted: Int64, assumed: Int64 = 0, external: Int64 = 0, members: [String] = [],
            age: Duration
        ) {
            self.month = month
            self.counted = counted
            self.assumed = assumed
            self.external = external
            self.members = members
            self.age = age
        }
    }

    package struct Flight: Hashable, Sendable {
        package let attempt: AttemptID
        package let token: FencingToken
        package let resource: Resource
        package let age: Duration
        package init(attempt: AttemptID, token: FencingToken, resource: Resource, age: Duration) {
            self.attempt = attempt
            self.token = token
            self.resource = resource
            self.age = age
        }
    }

    package struct Offline: Hashable, Sendable {
        package let month: String
        package let calls: Int64
        package init(month: String, calls: Int64) {
            self.month = month
            self.calls = calls
        }
    }

    package init(
        holder: String, member: String? = nil, floor: FencingToken, birth: String?, version: Int64 = 0,
        wall: UnixMilliseconds? = nil, ledger: Ledger?, cooldowns: [Shadow.Cooldown], flight: Flight?,
        offline: Offline? = nil, snapshots: [StoredSnapshot], plan: QuotaPlan, lease: Duration,
        grace: Duration
    ) {
        precondition(snapshots.count <= 16, "a testimony carries at most 16 snapshots")
        self.holder = holder
        self.member = member ?? holder
        self.floor = floor
        self.birth = birth
        self.version = version
        self.wall = wall
        self.ledger = ledger
        self.cooldowns = cooldowns
        self.flight = flight
        self.offline = offline
        self.snapshots = snapshots
        self.plan = plan
        self.lease = lease
        self.grace = grace
    }
}
