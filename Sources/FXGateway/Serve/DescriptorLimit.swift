import Glibc

/// How many connections the descriptor limit leaves room for.
enum DescriptorLimit {
    /// Descriptors that stay free for Redis, upstream, files and the loops themselves.
    private static let reserve = 64
    /// More than this is never taken by default, however high the limit is.
    private static let most = 100_000

    /// Raises the soft limit to the hard one and returns the room for clients, at least 16.
    static func connections() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 16 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = min(limit.rlim_max, rlim_t(most + reserve))
            if raised.rlim_cur > limit.rlim_cur,
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
            {
                limit = raised
            }
        }
        return max(16, min(most, Int(clamping: limit.rlim_cur) - reserve))
    }
}
