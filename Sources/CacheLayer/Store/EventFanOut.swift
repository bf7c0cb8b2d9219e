import EventLoop

/// Passes events on to any number of readers.
///
/// Safe from any thread. Each reader's queue keeps the newest `capacity` events; a reader that leaves is forgotten.
final class EventFanOut: Sendable {
    /// How many events a slow reader may lag before it loses the oldest.
    static let capacity = 1_024

    private struct State {
        var readers: [Int: AsyncStream<StoreEvent>.Continuation] = [:]
        var next = 0
        var isOver = false
        /// The link's last state: a new reader is told of a link that is up.
        var isUp = false
    }
    private let state = Locked(State())

    /// The events from now on; ends with `end`.
    func stream() -> AsyncStream<StoreEvent> {
        let (stream, reader) = AsyncStream<StoreEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.capacity))
        let number: Int? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.next += 1
            state.readers[state.next] = reader
            if state.isUp { reader.yield(.linkUp) }
            return state.next
        }
        guard let number else {
            reader.finish()
            return stream
        }
        reader.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    func send(_ event: StoreEvent) {
        state.withLock { state in
            switch event {
            case .linkUp: state.isUp = true
            case .linkDown: state.isUp = false
            case .published, .failed, .refused, .slotFree, .cooldown, .purged: break
            }
            // Under the lock, so that all readers get all events in one order; yielding only queues.
            for reader in state.readers.values { reader.yield(event) }
        }
    }

    func end() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func forget(_ number: Int) {
        _ = state.withLock { $0.readers.removeValue(forKey: number) }
    }
}
