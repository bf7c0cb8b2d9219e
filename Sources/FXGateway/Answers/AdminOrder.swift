import CacheLayer

/// What an operator wants of the running fleet.
enum AdminOrder: Hashable, Sendable {
    /// Ends cooldowns before their time.
    case lift([CooldownScope])
    /// Drops all snapshots.
    case purge

    /// Accepts values that are held back.
    case accept(QuarantineTarget)

    /// How long an acceptance waits for a fetch that is under way.
    private static let patience = Duration.seconds(5)

    /// Does it, for the whole fleet.
    func carryOut(on refresher: Refresher) async -> AdminOutcome {
        switch self {
        case .lift(let scopes): await refresher.lift(scopes).map { .lifted($0) } ?? .storeAway
        case .purge: await refresher.purge() ? .purged : .storeAway
        case .accept(let target):
            switch await refresher.accept(target, limit: Self.patience) {
            case .accepted(let symbols, let id): .accepted(symbols, id)
            case .nothing: .nothingHeldBack
            case .busy: .busy
            case .storeAway: .storeAway
            }
        }
    }
}
