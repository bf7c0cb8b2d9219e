import CacheLayer

/// One figure of a long run: where it may go, and how it is shown.
package enum SoakSeries: String, Sendable, CaseIterable {
    case residentMemory = "resident memory of the largest gateway, MiB"
    case descriptors = "descriptors of the gateway with the most"
    case threads = "threads of the gateway with the most"
    case redisKeys = "keys in Redis"
    case redisMemory = "memory of Redis, MiB"
    case p50 = "median answer, ms"
    case p99 = "99th percentile, ms"

    package func value(_ sample: SoakSample) -> Double {
        switch self {
        case .residentMemory: Double(sample.processes.map(\.residentBytes).max() ?? 0) / 1_048_576
        case .descriptors: Double(sample.processes.map(\.descriptors).max() ?? 0)
        case .threads: Double(sample.processes.map(\.threads).max() ?? 0)
        case .redisKeys: Double(sample.redisKeys)
        case .redisMemory: Double(sample.redisBytes) / 1_048_576
        case .p50: Double(sample.p50 / .microseconds(1)) / 1_000
        case .p99: Double(sample.p99 / .microseconds(1)) / 1_000
        }
    }

    /// How much the median of the run's last quarter may be above that of its second one, whose value is given.
    ///
    /// The first quarter is left out: caches fill and pools grow then. Memory may breathe by a twentieth, counts by what
    /// a reconnect takes, times by what a shared machine makes of them.
    package func rise(from value: Double) -> Double {
        switch self {
        case .residentMemory: max(3, value / 20)
        case .descriptors: max(4, value / 20)
        case .threads: 2
        case .redisKeys: max(20, value / 20)
        case .redisMemory: max(1, value / 20)
        case .p50: max(2, value)
        case .p99: max(20, value * 2)
        }
    }
}
