/// What came of an amended snapshot.
package enum AmendReply: Hashable, Sendable {
    /// It is the newest one now, for all instances.
    case stored
    /// The resource is being fetched: to be tried again on what that brings, at the latest after so long.
    case busy(Duration)
    /// The store holds another one than it was made from: to be read, and made anew.
    case changed
    /// A token at or above the proposed one has been drawn: to be proposed anew, the shadow says above which.
    case overtaken
    /// As for `lift`.
    case lost
}
