/// What keeping one more snapshot does to the archive: one decision for both stores.
struct ArchivePlan: Hashable, Sendable {
    /// What goes, in this order; each leaves a gap where it stood.
    var drops: [ArchiveRoom.Entry] = []
    /// What comes; nil where the snapshot is kept already or isn't one to keep.
    var entry: ArchiveRoom.Entry?
    /// Whether its body is kept; without it only a gap stands for it.
    var hasBody = false
    var news: ArchiveNews

    /// Decides for a snapshot that became the newest at `from`, where that isn't when it was fetched.
    init(
        keeping snapshot: StoredSnapshot, in room: ArchiveRoom, limit: Int, at now: UnixMilliseconds,
        from: UnixMilliseconds?
    ) {
        news = ArchiveNews(bytes: room.bytes)
        let lifetime = StoreTimings.archiveKept(snapshot)
        guard lifetime > .zero else { return }
        var rest = room.first.prefix(ArchiveRoom.mostDrops)
        while let entry = rest.first, entry.end <= now {
            drop(entry)
            rest = rest.dropFirst()
        }
        guard !room.kept.contains(snapshot.id) else { return }
        let size = snapshot.body.count
        while size <= limit, news.bytes + size > limit, let entry = rest.first {
            drop(entry)
            news.dropped += 1
            rest = rest.dropFirst()
        }
        hasBody = news.bytes + size <= limit
        entry = ArchiveRoom.Entry(
            end: now + lifetime, id: snapshot.id, bytes: hasBody ? size : 0, resource: snapshot.resource,
            from: from ?? snapshot.fetchedAt)
        if hasBody { news.bytes += size } else { news.refused = 1 }
    }

    private mutating func drop(_ entry: ArchiveRoom.Entry) {
        drops.append(entry)
        news.bytes = max(0, news.bytes - entry.bytes)
    }
}
