import CacheLayer
import Synchronization

/// A wall clock that shows what it was set to.
final class HandClock: Sendable {
    private let instant: Mutex<UnixMilliseconds>

    init(_ start: UnixMilliseconds) { instant = Mutex(start) }

    var now: UnixMilliseconds { instant.withLock { $0 } }

    func set(_ new: UnixMilliseconds) { instant.withLock { $0 = new } }
}
