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

    /// Clocks that a caller moves.
    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        wall: @escaping @Sendable () -> UnixMilliseconds
    ) {
        let origin = now()
        self.now = now
        self.wall = wall
        milliseconds = { origin.duration(to: now()).milliseconds }
    }

    private init(milliseconds: @escaping @Sendable () -> Int64) {
        self.milliseconds = milliseconds
        now = { ContinuousClock.now }
        wall = { UnixMilliseconds(Self.read(CLOCK_REALTIME)) }
    }

    /// The system's clocks: `CLOCK_BOOTTIME`, which is also what `ContinuousClock` reads, and `CLOCK_REALTIME`.
    static let system = GatewayClock(milliseconds: { read(CLOCK_BOOTTIME) })

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
