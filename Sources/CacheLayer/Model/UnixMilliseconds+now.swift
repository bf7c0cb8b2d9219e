import Glibc

extension UnixMilliseconds {
    /// The system's wall clock.
    package static var now: UnixMilliseconds {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixMilliseconds(Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
