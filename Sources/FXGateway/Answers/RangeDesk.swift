import CacheLayer
import HTTPEngine

/// The pages of ranges that are being made beside one loop, and the requests that wait for them.
///
/// Only for its loop's thread.
struct RangeDesk {
    /// Different pages of one loop that may be under way.
    static let mostDrafts = 16

    private(set) var waiting: WaitingList<RangeQuery>
    /// How what a request had waited for before came.
    private var arrivals: [ConnectionID: Arrival] = [:]
    private var making: Set<RangeQuery> = []
    /// Grows whenever what pages are made of has changed.
    private(set) var edition = 0
    /// What has just been made, while those who waited for it are answered.
    private(set) var made: (query: RangeQuery, range: MadeRange, edition: Int)?

    init(limit: Int) { waiting = WaitingList(limit: limit) }

    /// Has a request wait for a page; `arrival` is how what it had waited for before came.
    mutating func add(
        _ id: ConnectionID, _ entry: WaitingList<RangeQuery>.Entry, after arrival: Arrival?
    ) {
        waiting.add(id, entry)
        arrivals[id] = arrival
    }

    mutating func remove(_ id: ConnectionID) {
        waiting.remove(id)
        arrivals[id] = nil
    }

    func arrival(for id: ConnectionID) -> Arrival { arrivals[id] ?? .nothing }

    /// Whether one more page can be begun, or this one is under way already.
    func hasRoom(for query: RangeQuery) -> Bool { making.contains(query) || making.count < Self.mostDrafts }

    /// Notes that a page is begun; false where it was under way already.
    mutating func begin(_ query: RangeQuery) -> Bool { making.insert(query).inserted }

    /// Takes a page that is made, for those who wait for it.
    mutating func land(_ query: RangeQuery, _ range: MadeRange, of edition: Int) {
        making.remove(query)
        made = (query, range, edition)
    }

    /// Lets go of what was made.
    mutating func clear() { made = nil }

    /// A year came, or the state of one is another: what is being made now may be answered, but not kept.
    mutating func outdate() { edition += 1 }
}
