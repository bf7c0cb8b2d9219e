import CacheLayer

/// What came of a simulated month.
package struct MonthReport: Hashable, Sendable {
    package let plan: Int64
    package let lifetime: Duration
    /// By upstream's count.
    package let calls: Int64
    package let ledger: Int64
    /// The plan, or what the lifetime can use of it.
    package let useful: Int64
    /// Calls of the month's first and second half.
    package let halves: [Int]
    /// Calls beyond one for each interval, each owed to a fault.
    package let extraCalls: Int
    package let medianAge: Duration
    package let worstAge: Duration
    package let longestPause: Duration
    package let answers: Int
    /// Requests for the pivot that could not be answered.
    package let unserved: Int
    package let failovers: Int
    package let flushes: Int
    package let stops: Int
    package let kills: Int
    /// Of stops and kills, those in mid-call.
    package let lostLeases: Int
    package let violations: [MonthViolation]

    package static let head = """
        | plan | lifetime | calls | ledger | used | 1st / 2nd half | extra | age: median | worst | longest pause | \
        unanswered | failovers | flushes | stopped | killed | in mid-call |
        | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        """

    /// A line of a Markdown table.
    package var line: String {
        let share = useful > 0 ? calls * 1_000 / useful : 0
        let fields = [
            "\(plan)", Self.text(lifetime), "\(calls)", "\(ledger)", "\(share / 10).\(share % 10) %",
            "\(halves[0]) / \(halves[1])", "\(extraCalls)", Self.text(medianAge), Self.text(worstAge),
            Self.text(longestPause), "\(unserved) of \(answers + unserved)", "\(failovers)", "\(flushes)",
            "\(stops)", "\(kills)", "\(lostLeases)",
        ]
        return "| " + fields.joined(separator: " | ") + " |"
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = duration.milliseconds / 1_000
        return seconds < 600 ? "\(seconds) s" : "\((seconds + 30) / 60) min"
    }
}
