/// What the store says to a `finish`.
package enum FinishReply: Hashable, Sendable {
    /// The snapshot is in the store (also when it was there before: the request was repeated).
    case stored
    /// Something with a token as high or higher is there: it comes along.
    case fenced(StoredSnapshot)
    /// The token is the newest, but the data time went back within its class: what is there stays and
    /// comes along.
    case older(StoredSnapshot)
    /// A failure, a limit or an unsent call has been noted.
    case noted
    /// The control is being rebuilt: again after that.
    case wait(Duration)
    /// As for `begin`.
    case lost
}
