package import Foundation

/// Clocks, sleep and chance as the client takes them, so that a test can have them in its hand.
package struct Surroundings: Sendable {
    /// The monotonic clock by which waits and deadlines are measured.
    package let now: @Sendable () -> ContinuousClock.Instant
    /// The clock that the times in answers are compared with.
    package let wall: @Sendable () -> Date
    /// Waits; throws when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// A duration by chance, from zero to below the bound, in whole milliseconds; zero for a bound below one.
    package let chance: @Sendable (Duration) -> Duration

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant, wall: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        chance: @escaping @Sendable (Duration) -> Duration
    ) {
        self.now = now
        self.wall = wall
        self.sleep = sleep
        self.chance = chance
    }

    /// The real ones.
    package static let real = Surroundings(
        now: { .now }, wall: { Date() }, sleep: { try await Task.sleep(for: $0) },
        chance: { bound in
            let milliseconds = bound / .milliseconds(1)
            return milliseconds < 1 ? .zero : .milliseconds(Int64.random(in: 0..<Int64(milliseconds)))
        })
}
