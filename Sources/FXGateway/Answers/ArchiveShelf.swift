import CacheLayer

/// Past snapshots that were asked for lately, bounded in bytes: the least recently used go first.
struct ArchiveShelf {
    private let byteLimit: Int
    private(set) var bytes = 0
    private var entries: [SnapshotID: Entry] = [:]
    private var uses: UInt64 = 0

    private struct Entry {
        let snapshot: RateSnapshot
        let size: Int
        /// When the store gives it up.
        let end: ContinuousClock.Instant
        var lastUse: UInt64
    }

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// The snapshot, unless its time is over.
    mutating func find(_ id: SnapshotID, at now: ContinuousClock.Instant) -> RateSnapshot? {
        guard let entry = entries[id] else { return nil }
        guard now < entry.end else {
            remove(id)
            return nil
        }
        uses += 1
        entries[id]?.lastUse = uses
        return entry.snapshot
    }

    /// Keeps a snapshot that takes so many bytes until `end`; not one that takes more than there may be.
    mutating func insert(_ snapshot: RateSnapshot, size: Int, until end: ContinuousClock.Instant) {
        remove(snapshot.id)
        guard size <= byteLimit else { return }
        while bytes + size > byteLimit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            remove(oldest.key)
        }
        uses += 1
        entries[snapshot.id] = Entry(snapshot: snapshot, size: size, end: end, lastUse: uses)
        bytes += size
    }

    private mutating func remove(_ id: SnapshotID) {
        if let entry = entries.removeValue(forKey: id) { bytes -= entry.size }
    }
}
