import Synchronization

/// Counts the open connections of all loops of a server; safe from any thread.
final class ConnectionGauge: Sendable {
    private let open = Atomic(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes a place; false if there is none.
    func enter() -> Bool {
        if open.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    func leave() { open.wrappingSubtract(1, ordering: .relaxed) }
}
