/// How the lengths of a lease and of the call under it fit into each other.
///
/// A pure value.
///
/// The lease isn't renewed, it is bounded: whatever happens, the call has ended before another instance may hold it.
package struct LeaseTimes: Hashable, Sendable {
    /// From the grant on.
    package let lease: Duration
    /// The call, from connect to last byte.
    package let deadline: Duration
    /// Kept free at the lease's end for publishing and drift.
    package static let margin = Duration.seconds(2)
    /// The least time between grant and call that a lease must leave.
    package static let leastSlack = Duration.seconds(1)
    /// Finishing is tried for so long after the lease.
    package static let finishing = Duration.seconds(30)

    /// The lease must outlast the call by three seconds at least; configuration refuses a shorter one.
    package init(lease: Duration, deadline: Duration) {
        precondition(
            lease >= deadline + Self.margin + Self.leastSlack, "the lease outlasts the call by three seconds")
        self.lease = lease
        self.deadline = deadline
    }

    /// A call starts only while its attempt is at most so old, counted from before `begin` was first
    /// sent.
    package var startSlack: Duration { lease - deadline - Self.margin }

    /// Whether a call may still start.
    package func mayStart(age: Duration) -> Bool { age <= startSlack }

    /// How long a call that starts at this age may take: its deadline, and never past the lease's margin.
    package func callLimit(age: Duration) -> Duration { min(deadline, lease - Self.margin - age) }
}
