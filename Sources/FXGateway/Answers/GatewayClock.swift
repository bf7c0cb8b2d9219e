import CacheLayer
import Glibc

/// The clocks of the request path: one that measures, in whole milliseconds, and one that tells the date.
struct GatewayClock: Sendable {
    /// Measures and counts suspended time too; the same clock as `now`.
    let milliseconds: @Sendable () -> Int64
    /// The measuring clock as the cache layer takes it: for ages, which are fixed on adoption.
    let now: @Sendable () -> ContinuousClock.Instant
    /// The date, for `Retry-After` and for people; never measures.
    let wall: @Sendable () -> UnixMilliseconds

    /// The clocks of a time source that a test moves.
    init(_ time: TimeSource) {
        let origin = time.now()
        let now = time.now
        self.now = now
        wall = time.wall
        milliseconds = { origin.duration(to: now()).milliseconds }
    }

    private init(milliseconds: @escaping @Sendable () -> Int64) {
        self.milliseconds = milliseconds
        now = TimeSource.system.now
        wall = TimeSource.system.wall
    }

    /// The system's clocks.
    ///
    /// `CLOCK_BOOTTIME` is also what `ContinuousClock` reads; asked for directly it costs half as much.
    static let system = GatewayClock(milliseconds: {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    })
}
