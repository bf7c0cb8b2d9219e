/// What a run was set up with, and what was done to it: all that the promises' numbers depend on.
///
/// Instants are Unix time in ms by the clock of this machine.
package struct PromiseTerms: Sendable {
    /// The least time from one call for a resource to the next.
    package var interval: Duration
    /// Calls that the month allows.
    package var plan = 10_000_000
    /// Calls in flight that the fleet may have.
    package var cap = 1
    /// The longest time from a grant to its call: so much later than its interval's beginning a call may be seen.
    package var startSlack = Duration.zero
    /// The least time from a call that failed to the next one.
    package var retryAfter = Duration.seconds(1)
    /// When upstream's answers were of no use: calls of these times have failed, whatever their status.
    package var failing: [Range<Int64>] = []
    /// Leases that were lost with their holders or their server: each may cost one call more.
    package var lostLeases = 0
    /// The same where it is known when: each may cost one call more within its time.
    package var losses: [Range<Int64>] = []
    /// What 99 of 100 answers keep.
    package var longestAnswer = Duration.milliseconds(500)
    /// How long an instance may show an older snapshot than another one does.
    package var lag = Duration.seconds(1)
    /// The interval that a slow-down has made of it; nil for none.
    package var slowInterval: Duration?
    /// The fleet is fresh an interval and this after each fault.
    package var recovery = Duration.seconds(5)
    /// The error of a measurement.
    package var tolerance = Duration.milliseconds(100)
    /// When something was broken.
    package var faults: [Range<Int64>] = []
    /// When some instance could not reach Redis: instances may then differ.
    package var away: [Range<Int64>] = []
    /// When upstream had asked for a pause.
    package var cooldowns: [Range<Int64>] = []
    /// When an instance was ended, by its place.
    package var ends: [Int: Int64] = [:]
    /// When an instance's process was stopped for a while.
    package var asleep: [Int: [Range<Int64>]] = [:]

    package init(interval: Duration, _ change: (inout PromiseTerms) -> Void = { _ in }) {
        self.interval = interval
        change(&self)
    }
}
