import CacheLayer
import HTTPEngine

/// The parked requests of one loop that wait for a snapshot: bounded in number and time.
///
/// Only for its loop's thread.
struct WaitingList {
    struct Entry {
        let resource: Resource
        /// When its client is told that it is not here, on the loop's clock.
        let deadline: Int64
        /// When the request came.
        let since: Int64
        /// Who waits.
        let caller: Caller
    }

    private let limit: Int
    private var entries: [ConnectionID: Entry] = [:]
    /// In the order of arrival, and since all wait equally long, of their deadlines; with ids that have gone meanwhile.
    private var queue: [ConnectionID] = []

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { entries.isEmpty }
    var isFull: Bool { entries.count >= limit }
    var count: Int { entries.count }

    func entry(_ id: ConnectionID) -> Entry? { entries[id] }

    /// Adds a request; one that waits already keeps its deadline.
    mutating func add(_ id: ConnectionID, _ entry: Entry) {
        guard entries[id] == nil else { return }
        entries[id] = entry
        queue.append(id)
    }

    /// Has a request that waits already wait for something else, no longer than before.
    mutating func move(_ id: ConnectionID, to resource: Resource) {
        guard let entry = entries[id] else { return }
        entries[id] = Entry(
            resource: resource, deadline: entry.deadline, since: entry.since, caller: entry.caller)
    }

    mutating func remove(_ id: ConnectionID) {
        entries[id] = nil
        // A crowd that has left must not be kept by name.
        if queue.count > 64, queue.count > 4 * entries.count { queue.removeAll { entries[$0] == nil } }
    }

    /// Those who wait for a resource, the first to come first; nil stands for any resource.
    func waiting(for resource: Resource?) -> [ConnectionID] {
        queue.filter { id in
            guard let entry = entries[id] else { return false }
            return resource == nil || entry.resource == resource
        }
    }

    /// Those whose time is up at `now`, the first to come first.
    func expired(at now: Int64) -> [ConnectionID] {
        queue.filter { id in entries[id].map { $0.deadline <= now } ?? false }
    }
}
