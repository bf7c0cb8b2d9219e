/// What an instance remembers of a control that lost data: the only thing that creates one.
///
/// May be told by any instance, any number of times, in any order: everything is taken as a maximum.
package struct Testimony: Hashable, Sendable {
    package let holder: String
    package let floor: FencingToken
    package let birth: String?
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
    /// The grace in which nothing is granted after a loss: long enough for every witness to speak.
    package let grace: Duration

    package struct Ledger: Hashable, Sendable {
        package let month: String
        package let used: Int64
        package let age: Duration
        package init(month: String, used: Int64, age: Duration) {
            self.month = month
            self.used = used
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
        holder: String, floor: FencingToken, birth: String?, ledger: Ledger?, cooldowns: [Shadow.Cooldown],
        flight: Flight?, offline: Offline? = nil, snapshots: [StoredSnapshot], plan: QuotaPlan,
        lease: Duration,
        grace: Duration
    ) {
        precondition(snapshots.count <= 16, "a testimony carries at most 16 snapshots")
        self.holder = holder
        self.floor = floor
        self.birth = birth
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
