import EventLoop

/// The store of a process that is alone: the same protocol, in its own memory.
///
/// Safe from any thread; answers at once. A fresh one is `lost` like an emptied Redis, until a testimony (the state
/// file's, if there is one) has made its control.
package final class InMemoryRateStore: DecidingStore {
    package let archive = ArchiveCounters()
    let state: Locked<State>
    private let clock: @Sendable () -> UnixMilliseconds
    private let names: @Sendable () -> String
    let fanOut = EventFanOut()

    struct State {
        var memory: MemoryState
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
        var memory = MemoryState(archiveBytes: archiveBytes)
        memory.control = saved.flatMap { saved in
            saved.state.control?.resumed(at: clock(), above: saved.state.highestToken, plan: saved.plan)
        }
        state = Locked(State(memory: memory))
        self.clock = clock
        self.names = names
        fanOut.send(.linkUp)
    }

    func read(_ question: StoreQuestion) async throws(StoreError) -> StoreReading {
        try change { $0.reading(question, at: $1) }
    }

    func commit(_ change: StoreChange, on reading: StoreReading) async throws(StoreError) -> CommitReply {
        let (reply, events, news) = try self.change { $0.commit(change, on: reading.mark, at: $1) }
        for event in events { fanOut.send(event) }
        for one in news { archive.note(one) }
        return reply
    }

    func newBirth() -> String { names() }

    func yield(after tries: Int) async { await Task.yield() }

    package func attend(_ holder: String, _ limits: MemberLimits) async throws(StoreError) {
        try change { state, now in
            state.members[holder] = MemoryState.Member(heard: now, limits: limits)
            state.members = state.members.filter { now - $0.value.heard < StoreTimings.membersKept }
        }
    }

    package func leave(_ holder: String) async throws(StoreError) {
        try change { state, _ in _ = state.members.removeValue(forKey: holder) }
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
    var savedControl: ControlRecord? { state.withLock { $0.memory.control } }

    package func close() async {
        state.withLock { $0.isClosed = true }
        fanOut.end()
    }

    private func change<T: Sendable>(
        _ body: (inout MemoryState, UnixMilliseconds) -> T
    ) throws(StoreError) -> T {
        // The clock is read under the lock, so that time can't go back between two changes.
        let result: T? = state.withLock { state in
            guard !state.isClosed else { return nil }
            return body(&state.memory, clock())
        }
        guard let result else { throw .notExecuted(.closed) }
        return result
    }
}
