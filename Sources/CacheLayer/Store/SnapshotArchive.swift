/// Older snapshots by id and by time, for answers that name one: within their retention and a number of bytes.
///
/// The same decisions as the scripts' (`ScriptsArchive`), as a value.
struct SnapshotArchive: Sendable {
    /// The most bytes of bodies.
    let limit: Int
    private(set) var bytes = 0
    private var places: [SnapshotID: Place] = [:]
    /// In the order in which they go: the one whose time ends first goes first.
    private var order: [Turn] = []
    private var times: [Resource: ArchiveTimes] = [:]

    /// So many go at most for one that comes: what a script does in some 20 ms.
    static let mostDrops = 256

    private struct Place: Sendable {
        let snapshot: StoredSnapshot
        let end: UnixMilliseconds
    }

    private struct Turn: Comparable, Sendable {
        let end: UnixMilliseconds
        let id: SnapshotID

        static func < (left: Turn, right: Turn) -> Bool { (left.end, left.id) < (right.end, right.id) }
    }

    init(limit: Int) { self.limit = limit }

    func snapshot(_ id: SnapshotID, at now: UnixMilliseconds) -> StoredSnapshot? {
        guard let place = places[id], place.end > now else { return nil }
        return place.snapshot.kept(for: place.end - now)
    }

    /// The snapshot of a resource that was the newest at `instant`; nil if that one isn't kept.
    func newest(
        of resource: Resource, at instant: UnixMilliseconds, now: UnixMilliseconds
    ) -> StoredSnapshot? {
        times[resource]?.newest(at: instant).flatMap { snapshot($0, at: now) }
    }

    /// Keeps a snapshot, if its resource is one to be asked for again and there is room or can be made.
    ///
    /// `from` is when it became the newest, where that isn't when it was fetched.
    ///
    /// - Returns: what had to go before its time for it, and whether there was no room for it.
    @discardableResult
    mutating func put(
        _ snapshot: StoredSnapshot, at now: UnixMilliseconds, from: UnixMilliseconds? = nil
    ) -> ArchiveNews {
        let kept = StoreTimings.archiveKept(snapshot)
        guard kept > .zero else { return ArchiveNews(bytes: bytes) }
        var steps = 0
        while steps < Self.mostDrops, let first = order.first, first.end <= now {
            drop(first)
            steps += 1
        }
        guard places[snapshot.id] == nil else { return ArchiveNews(bytes: bytes) }
        var news = ArchiveNews(bytes: bytes)
        let size = snapshot.body.count
        while size <= limit, bytes + size > limit, steps < Self.mostDrops, let first = order.first {
            drop(first)
            steps += 1
            news.dropped += 1
        }
        if bytes + size > limit {
            times[snapshot.resource]?.skip(snapshot, from: from ?? snapshot.fetchedAt)
            news.refused = 1
        } else {
            let turn = Turn(end: now + kept, id: snapshot.id)
            places[snapshot.id] = Place(snapshot: snapshot, end: turn.end)
            order.insert(turn, at: (order.lastIndex { $0 < turn } ?? -1) + 1)
            bytes += size
            times[snapshot.resource, default: ArchiveTimes()].add(
                snapshot, from: from ?? snapshot.fetchedAt)
        }
        news.bytes = bytes
        return news
    }

    /// What is kept, in the order in which it goes.
    var kept: [(end: UnixMilliseconds, id: SnapshotID, bytes: Int, resource: Resource)] {
        order.compactMap { turn in
            places[turn.id].map { (turn.end, turn.id, $0.snapshot.body.count, $0.snapshot.resource) }
        }
    }

    /// The times of every resource, in their order.
    var marks: [Resource: [ArchiveMark]] { times.mapValues(\.marks) }

    private mutating func drop(_ turn: Turn) {
        order.removeFirst()
        guard let place = places.removeValue(forKey: turn.id) else { return }
        let resource = place.snapshot.resource
        bytes -= place.snapshot.body.count
        times[resource]?.remove(turn.id)
        if times[resource]?.isEmpty == true { times[resource] = nil }
    }
}
