import EventLoop

/// The store of a process that is alone: the same protocol, in its own memory.
///
/// Safe from any thread; answers at once. A fresh one is `lost` like an emptied Redis, until a testimony (the state
/// file's, if there is one) has made its control.
package final class InMemoryRateStore: RateStore {
    package let archive = ArchiveCounters()
    let state: Locked<State>
    private let clock: @Sendable () -> UnixMilliseconds
    private let names: @Sendable () -> String
    private let fanOut = EventFanOut()

    struct State {
        var control: ControlState
        var isClosed = false
    }

    /// - Parameters:
    ///   - archiveBytes: the most bytes of older snapshots kept for replay.
    ///   - saved: what the state file says: its control goes on where it ended, under the plan of today.
    ///   - names: random names for the control's lives.
    ///   - clock: the wall clock; may jump, as a server's may.
    package init(
        archiveBytes: Int, resuming saved: (state: SavedState, plan: QuotaPlan)? = nil,
        names: @escaping @Sendable () -> String = { AttemptID().text },
        clock: @escaping @Sendable () -> UnixMilliseconds
    ) {
        var control = ControlState(archiveBytes: archiveBytes)
        control.control = saved.flatMap { saved in
            saved.state.control?.resumed(at: clock(), above: saved.state.highestToken, plan: saved.plan)
        }
        state = Locked(State(control: control))
        self.clock = clock
        self.names = names
        fanOut.send(.linkUp)
    }

    package func begin(_ request: BeginRequest) async throws(StoreError) -> Answer<BeginReply> {
        try change { $0.begin(request, now: $1) }
    }

    package func finish(_ request: FinishRequest) async throws(StoreError) -> Answer<FinishReply> {
        try change { $0.finish(request, now: $1) }
    }

    package func restore(_ testimony: Testimony) async throws(StoreError) -> Answer<RestoreReply> {
        let birth = names()
        return try change { $0.restore(testimony, now: $1, newBirth: birth) }
    }

    package func look(_ request: LookRequest) async throws(StoreError) -> Answer<LookReply> {
        try change { $0.look(request, now: $1) }
    }

    package func lift(_ request: LiftRequest) async throws(StoreError) -> Answer<LiftReply> {
        try change { $0.lift(request, now: $1) }
    }

    package func purge(_ request: PurgeRequest) async throws(StoreError) -> Answer<PurgeReply> {
        try change { $0.purge(request, now: $1) }
    }

    package func amend(_ request: AmendRequest) async throws(StoreError) -> Answer<AmendReply> {
        try change { $0.amend(request, now: $1) }
    }

    package func snapshot(of resource: Resource) async throws(StoreError) -> StoredSnapshot? {
        try change { $0.shelf.snapshot(of: resource, at: $1) }
    }

    package func archived(_ id: SnapshotID) async throws(StoreError) -> StoredSnapshot? {
        try change { $0.archive.snapshot(id, at: $1) }
    }

    package func archived(
        of resource: Resource, at instant: UnixMilliseconds
    ) async throws(StoreError) -> StoredSnapshot? {
        try change { $0.archive.newest(of: resource, at: instant, now: $1) }
    }

    /// The link to one's own memory is always up.
    package func events() -> AsyncStream<StoreEvent> { fanOut.stream() }

    /// The control as it is now, for the state file; nil before a testimony has made one.
    var savedControl: ControlRecord? { state.withLock { $0.control.control } }

    package func close() async {
        state.withLock { $0.isClosed = true }
        fanOut.end()
    }

    private func change<T: Sendable>(
        _ body: (inout ControlState, UnixMilliseconds) -> T
    ) throws(StoreError) -> T {
        // The clock is read under the lock, so that time can't go back between two changes.
        let result: (T, [StoreEvent], [ArchiveNews])? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let value = body(&state.control, clock())
            return (value, state.control.takeAnnouncements(), state.control.takeArchiveNews())
        }
        guard let (value, events, news) = result else { throw .notExecuted(.closed) }
        for event in events { fanOut.send(event) }
        for one in news { archive.note(one) }
        return value
    }
}
