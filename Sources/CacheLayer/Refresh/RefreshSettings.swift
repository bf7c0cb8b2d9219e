/// What one instance needs to know to take part in the fleet's refreshing.
///
/// From configuration; immutable.
package struct RefreshSettings: Sendable {
    /// This instance's name in records and reports.
    package let holder: String
    /// The direct bases, the pivot first; never empty.
    package let bases: [Currency]
    package let policy: TierPolicy
    package let plan: QuotaPlan
    package let times: LeaseTimes
    /// How long one command to the store may take: twice that bounds a `begin`'s effect.
    package let commandTimeout: Duration
    /// A resource that nobody has asked for in this time is no longer refreshed.
    package let demandKept: Duration
    /// Calls of this instance in an hour while the store is away; zero means none.
    package let offlineCallsPerHour: Int64
    /// How long a use keeps a resource being refreshed, unless a test has it otherwise.
    package static let standardDemandKept = Duration.seconds(3_600)
    /// Whether upstream has an account to ask for: only with a key.
    package let hasAccount: Bool
    /// With whose key this instance begins.
    package let key: KeyMark
    /// How far apart the looks at the store are, ten percent more or less.
    ///
    /// The bounds on what a lost event or a lost control costs hold for the present second; only a simulation that knows
    /// when something happens looks less often in between.
    package let look: Duration

    /// How long nothing is granted on a control that this instance has to make; zero where the store can't have forgotten
    /// anything.
    package let grace: Duration

    /// Years of history in this instance's memory take at most so many bytes, as kept and as stored together.
    package let yearBytes: Int

    /// The account is asked for at most once in this time, by one instance of the fleet.
    package static let accountInterval = Duration.seconds(86_400)
    /// An instance doesn't ask for it in its first minutes: starts are for rates.
    package static let accountDelay = Duration.seconds(600)

    package init(
        holder: String, bases: [Currency], policy: TierPolicy, plan: QuotaPlan, times: LeaseTimes,
        commandTimeout: Duration = .milliseconds(150), demandKept: Duration = standardDemandKept,
        offlineCallsPerHour: Int64 = 0, hasAccount: Bool = false, key: KeyMark = .anonymous,
        yearBytes: Int = 16 << 20, look: Duration = StoreTimings.look,
        grace: Duration = StoreTimings.grace
    ) {
        precondition(!bases.isEmpty, "there is always a pivot")
        self.holder = holder
        self.bases = bases
        self.policy = policy
        self.plan = plan
        self.times = times
        self.commandTimeout = commandTimeout
        self.demandKept = demandKept
        self.hasAccount = hasAccount
        self.key = key
        self.yearBytes = yearBytes
        self.look = look
        self.grace = grace
        self.offlineCallsPerHour = offlineCallsPerHour
    }

    /// The table from which every other base is derived.
    package var pivot: Resource { .latest(base: bases[0]) }
}
