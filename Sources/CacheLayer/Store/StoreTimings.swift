/// The protocol's fixed lengths.
package enum StoreTimings {
    /// A cooldown of scope `short` is never longer; a remaining time above it means that the clock has
    /// jumped.
    package static let longestShortCooldown = Duration.seconds(3_600)
    /// Nothing is granted within this of 00:00 UTC on the 1st: upstream's midnight may differ from ours.
    package static let monthEdge = Duration.seconds(5)
    /// After a loss nothing is granted for so long: two looks and the longest reconnect delay.
    package static let grace = Duration.seconds(3)
    /// Each instance looks once in this time.
    package static let look = Duration.seconds(1)
    /// Ended records that nobody finished are dropped after this; their reservation stays spent.
    package static let recordKept = Duration.seconds(3_600)
    /// Archived bodies of live tables are kept so long.
    package static let archiveKept = Duration.seconds(7 * 86_400)
    /// Archived bodies of daily fixes are kept so long: 13 months.
    package static let dailyArchiveKept = Duration.seconds(400 * 86_400)
    /// A pause shorter than this is no pause; also what a wait of zero or less becomes.
    package static let shortestCooldown = Duration.seconds(1)
    /// A cooldown of scope `key` is never longer: one probe an hour.
    package static let longestKeyCooldown = Duration.seconds(3_600)
    /// A cooldown of scope `month` is never longer: the longest month and a day for clocks that differ.
    package static let longestMonthCooldown = Duration.seconds(32 * 86_400)
    /// So long a month's pause may be while the ledger has less than 90 % of the plan used: the two disagree.
    package static let disputedMonth = Duration.seconds(3_600)
    /// What looks have noted (who was there, what was asked for) is forgotten after this.
    package static let demandKept = Duration.seconds(3_600)
    /// A month's report is kept so long: 13 months.
    package static let ledgerKept = Duration.seconds(400 * 86_400)

    /// The longest pause of a scope.
    package static func longestCooldown(_ scope: CooldownScope) -> Duration {
        switch scope {
        case .short: longestShortCooldown
        case .month: longestMonthCooldown
        case .key: longestKeyCooldown
        }
    }

    /// How long the body of a snapshot can be replayed by its id; zero for a year, whose settled days never change.
    static func archiveKept(_ snapshot: StoredSnapshot) -> Duration {
        snapshot.resource.isYear ? .zero : archiveKept(for: snapshot.source)
    }

    /// How long the body of a snapshot of this class can be replayed by its id.
    package static func archiveKept(for source: Source) -> Duration {
        switch source {
        case .ecbDaily, .fredDaily: dailyArchiveKept
        case .live, .unknown: archiveKept
        }
    }
}
