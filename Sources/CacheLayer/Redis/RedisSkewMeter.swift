import EventLoop
import Telemetry

/// Keeps the server's clock skew for metrics and says so in the log when it matters.
///
/// Safe from any thread.
final class RedisSkewMeter: Sendable {
    private let skew = Locked(RedisClockSkew())
    private let health: RedisHealth
    private let logger: Logger

    init(health: RedisHealth, logger: Logger) {
        self.health = health
        self.logger = logger
    }

    /// Notes the server's time out of a reply that has just come.
    func note(server: UnixMilliseconds, wall: UnixMilliseconds, roundTrip: Duration) {
        let (word, value) = skew.withLock { skew in
            (skew.note(server: server, wall: wall, roundTrip: roundTrip), skew.value)
        }
        health.set(clockSkew: value)
        let fields: KeyValuePairs<LogKey, String> = [.milliseconds: String(value?.milliseconds ?? 0)]
        switch word {
        case .nothing: break
        case .warning: logger.log(.warning, "Redis's clock differs from this machine's", fields)
        case .settled: logger.log(.notice, "Redis's clock agrees with this machine's again", fields)
        }
    }
}
