/// What an operator accepts of what is held back.
package enum QuarantineTarget: Hashable, Sendable {
    /// One symbol of a base's table.
    case symbol(base: Currency, Currency)
    /// All that is held back in this very snapshot: what the operator has looked at, and nothing newer.
    case snapshot(SnapshotID)

    /// The symbols of a table that are meant, in the order of their codes; none if nothing of it is held back.
    func symbols(in snapshot: RateSnapshot) -> [Currency] {
        let all = snapshot.table.quarantined
        switch self {
        case .symbol(let base, let currency):
            return snapshot.resource == .latest(base: base) ? all.filter { $0 == currency } : []
        case .snapshot(let id): return snapshot.id == id ? all : []
        }
    }
}
