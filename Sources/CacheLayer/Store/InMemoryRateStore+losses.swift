import EventLoop

/// What happens to the data of a server: a simulation does it to the memory that stands in for one.
extension InMemoryRateStore {
    /// The ledger as it is written at present.
    package struct Ledger: Hashable, Sendable {
        package let month: Month
        /// Calls of known attempts, reservations among them.
        package let counted: Int64
        /// Whether calls are granted on it: not before a grace after a loss.
        package let isOpen: Bool
    }

    /// The ledger at this instant of the store's clock; nil while there is none.
    package func ledger(at now: UnixMilliseconds) -> Ledger? {
        state.withLock { state in
            guard let control = state.memory.control else { return nil }
            return Ledger(
                month: control.ledger.month, counted: control.ledger.counted,
                isOpen: control.opensAt <= now.value)
        }
    }

    /// What a replica has that is up to date, and a backup.
    package func copy() -> StoreCopy { state.withLock { StoreCopy(state: $0.memory) } }

    /// Goes on with what a replica or a backup had: what was written since is lost.
    package func rollBack(to copy: StoreCopy) { state.withLock { $0.memory = copy.state } }

    /// Loses everything, as FLUSHALL does.
    package func flush() {
        state.withLock { $0.memory = MemoryState(archiveBytes: $0.memory.archive.limit) }
    }
}
