import CacheLayer

/// What came of the question for a past snapshot.
enum ArchiveFinding: Sendable {
    case found(RateSnapshot)
    /// It isn't kept, or never was.
    case absent
    /// The store could not be asked.
    case away
}
