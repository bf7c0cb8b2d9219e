import CacheLayer
import EventLoop
import Telemetry

/// The newest things that this instance has logged of its part in the fleet: refreshes, refusals, quarantines, leases, pauses.
///
/// Those of the log, whatever its level; never a request, so nothing on the way of one. Safe from any thread.
final class EventRing: Sendable {
    struct Event: Sendable {
        /// Counts from 1 in the life of the process.
        let number: Int
        let at: UnixMilliseconds
        let level: LogLevel
        let message: String
        let fields: [(key: LogKey, value: String)]
    }

    /// How many are kept.
    static let limit = 50
    /// A field's longest text: what came from elsewhere is cut.
    private static let longestValue = 160

    private struct Kept {
        var events: [Event] = []
        var last = 0
    }

    private let kept = Locked(Kept())
    private let wall: @Sendable () -> UnixMilliseconds

    init(wall: @escaping @Sendable () -> UnixMilliseconds) { self.wall = wall }

    /// The newest first.
    var newest: [Event] { kept.withLock { Array($0.events.reversed()) } }

    /// Keeps a line with those of its fields that may be shown to whoever may ask for rates.
    func note(_ level: LogLevel, _ message: StaticString, _ fields: KeyValuePairs<LogKey, String>) {
        let shown = fields.filter { Self.isShown($0.key) }.map { field in
            (key: field.key, value: String(field.value.prefix(Self.longestValue)))
        }
        let now = wall()
        kept.withLock { kept in
            kept.last += 1
            if kept.events.count == Self.limit { kept.events.removeFirst() }
            kept.events.append(
                Event(number: kept.last, at: now, level: level, message: "\(message)", fields: shown))
        }
    }

    /// Whether a field is of rates and calls; what tells of machines, files and requests is not.
    private static func isShown(_ key: LogKey) -> Bool {
        switch key {
        case .resource, .snapshot, .token, .scope, .reason, .seconds, .symbol, .source, .upstreamStatus,
            .code, .command, .outcome, .count, .value, .limit, .month, .dataTime, .milliseconds, .error,
            .base, .state:
            true
        case .address, .attempt, .birth, .client, .field, .fleet, .instance, .listen, .method, .path, .pid,
            .proxy, .remoteAddress, .requestID, .route, .signal, .status, .store, .suppressed, .traceparent,
            .upstream, .variable, .version:
            false
        }
    }
}
