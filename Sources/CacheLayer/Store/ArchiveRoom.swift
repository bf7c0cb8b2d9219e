/// What the archive holds, as far as it matters for keeping one more snapshot.
struct ArchiveRoom: Hashable, Sendable {
    /// The bytes of all bodies that are kept.
    var bytes = 0
    /// Those that go first, the first one first.
    var first: [Entry] = []
    /// Which of the snapshots asked about are kept already.
    var kept: Set<SnapshotID> = []

    /// One snapshot that is kept.
    struct Entry: Hashable, Comparable, Sendable {
        let end: UnixMilliseconds
        let id: SnapshotID
        let bytes: Int
        let resource: Resource
        /// From when on it was the newest.
        let from: UnixMilliseconds

        static func < (left: Entry, right: Entry) -> Bool { (left.end, left.id) < (right.end, right.id) }
    }

    /// Brings it up to what a plan does: one change may keep several snapshots.
    mutating func apply(_ plan: ArchivePlan) {
        // Of more entries than were read, the place of one behind the last isn't known: it is none of the first.
        let isWhole = first.count < Self.mostDrops
        first.removeFirst(plan.drops.count)
        bytes = plan.news.bytes
        guard let entry = plan.entry else { return }
        kept.insert(entry.id)
        guard isWhole || first.last.map({ entry < $0 }) ?? false else { return }
        first.insert(entry, at: (first.lastIndex { $0 < entry } ?? -1) + 1)
    }

    /// So many go at most for one that comes, and so many of the first are read.
    static let mostDrops = 64
}
