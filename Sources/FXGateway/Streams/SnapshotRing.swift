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

    /// Refreshing stands otherwise now: what is told again says so.
    mutating func stand(under condition: RefreshCondition) {
        guard holdings.last?.view.condition != condition else { return }
        holdings = holdings.map { $0.under(condition) }
    }

    /// An operator has dropped what was held: nothing of it is told again.
    mutating func removeAll() { holdings.removeAll() }

    /// How far a peer's clock may be ahead of this one's.
    private static let clockSkew = Duration.seconds(60)

    /// What has come since `id`, at an instant of the wall clock.
    ///
    /// An id that isn't here may be of a peer that adopted more: ids sort by time, and what came later is known. Of two with
    /// the same time the order isn't known: both are told. One of a time that nobody has
    /// seen yet is no snapshot's.
    func after(_ id: SnapshotID, at now: UnixMilliseconds) -> Resumption {
        if let place = holdings.lastIndex(where: { $0.snapshot.id == id }) {
            return .known(Array(holdings[(place + 1)...]))
        }
        guard let oldest = holdings.first, let newest = holdings.last,
            oldest.snapshot.id.time <= id.time
        else { return .gap }
        guard newest.snapshot.id.time < id.time else {
            return .known(holdings.filter { $0.snapshot.id.time >= id.time })
        }
        let latest = SnapshotID(fetchedAt: now + Self.clockSkew, digest: [0, 0, 0, 0])
        return id.time <= latest.time ? .ahead(id) : .gap
    }
}
