import CacheLayer

/// The newest publications of one resource on one loop, for streams that come back.
///
/// Bounded; a pure value.
struct SnapshotRing {
    /// Half an hour of live rates at an interval of a minute.
    static let most = 32

    /// The oldest first.
    private(set) var holdings: [Holding] = []

    /// What somebody who has seen one snapshot is to be told.
    enum Resumption {
        /// What has come since, the oldest first; nothing if that was the newest.
        case known([Holding])
        /// It is newer than all here: a peer was first, and it will come.
        case ahead(SnapshotID)
        /// Too old to say what has come since.
        case gap
    }

    mutating func append(_ holding: Holding) {
        if holdings.count == Self.most { holdings.removeFirst() }
        holdings.append(holding)
    }

    /// An operator has dropped what was held: nothing of it is told again.
    mutating func removeAll() { holdings.removeAll() }

    /// What has come since `id`.
    ///
    /// An id that isn't here may be of a peer that adopted more: ids sort by time, and what came later is known. Of two with
    /// the same time the order isn't known: both are told.
    func after(_ id: SnapshotID) -> Resumption {
        if let place = holdings.lastIndex(where: { $0.snapshot.id == id }) {
            return .known(Array(holdings[(place + 1)...]))
        }
        guard let oldest = holdings.first, let newest = holdings.last,
            oldest.snapshot.id.time <= id.time
        else { return .gap }
        if newest.snapshot.id.time < id.time { return .ahead(id) }
        return .known(holdings.filter { $0.snapshot.id.time >= id.time })
    }
}
