import EventLoop

/// The simulator's state, shared by its loop and by whoever controls it.
final class SimulatorCore: Sendable {
    private let state: Locked<SimulatorState>
    /// The real clock, milliseconds since 1970.
    let reading: @Sendable () -> Int64

    init(configuration: SimulatorConfiguration, reading: @escaping @Sendable () -> Int64) {
        self.reading = reading
        state = Locked(SimulatorState(configuration: configuration, reading: reading()))
    }

    /// Runs `body` under the lock; it must be short.
    func withState<T>(_ body: (inout SimulatorState, _ reading: Int64) -> sending T) -> T {
        let reading = reading()
        return state.withLock { body(&$0, reading) }
    }

    var now: SimulatedTime { withState { state, reading in state.now(reading: reading) } }
}
