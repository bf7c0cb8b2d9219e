/// Older snapshots by id and by time, for answers that name one: within their retention and a number of bytes.
struct SnapshotArchive: Sendable {
    /// The most bytes of bodies.
    let limit: Int
    private(set) var bytes = 0
    private var bodies: [SnapshotID: Place] = [:]
    /// In the order in which they go: the one whose time ends first goes first.
    private(set) var order: [ArchiveRoom.Entry] = []
    private(set) var times: [Resource: ArchiveTimes] = [:]

    private struct Place: Sendable {
        let snapshot: StoredSnapshot
        let end: UnixMilliseconds
    }

    init(limit: Int) { self.limit = limit }

    func snapshot(_ id: SnapshotID, at now: UnixMilliseconds) -> StoredSnapshot? {
        guard let place = bodies[id], place.end > now else { return nil }
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
    mutating func put(
        _ snapshot: StoredSnapshot, at now: UnixMilliseconds, from: UnixMilliseconds? = nil
    ) -> ArchiveNews {
        let room = ArchiveRoom(
            bytes: bytes, first: Array(order.prefix(ArchiveRoom.mostDrops)),
            kept: order.contains { $0.id == snapshot.id } ? [snapshot.id] : [])
        let plan = ArchivePlan(keeping: snapshot, in: room, limit: limit, at: now, from: from)
        for entry in plan.drops {
            order.removeFirst()
            bodies[entry.id] = nil
            times[entry.resource]?.drop(entry)
        }
        if let entry = plan.entry {
            order.insert(entry, at: (order.lastIndex { $0 < entry } ?? -1) + 1)
            if plan.hasBody { bodies[entry.id] = Place(snapshot: snapshot, end: entry.end) }
            times[entry.resource, default: ArchiveTimes()].add(
                ArchiveMark(from: entry.from, id: entry.id, isGap: !plan.hasBody))
        }
        bytes = plan.news.bytes
        return plan.news
    }
}
