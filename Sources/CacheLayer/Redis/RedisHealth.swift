import EventLoop
import Synchronization
package import Telemetry

/// How the link to Redis is and what has passed over it: for metrics, status and readiness.
///
/// Safe from any thread; reading takes no lock but `since` and `lastEnd`.
package final class RedisHealth: Sendable {
    package enum BreakerState: UInt8, Sendable, AtomicRepresentable {
        /// Calls go through.
        case closed
        /// Calls are refused until a reconnect has succeeded.
        case open
        /// Calls are refused, the reconnect is under way.
        case halfOpen
    }

    private struct Change {
        var since = ContinuousClock.now
        var lastEnd: RedisLinkEnd?
    }

    private let connected = Atomic<Bool>(false)
    private let breakerState = Atomic<BreakerState>(.closed)
    private let change = Locked(Change())

    /// Commands given to Redis, whatever became of them.
    package let commands = Counter()
    /// Commands refused without asking Redis: no link, breaker open, or too many waiting.
    package let refused = Counter()
    /// Commands without a reply in time.
    package let timeouts = Counter()
    /// Error replies by their first word.
    package let errors = LabelledCounter<RedisErrorLabel>()
    /// Links made after the first one.
    package let reconnects = Counter()
    /// Links that ended other than by `close`, and tries that made none.
    package let failures = Counter()

    init() {}

    /// Whether commands can be sent now.
    package var isConnected: Bool { connected.load(ordering: .acquiring) }

    /// Since when `isConnected` is as it is.
    package var since: ContinuousClock.Instant { change.withLock { $0.since } }

    package var breaker: BreakerState { breakerState.load(ordering: .acquiring) }

    /// Why the last link ended or the last try failed; nil if none has.
    package var lastEnd: RedisLinkEnd? { change.withLock { $0.lastEnd } }

    func set(isConnected: Bool) {
        guard connected.exchange(isConnected, ordering: .acquiringAndReleasing) != isConnected else { return }
        change.withLock { $0.since = .now }
    }

    func set(breaker state: BreakerState) { breakerState.store(state, ordering: .releasing) }

    func note(_ end: RedisLinkEnd) {
        failures.add()
        change.withLock { $0.lastEnd = end }
    }
}
