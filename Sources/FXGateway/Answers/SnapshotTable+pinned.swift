import CacheLayer

extension SnapshotTable {
    /// The latest table with this id, if it is held.
    func snapshot(_ id: SnapshotID) -> RateSnapshot? {
        let resources = bases.map { Resource.latest(base: $0) }
        return resources.lazy.compactMap { holding(of: $0)?.snapshot }.first { $0.id == id }
    }

    /// The tables that answer for a base, the one that goes first in front.
    func resources(for base: Currency) -> [Resource] {
        candidates(for: base).map { .latest(base: $0) }
    }

    /// What an answer to `selection` says from this snapshot.
    ///
    /// - Throws: 422 for what its table doesn't have.
    static func pinned(_ selection: Selection, to snapshot: RateSnapshot) throws(Problem) -> SelectionPlan {
        try pinned(base: selection.base, Wish(selection), to: snapshot)
    }

    /// What the conversions of a batch stand on: every code named must be in the table.
    static func pinned(
        from base: Currency, to codes: [Currency], in snapshot: RateSnapshot
    ) throws(Problem) -> SelectionPlan {
        try pinned(base: base, .each(codes), to: snapshot)
    }

    private static func pinned(
        base: Currency, _ wish: Wish, to snapshot: RateSnapshot
    ) throws(Problem) -> SelectionPlan {
        let (served, unknown) = try quotes(wish, of: base, in: snapshot.table)
        guard !served.isEmpty else { throw refusal(base, unknown.first ?? base) }
        return SelectionPlan(pinned: snapshot, base: base, served: served, unknown: unknown)
    }
}
