import CacheLayer

/// What an operator wants of the running fleet.
enum AdminOrder: Hashable, Sendable {
    /// Ends cooldowns before their time.
    case lift([CooldownScope])
    /// Drops all snapshots.
    case purge

    /// Does it, for the whole fleet.
    func carryOut(on refresher: Refresher) async -> AdminOutcome {
        switch self {
        case .lift(let scopes): await refresher.lift(scopes).map { .lifted($0) } ?? .storeAway
        case .purge: await refresher.purge() ? .purged : .storeAway
        }
    }
}
