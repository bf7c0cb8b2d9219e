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
    /// How long a table is fresh from its fetch on, by the settings: the interval of its call, the slowed one where there was
    /// one, and the time that the next call may take; nil where it isn't judged.
    package var lifetime: Duration?
    /// How long after it the settings let it be served; nil where it isn't judged.
    package var staleWindow: Duration?
    /// The path of the calls for what is asked for all along.
    package var demand = "/v1/latest/EUR"
    /// The error of a measurement.
    package var tolerance = Duration.milliseconds(100)
    /// When something was broken.
    package var faults: [Range<Int64>] = []
    /// When some instance could not reach Redis: instances may then differ.
    package var away: [Range<Int64>] = []
    /// When upstream had asked for a pause, as the fleet has it.
    package var cooldowns: [Range<Int64>] = []
    /// When the word of a 429 may have been lost with the one who met it or on its way to the others: what was asked for then
    /// isn't judged.
    package var untold: [Range<Int64>] = []
    /// When Redis lost its data and nobody was left who knew of a pause: it is judged until then.
    package var forgotten: [Int64] = []
    /// When an instance was ended, by its place.
    package var ends: [Int: Int64] = [:]
    /// When an instance's process was stopped for a while.
    package var asleep: [Int: [Range<Int64>]] = [:]

    package init(interval: Duration, _ change: (inout PromiseTerms) -> Void = { _ in }) {
        self.interval = interval
        change(&self)
    }
}
