/// What came of dropping the snapshots.
package enum PurgeReply: Hashable, Sendable {
    /// No snapshot granted up to now counts any more, wherever it is.
    case purged
    /// As for `lift`.
    case lost
}
