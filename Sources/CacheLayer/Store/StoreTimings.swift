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
    /// A cooldown of scope `month` is never longer: one probe an hour, so that one odd answer can't end a month.
    package static let longestMonthCooldown = Duration.seconds(3_600)
    /// Each member of a fleet says so often that it is there.
    package static let presence = Duration.seconds(10)
    /// A member that was not heard of for so long doesn't count: its limits hold no more.
    package static let presenceKept = Duration.seconds(30)
    /// Who was there is forgotten after this.
    package static let membersKept = Duration.seconds(3_600)
    /// A decision that others overtake is made again at most so often.
    package static let mostTries = 12
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

    /// How long a snapshot can be asked for again; zero for what is no table of latest rates: a settled year never changes,
    /// and nobody asks for an older list of currencies.
    static func archiveKept(_ snapshot: StoredSnapshot) -> Duration {
        if case .latest = snapshot.resource { archiveKept(for: snapshot.source) } else { .zero }
    }

    /// How long the body of a snapshot of this class can be replayed by its id.
    package static func archiveKept(for source: Source) -> Duration {
        switch source {
        case .ecbDaily, .fredDaily: dailyArchiveKept
        case .live, .unknown: archiveKept
        }
    }
}
