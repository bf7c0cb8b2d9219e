import EventLoop

/// The server's clock as it was last told, carried on by our own monotonic one.
///
/// Only names keys by it: no decision rests on it. Safe from any thread.
final class RateStoreTime: Sendable {
    private let last = Locked<(instant: UnixMilliseconds, told: ContinuousClock.Instant)?>(nil)
    private let wall: @Sendable () -> UnixMilliseconds

    /// `wall` answers until the server has spoken.
    init(wall: @escaping @Sendable () -> UnixMilliseconds) { self.wall = wall }

    var now: UnixMilliseconds {
        guard let (instant, told) = last.withLock({ $0 }) else { return wall() }
        return instant + told.duration(to: .now)
    }

    func told(_ instant: UnixMilliseconds) { last.withLock { $0 = (instant, .now) } }
}
