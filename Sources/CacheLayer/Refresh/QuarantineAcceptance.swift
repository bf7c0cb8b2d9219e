/// What came of an operator's wish to accept what is held back.
package enum QuarantineAcceptance: Hashable, Sendable {
    /// These symbols have their new values, in a snapshot that the whole fleet takes.
    case accepted([Currency], SnapshotID)
    /// Nothing of that name is held back.
    case nothing
    /// The table is being fetched all the time: to be tried again.
    case busy
    /// The store could not be asked: nothing has changed for certain.
    case storeAway
}
