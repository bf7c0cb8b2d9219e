import CacheLayer
import EventLoop

/// Which snapshots have had their first answer: one request of the whole process is said to have filled the cache, all
/// others joined it.
///
/// Safe from any thread; holds one id for each resource. Asked for parked requests only, never on the hot path.
final class FirstAnswers: Sendable {
    private let claimed = Locked<[Resource: SnapshotID]>([:])

    init() {}

    /// Whether this is the first call for this snapshot.
    func claim(_ snapshot: RateSnapshot) -> Bool {
        claimed.withLock { $0.updateValue(snapshot.id, forKey: snapshot.resource) != snapshot.id }
    }
}
