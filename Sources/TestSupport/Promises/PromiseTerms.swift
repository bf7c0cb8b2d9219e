/// What a run was set up with, and what was done to it: all that the promises' numbers depend on.
///
/// Instants are Unix time in ms by the clock of this machine.
package struct PromiseTerms: Sendable {
    /// The least time from one call for a resource to the next.
    package var interval: Duration
    /// Calls that the month allows.
    package var plan = 10_000_000
    /// Leases that were lost with their holders or their server: each may cost one call more.
    package var lostLeases = 0
    /// What 99 of 100 answers keep.
    package var longestAnswer = Duration.milliseconds(500)
    /// How long an instance may show an older snapshot than another one does.
    package var lag = Duration.seconds(1)
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

    package init(interval: Duration, _ change: (inout PromiseTerms) -> Void = { _ in }) {
        self.interval = interval
        change(&self)
    }
}
