/// What came of a commit.
enum CommitReply: Hashable, Sendable {
    case done
    /// The control is not the one that was read any more: nothing was changed.
    case moved
    /// The decision came too late to be applied: nothing was changed.
    case late
}
