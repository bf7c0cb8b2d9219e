import CacheLayer

/// The pages of ranges that are being made beside one loop, and the requests that wait for them.
///
/// Only for its loop's thread.
struct RangeDesk {
    /// Different pages of one loop that may be under way.
    static let mostDrafts = 16

    var waiting: WaitingList<RangeQuery>
    private var making: Set<RangeQuery> = []
    /// Grows whenever what pages are made of has changed.
    private(set) var edition = 0
    /// What has just been made, while those who waited for it are answered.
    private(set) var made: (query: RangeQuery, range: MadeRange, edition: Int)?

    init(limit: Int) { waiting = WaitingList(limit: limit) }

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
