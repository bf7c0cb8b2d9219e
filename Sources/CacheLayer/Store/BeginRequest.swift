/// Asks for the fleet-wide right to fetch one resource.
///
/// May be sent again as it is: same attempt, same answer.
package struct BeginRequest: StoreRequest, Hashable {
    package let resource: Resource
    package let attempt: AttemptID
    /// The instance's name, for people.
    package let holder: String
    /// How long the lease lasts from the grant on.
    package let lease: Duration
    /// The order of what this instance has in memory.
    package let held: SnapshotOrder?
    /// The highest token this instance has ever adopted or been told.
    package let floor: FencingToken
    /// The control's life that this instance knows; nil before it has been told any.
    package let birth: String?
    package let version: Int64
    package let wall: UnixMilliseconds?
    /// By the store's clock: later than this the request must have no effect.
    package let notAfter: UnixMilliseconds
    package let plan: QuotaPlan
    /// The tier's own interval: the pace may lengthen it, never shorten it.
    package let leastInterval: Duration
    /// An operator's wish: passes the interval and a refusal, never a pause, the plan or the rate limit.
    package let isForced: Bool
    /// Whether a client waits for it: such calls may come in a burst.
    package let isAwaited: Bool
    /// With whose key it would be fetched: the refusal of another one doesn't matter.
    package let key: KeyMark

    package init(
        resource: Resource, attempt: AttemptID, holder: String, lease: Duration, held: SnapshotOrder?,
        floor: FencingToken, birth: String?, version: Int64 = 0, wall: UnixMilliseconds? = nil,
        notAfter: UnixMilliseconds, plan: QuotaPlan, leastInterval: Duration, isForced: Bool = false,
        isAwaited: Bool = false, key: KeyMark = .anonymous
    ) {
        self.resource = resource
        self.attempt = attempt
        self.holder = holder
        self.lease = lease
        self.held = held
        self.floor = floor
        self.birth = birth
        self.version = version
        self.wall = wall
        self.notAfter = notAfter
        self.plan = plan
        self.leastInterval = leastInterval
        self.isForced = isForced
        self.isAwaited = isAwaited
        self.key = key
    }
}
