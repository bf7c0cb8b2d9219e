import Synchronization

/// Counts what is open on all loops of a server, up to a limit: connections, or the streams among them.
///
/// Safe from any thread.
package final class ConnectionGauge: Sendable {
    private let open = Atomic(0)
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    /// Takes a place; false if there is none.
    package func enter() -> Bool {
        if open.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    package func leave() { open.wrappingSubtract(1, ordering: .relaxed) }
}
