/// A safeguard of the product that a random run can be aimed at: without it the run must break a promise.
package enum ChaosSafeguard: String, Sendable, CaseIterable {
    /// Only a higher token replaces a snapshot.
    case fence
    /// A reservation is settled once, however often its end is told.
    case settleOnce = "settle-once"
    /// A pause is only ever extended.
    case extendOnly = "extend-only"
    /// So many calls in flight and no more.
    case cap
    /// Within one class a snapshot with older data replaces nothing.
    case dataOrder = "data-order"

    /// A pause lasts as long as upstream asked for.
    case cooldown

    /// The faults that it stands against.
    package var kinds: [ChaosKind] {
        switch self {
        case .fence: [.lateReport]
        case .settleOnce: [.limitedStart]
        case .extendOnly, .cooldown: [.limitUpstream]
        case .cap: [.slowUpstream]
        case .dataOrder: [.shiftUpstream]
        }
    }
}
