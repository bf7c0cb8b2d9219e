/// One entry of the times of a resource's archive: from an instant on this snapshot was the newest, or one that isn't kept.
///
/// Ordered as Redis orders the members of a set: by the instant, then by the text.
struct ArchiveMark: Hashable, Comparable, Sendable {
    /// Fetched-at of the snapshot that begins here; of one that an operator has amended, when he did.
    let from: UnixMilliseconds
    let id: SnapshotID
    /// Whether the snapshot is no longer kept.
    let isGap: Bool

    /// The member in Redis.
    var text: String { isGap ? "-\(id.text)" : id.text }

    static func < (left: ArchiveMark, right: ArchiveMark) -> Bool {
        (left.from, left.text) < (right.from, right.text)
    }
}
