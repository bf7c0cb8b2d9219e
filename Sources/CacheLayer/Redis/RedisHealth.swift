import EventLoop
import Synchronization
package import Telemetry

/// How the link to Redis is and what has passed over it: for metrics, status and readiness.
///
/// Safe from any thread; the counters, `isConnected` and `breaker` are read without a lock.
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
        var server: String?
        var evictionPolicy: String?
        var clockSkew: Duration?
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
    /// Of them those that ended because another server has taken over: a master by failover, a node with our slot.
    package let redirects = Counter()
    /// Commands sent to the node that our slot was moving to.
    package let detours = Counter()

    init() {}

    /// Whether commands can be sent now.
    package var isConnected: Bool { connected.load(ordering: .acquiring) }

    /// Since when `isConnected` is as it is.
    package var since: ContinuousClock.Instant { change.withLock { $0.since } }

    package var breaker: BreakerState { breakerState.load(ordering: .acquiring) }

    /// Why the last link ended or the last try failed; nil if none has.
    package var lastEnd: RedisLinkEnd? { change.withLock { $0.lastEnd } }

    /// The server that the link leads to, or the last one did.
    package var server: String? { change.withLock { $0.server } }

    /// `maxmemory-policy` of the server; nil until it was told.
    package var evictionPolicy: String? { change.withLock { $0.evictionPolicy } }

    /// Whether the server may evict keys without a lifetime, such as the control.
    package var mayEvictControl: Bool { evictionPolicy?.hasPrefix("allkeys-") ?? false }

    /// How far the server's clock is ahead of ours, negative if it is behind; nil until measured.
    ///
    /// Right to half a round trip.
    package var clockSkew: Duration? { change.withLock { $0.clockSkew } }

    func set(server: String) { change.withLock { $0.server = server } }

    func set(evictionPolicy: String) { change.withLock { $0.evictionPolicy = evictionPolicy } }

    func set(clockSkew: Duration?) { change.withLock { $0.clockSkew = clockSkew } }

    func set(isConnected: Bool) {
        guard connected.exchange(isConnected, ordering: .acquiringAndReleasing) != isConnected else { return }
        change.withLock { $0.since = .now }
    }

    func set(breaker state: BreakerState) { breakerState.store(state, ordering: .releasing) }

    func note(_ end: RedisLinkEnd) {
        failures.add()
        if end.isRedirect { redirects.add() }
        change.withLock { $0.lastEnd = end }
    }
}
