import HTTPEngine

/// The parked requests of one loop that wait for snapshots of one kind of name: bounded in number and time.
///
/// Only for its loop's thread.
struct WaitingList<Awaited: Hashable> {
    struct Entry {
        let awaited: Awaited
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
    mutating func move(_ id: ConnectionID, to awaited: Awaited) {
        guard let entry = entries[id] else { return }
        entries[id] = Entry(
            awaited: awaited, deadline: entry.deadline, since: entry.since, caller: entry.caller)
    }

    mutating func remove(_ id: ConnectionID) {
        entries[id] = nil
        // A crowd that has left must not be kept by name.
        if queue.count > 64, queue.count > 4 * entries.count { queue.removeAll { entries[$0] == nil } }
    }

    /// Those who wait for something, the first to come first; nil stands for anything.
    func waiting(for awaited: Awaited?) -> [ConnectionID] {
        queue.filter { id in
            guard let entry = entries[id] else { return false }
            return awaited == nil || entry.awaited == awaited
        }
    }

    /// Those whose time is up at `now`, the first to come first.
    func expired(at now: Int64) -> [ConnectionID] {
        queue.filter { id in entries[id].map { $0.deadline <= now } ?? false }
    }
}
