/// How old is too old: the state of a symbol, or of an answer as the worst of its symbols.
///
/// Ordered from best to worst. Bounds are half-open: an age of exactly the lifetime is stale.
package enum Freshness: Int, Comparable, Hashable, Sendable {
    case fresh
    /// A publication that should have come by the calendar and has not; served as stale.
    case late
    case stale
    /// Beyond the stale window: not served.
    case expired

    /// The word in answers, headers and metrics.
    package var name: String {
        switch self {
        case .fresh: "fresh"
        case .late: "late"
        case .stale: "stale"
        case .expired: "expired"
        }
    }

    package static func < (left: Freshness, right: Freshness) -> Bool { left.rawValue < right.rawValue }
}
