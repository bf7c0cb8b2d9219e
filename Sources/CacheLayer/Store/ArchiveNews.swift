/// What keeping further snapshots has done to the archive.
struct ArchiveNews: Hashable, Sendable {
    /// The bytes of bodies that are kept now; 0 where nothing was to be kept.
    var bytes: Int
    /// Kept ones that had to go before their time.
    var dropped = 0
    /// New ones for which there was no room.
    var refused = 0
}
