/// The two clocks and the one way to wait, so that a test can move all three by hand.
package struct TimeSource: Sendable {
    /// Measures: counts suspended time too (`CLOCK_BOOTTIME`), never steps.
    package let now: @Sendable () -> ContinuousClock.Instant
    /// Tells the date to people and headers; never measures.
    package let wall: @Sendable () -> UnixMilliseconds
    /// Waits so long, or throws when cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        wall: @escaping @Sendable () -> UnixMilliseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.wall = wall
        self.sleep = sleep
    }

    /// The system's clocks.
    package static let system = TimeSource(
        now: { ContinuousClock.now },
        wall: { UnixMilliseconds.now },
        sleep: { try await Task.sleep(for: $0, clock: .continuous) })

    /// The value of a task that goes on whether it is waited for or not; nil if it isn't there after `limit`, or when
    /// the caller is cancelled.
    func value<Value: Sendable>(of task: Task<Value, Never>, within limit: Duration) async -> Value? {
        let (ends, end) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
        // Loose, since awaiting a task can't be given up; it ends with the task.
        Task { end.yield(await task.value) }
        let timing = Task { [sleep] in
            try? await sleep(limit)
            end.yield(nil)
        }
        defer { timing.cancel() }
        for await value in ends { return value }
        return nil
    }
}
