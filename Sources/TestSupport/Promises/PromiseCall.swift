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

    package init(
        received: Int64, target: String = "/v1/latest/EUR", concurrent: Int = 1, status: Int = 200
    ) {
        self.received = received
        self.target = target
        self.concurrent = concurrent
        self.status = status
    }

    package init(_ entry: CallLogEntry) {
        self.init(
            received: entry.received, target: entry.target, concurrent: entry.concurrent,
            status: entry.status)
    }
}
