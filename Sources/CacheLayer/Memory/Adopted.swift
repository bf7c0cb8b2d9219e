/// A snapshot in this instance's memory, with its age fixed once on arrival and counted monotonically
/// afterwards.
///
/// The age is by the store's clock on arrival, never below zero (RFC 9111, section 4.2.3).
package struct Adopted: Sendable {
    package let snapshot: RateSnapshot
    private let ageOnArrival: Duration
    let arrived: ContinuousClock.Instant

    /// `storeNow` and `arrived` are the same moment on the two clocks.
    package init(_ snapshot: RateSnapshot, storeNow: UnixMilliseconds, arrived: ContinuousClock.Instant) {
        self.snapshot = snapshot
        self.arrived = arrived
        ageOnArrival = max(.zero, storeNow - snapshot.fetchedAt)
    }

    /// One whose age on arrival is known otherwise than by the store's clock; at least zero.
    init(_ snapshot: RateSnapshot, age: Duration, arrived: ContinuousClock.Instant) {
        self.snapshot = snapshot
        self.arrived = arrived
        ageOnArrival = max(.zero, age)
    }

    /// How long ago the answer was received, at least zero.
    package func age(at now: ContinuousClock.Instant) -> Duration {
        max(.zero, ageOnArrival + arrived.duration(to: now))
    }
}
