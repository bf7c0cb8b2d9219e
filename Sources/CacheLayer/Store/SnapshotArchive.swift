/// Older snapshots by id, for answers that name one: within their retention and a number of bytes, the oldest go first.
struct SnapshotArchive: Sendable {
    /// The most bytes of bodies.
    let limit: Int
    private(set) var bytes = 0
    private var places: [SnapshotID: Place] = [:]
    /// In the order in which they came.
    private var order: [SnapshotID] = []

    private struct Place: Sendable {
        let snapshot: StoredSnapshot
        let end: UnixMilliseconds
    }

    init(limit: Int) { self.limit = limit }

    func snapshot(_ id: SnapshotID, at now: UnixMilliseconds) -> StoredSnapshot? {
        guard let place = places[id], place.end > now else { return nil }
        return place.snapshot.kept(for: place.end - now)
    }

    mutating func put(_ snapshot: StoredSnapshot, at now: UnixMilliseconds) {
        let kept = StoreTimings.archiveKept(snapshot)
        guard kept > .zero, places[snapshot.id] == nil, snapshot.body.count <= limit else { return }
        let end = now + kept
        places[snapshot.id] = Place(snapshot: snapshot, end: end)
        order.append(snapshot.id)
        bytes += snapshot.body.count
        trim(now: now)
    }

    /// Drops the ended ones at the old end, then as many as are too much.
    private mutating func trim(now: UnixMilliseconds) {
        var dropped = 0
        for id in order {
            guard let place = places[id], place.end <= now || bytes > limit else { break }
            places[id] = nil
            bytes -= place.snapshot.body.count
            dropped += 1
        }
        order.removeFirst(dropped)
    }
}
