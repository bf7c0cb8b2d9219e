import CacheLayer

/// What a loop's years give for a range.
enum RangeOutcome: Sendable {
    case page(RangePage)
    /// These years are needed and not held; never empty.
    case cold([Resource])
    /// What is held of a year is beyond its stale window, or older than the days asked for.
    case tooOld(Resource)
    case refused(Problem)
}
