/// What the store says to a `look`.
package enum LookReply: Hashable, Sendable {
    /// For each interest, in the order asked: whether the store's snapshot beats, equals or misses what
    /// is held.
    case seen([Seen])
    case lost

    package struct Seen: Hashable, Sendable {
        package let resource: Resource
        package let standing: Standing
        /// When it may be fetched next, by the control; nil if nothing is noted.
        package let nextAt: UnixMilliseconds?
        /// Failed fetches in a row, by the control; zero if nothing is noted.
        package let strikes: Int64
        package init(resource: Resource, standing: Standing, nextAt: UnixMilliseconds?, strikes: Int64) {
            self.resource = resource
            self.standing = standing
            self.nextAt = nextAt
            self.strikes = strikes
        }
    }

    package enum Standing: Hashable, Sendable {
        /// The store's beats what is held: read it.
        case newer
        /// The store has what is held, or neither has anything.
        case same
        /// What is held beats the store's, or the store has none: tell it by a testimony.
        case behind
    }
}
