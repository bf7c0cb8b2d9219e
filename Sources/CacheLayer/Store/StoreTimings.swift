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
}
