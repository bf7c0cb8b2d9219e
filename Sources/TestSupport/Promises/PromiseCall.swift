package import UpstreamSimulator

/// A call as upstream has seen it.
package struct PromiseCall: Hashable, Sendable {
    /// Unix time in ms.
    package var received: Int64
    /// Path and query.
    package var target: String
    /// Calls in flight when it came, itself included.
    package var concurrent: Int
    /// What it was answered with; 0 for no answer.
    package var status: Int
    /// How long after it came its answer went out.
    package var delay: Duration
    /// The pause that a 429 asked for; nil where it named none.
    package var retryAfter: Duration?

    package init(
        received: Int64, target: String = "/v1/latest/EUR", concurrent: Int = 1, status: Int = 200,
        delay: Duration = .zero, retryAfter: Duration? = nil
    ) {
        self.received = received
        self.target = target
        self.concurrent = concurrent
        self.status = status
        self.delay = delay
        self.retryAfter = retryAfter
    }

    package init(_ entry: CallLogEntry) {
        self.init(
            received: entry.received, target: entry.target, concurrent: entry.concurrent,
            status: entry.status, delay: .milliseconds(entry.delay),
            retryAfter: entry.status == 429 ? entry.retryAfter.map { .seconds($0) } : nil)
    }

    /// Without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }
}
