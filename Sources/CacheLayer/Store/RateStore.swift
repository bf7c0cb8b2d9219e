/// What all instances of a fleet share: the control (leases, ledger, cooldowns, pace) and the snapshots.
///
/// Two implementations under one contract: Redis, and the memory of a process that is alone. Each call is atomic, has a
/// deadline, and may be made from any thread. A refusal is a reply; an error means that the store could not be asked.
package protocol RateStore: Sendable {
    func begin(_ request: BeginRequest) async throws(StoreError) -> Answer<BeginReply>
    func finish(_ request: FinishRequest) async throws(StoreError) -> Answer<FinishReply>
    func restore(_ testimony: Testimony) async throws(StoreError) -> Answer<RestoreReply>
    func look(_ request: LookRequest) async throws(StoreError) -> Answer<LookReply>

    /// Ends a cooldown before its time; an operator's act, may be done again.
    func lift(_ request: LiftRequest) async throws(StoreError) -> Answer<LiftReply>

    /// Drops all snapshots, in the store and in every memory; an operator's act, may be done again.
    func purge(_ request: PurgeRequest) async throws(StoreError) -> Answer<PurgeReply>

    /// Puts an amended snapshot in the place of the one that it was made from; an operator's act, may be done again.
    func amend(_ request: AmendRequest) async throws(StoreError) -> Answer<AmendReply>

    /// Notes that an instance is a member of the fleet, and under which limits; to be said again every
    /// `StoreTimings.presence`.
    func attend(_ holder: String, _ limits: MemberLimits) async throws(StoreError)

    /// Notes that a member leaves in order: nobody has to wait for what it might know.
    func leave(_ holder: String) async throws(StoreError)

    /// The snapshot of a resource as it is now; nil if there is none.
    func snapshot(of resource: Resource) async throws(StoreError) -> StoredSnapshot?

    /// The body of an older snapshot by its id; nil if it is no longer kept.
    func archived(_ id: SnapshotID) async throws(StoreError) -> StoredSnapshot?

    /// The body of the snapshot of a resource that was the newest fetched at an instant (itself included); nil if that one
    /// is no longer kept, or nothing is kept of that time.
    ///
    /// Never an older one in its place.
    func archived(of resource: Resource, at instant: UnixMilliseconds) async throws(StoreError)
        -> StoredSnapshot?

    /// What this instance knows of the archive's room.
    var archive: ArchiveCounters { get }

    /// The fleet's events from now on.
    ///
    /// Bounded: a reader that lags loses the oldest, `look` makes up for it.
    func events() -> AsyncStream<StoreEvent>

    /// Ends links and timers.
    ///
    /// Calls after that fail with `closed`.
    func close() async
}
