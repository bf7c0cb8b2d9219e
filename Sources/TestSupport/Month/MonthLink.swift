import CacheLayer
import EventLoop

/// One instance's link to the store that all share: up, down, or gone with its process.
///
/// Safe from any thread.
final class MonthLink: RateStore {
    private enum Standing { case up, down, gone }

    private let store: InMemoryRateStore
    private let standing = Locked(Standing.up)
    private let counted = Locked(StoreWork())
    private let stream: AsyncStream<StoreEvent>
    private let sender: AsyncStream<StoreEvent>.Continuation

    init(to store: InMemoryRateStore, isUp: Bool) {
        self.store = store
        (stream, sender) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
        if isUp { sender.yield(.linkUp) } else { standing.withLock { $0 = .down } }
    }

    // MARK: What happens to it

    /// Passes on what the store has announced; what comes while the link is down is missed.
    func pass(_ event: StoreEvent) {
        guard isUp else { return }
        counted.withLock { $0.messages += 1 }
        sender.yield(event)
    }

    func drop() {
        let hasDropped = standing.withLock { standing in
            guard standing == .up else { return false }
            standing = .down
            return true
        }
        if hasDropped { sender.yield(.linkDown) }
    }

    func comeUp() {
        let isBack = standing.withLock { standing in
            guard standing == .down else { return false }
            standing = .up
            return true
        }
        if isBack { sender.yield(.linkUp) }
    }

    /// The process has gone: nothing passes any more.
    func end() {
        standing.withLock { $0 = .gone }
        sender.finish()
    }

    /// What has passed so far.
    var work: StoreWork { counted.withLock { $0 } }

    var isUp: Bool { standing.withLock { $0 == .up } }

    /// Makes the instance look now, if it can.
    func look() {
        if isUp { sender.yield(.linkUp) }
    }

    // MARK: What the instance does

    func begin(_ request: BeginRequest) async throws(StoreError) -> Answer<BeginReply> {
        try count { $0.begins += 1 }
        return try await store.begin(request)
    }

    func finish(_ request: FinishRequest) async throws(StoreError) -> Answer<FinishReply> {
        try count { $0.finishes += 1 }
        return try await store.finish(request)
    }

    func restore(_ testimony: Testimony) async throws(StoreError) -> Answer<RestoreReply> {
        try count { $0.others += 1 }
        return try await store.restore(testimony)
    }

    func look(_ request: LookRequest) async throws(StoreError) -> Answer<LookReply> {
        try count { $0.looks += 1 }
        return try await store.look(request)
    }

    func lift(_ request: LiftRequest) async throws(StoreError) -> Answer<LiftReply> {
        try count { $0.others += 1 }
        return try await store.lift(request)
    }

    func purge(_ request: PurgeRequest) async throws(StoreError) -> Answer<PurgeReply> {
        try count { $0.others += 1 }
        return try await store.purge(request)
    }

    func amend(_ request: AmendRequest) async throws(StoreError) -> Answer<AmendReply> {
        try count { $0.others += 1 }
        return try await store.amend(request)
    }

    func attend(_ holder: String, _ limits: MemberLimits) async throws(StoreError) {
        try count { $0.others += 1 }
        try await store.attend(holder, limits)
    }

    func leave(_ holder: String) async throws(StoreError) {
        try count { $0.others += 1 }
        try await store.leave(holder)
    }

    func snapshot(of resource: Resource) async throws(StoreError) -> StoredSnapshot? {
        try count { $0.reads += 1 }
        return try await store.snapshot(of: resource)
    }

    func archived(_ id: SnapshotID) async throws(StoreError) -> StoredSnapshot? {
        try count { $0.others += 1 }
        return try await store.archived(id)
    }

    func archived(of resource: Resource, at instant: UnixMilliseconds) async throws(StoreError)
        -> StoredSnapshot?
    {
        try count { $0.others += 1 }
        return try await store.archived(of: resource, at: instant)
    }

    var archive: ArchiveCounters { store.archive }

    func events() -> AsyncStream<StoreEvent> { stream }

    func close() async {}

    /// Counts a question, if it can be asked.
    private func count(_ one: @Sendable (inout StoreWork) -> Void) throws(StoreError) {
        if !isUp { throw .notExecuted(.notConnected) }
        counted.withLock { one(&$0) }
    }
}
