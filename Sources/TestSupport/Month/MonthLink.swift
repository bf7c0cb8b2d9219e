import CacheLayer
import EventLoop

/// One instance's link to the store that all share: up, down, or gone with its process.
///
/// Safe from any thread.
final class MonthLink: RateStore {
    private enum Standing { case up, down, gone }

    private let store: InMemoryRateStore
    private let standing = Locked(Standing.up)
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
        if isUp { sender.yield(event) }
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

    var isUp: Bool { standing.withLock { $0 == .up } }

    /// Makes the instance look now, if it can.
    func look() { pass(.linkUp) }

    // MARK: What the instance does

    func begin(_ request: BeginRequest) async throws(StoreError) -> Answer<BeginReply> {
        try requireUp()
        return try await store.begin(request)
    }

    func finish(_ request: FinishRequest) async throws(StoreError) -> Answer<FinishReply> {
        try requireUp()
        return try await store.finish(request)
    }

    func restore(_ testimony: Testimony) async throws(StoreError) -> Answer<RestoreReply> {
        try requireUp()
        return try await store.restore(testimony)
    }

    func look(_ request: LookRequest) async throws(StoreError) -> Answer<LookReply> {
        try requireUp()
        return try await store.look(request)
    }

    func lift(_ request: LiftRequest) async throws(StoreError) -> Answer<LiftReply> {
        try requireUp()
        return try await store.lift(request)
    }

    func purge(_ request: PurgeRequest) async throws(StoreError) -> Answer<PurgeReply> {
        try requireUp()
        return try await store.purge(request)
    }

    func snapshot(of resource: Resource) async throws(StoreError) -> StoredSnapshot? {
        try requireUp()
        return try await store.snapshot(of: resource)
    }

    func archived(_ id: SnapshotID) async throws(StoreError) -> StoredSnapshot? {
        try requireUp()
        return try await store.archived(id)
    }

    func events() -> AsyncStream<StoreEvent> { stream }

    func close() async {}

    private func requireUp() throws(StoreError) {
        if !isUp { throw .notExecuted(.notConnected) }
    }
}
