import EventLoop

/// What happens to the data of a server: a simulation does it to the memory that stands in for one.
extension InMemoryRateStore {
    /// The ledger as it is written at present.
    package struct Ledger: Hashable, Sendable {
        package let month: Month
        /// Reservations and calls of the month.
        package let used: Int64
        /// Whether calls are granted on it: not before a grace after a loss.
        package let isOpen: Bool
    }

    /// The ledger at this instant of the store's clock; nil while there is none.
    package func ledger(at now: UnixMilliseconds) -> Ledger? {
        state.withLock { state in
            guard let control = state.control.control else { return nil }
            return Ledger(
                month: control.month, used: control.used,
                isOpen: control.stamp == state.control.stamp && control.opensAt <= now.value)
        }
    }

    /// What a replica has that is up to date.
    package func copy() -> StoreCopy { state.withLock { StoreCopy(state: $0.control) } }

    /// Goes on with what a replica had, as another server does after a failover: what was written since is lost.
    ///
    /// `server` names it; it must be another name each time.
    package func failOver(to copy: StoreCopy, server: String) {
        state.withLock { state in
            state.control = copy.state
            state.control.stamp = server
        }
    }

    /// Loses everything, as FLUSHALL does; the server stays the same.
    package func flush() {
        state.withLock { state in
            let stamp = state.control.stamp
            state.control = ControlState(archiveBytes: state.control.archive.limit)
            state.control.stamp = stamp
        }
    }
}
