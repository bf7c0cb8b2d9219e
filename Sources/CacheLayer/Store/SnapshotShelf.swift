/// The newest snapshot of each resource, each until its lifetime in the store ends.
struct SnapshotShelf: Hashable, Sendable {
    private var places: [Resource: Place] = [:]

    private struct Place: Hashable, Sendable {
        let snapshot: StoredSnapshot
        let end: UnixMilliseconds
    }

    /// What is there at an instant, with what is left of its lifetime; nil if there is nothing or it has
    /// ended.
    func snapshot(of resource: Resource, at now: UnixMilliseconds) -> StoredSnapshot? {
        guard let place = places[resource], place.end > now else { return nil }
        return place.snapshot.kept(for: place.end - now)
    }

    mutating func put(_ snapshot: StoredSnapshot, at now: UnixMilliseconds) {
        let keepFor = max(.milliseconds(1), snapshot.keepFor)
        places = places.filter { $0.value.end > now }
        places[snapshot.resource] = Place(snapshot: snapshot, end: now + keepFor)
    }

    /// Forgets one, as an eviction does.
    mutating func remove(_ resource: Resource) { places[resource] = nil }
}
