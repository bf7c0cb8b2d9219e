/// What decides when a table is due for its next fetch.
///
/// The raw value is the word in explanations.
package enum RefreshCause: String, Hashable, Sendable, CaseIterable {
    /// The interval of live rates, which is also the least of all.
    case liveTTL = "live_ttl"
    /// The interval of sources that this version doesn't know.
    case unknownTTL = "unknown_ttl"
    /// The calendar: the publication after the newest fix.
    case publication
    /// A publication that should have come and hasn't: it is looked for at a falling rate.
    case publicationOverdue = "publication_overdue"
    /// A fix that jumped and is held back: the next answers may confirm it.
    case fixHeldBack = "fix_held_back"
    /// A class that is published once a week is asked for once a day.
    case daily = "once_a_day"
    /// The interval that was granted is longer than the tier's own: the month's pace, or the slow-down after a limit.
    case pace
}
