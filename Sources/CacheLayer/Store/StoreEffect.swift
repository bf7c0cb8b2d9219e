/// What comes with a change of the control.
enum StoreEffect: Hashable, Sendable {
    /// A snapshot is the newest of its resource, from now on or from the instant named.
    case keep(StoredSnapshot, from: UnixMilliseconds?)
    /// The stored snapshots of these count no more.
    case remove([Resource])
    case announce(StoreEvent)
    /// Counts in the month's report for people.
    case report(Month, fields: [String])
    /// The pauses have changed: the note for people is written anew.
    case mirrorCooldown
    /// One call more, or one less, for instances of version 0.1.0 to see.
    case countForLegacy(Int64)
}
