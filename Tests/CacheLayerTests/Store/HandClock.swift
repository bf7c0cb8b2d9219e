import CacheLayer
import EventLoop

/// A wall clock that shows what it was set to.
final class HandClock: Sendable {
    private let instant: Locked<UnixMilliseconds>

    init(_ start: UnixMilliseconds) { instant = Locked(start) }

    var now: UnixMilliseconds { instant.withLock { $0 } }

    func set(_ new: UnixMilliseconds) { instant.withLock { $0 = new } }
}
