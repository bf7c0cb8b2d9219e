public import Foundation

/// What can be said, at one moment, of how fresh rates are.
///
/// An answer's own word is of the moment when it was made. This is looked at anew each time: an answer that was kept for
/// longer than its lifetime is stale, whatever it says of itself.
public enum Freshness: Sendable, Hashable {
    /// Within the lifetime that the gateway gave it.
    case fresh(until: Date)
    /// Final: the rates of a past day that won't change any more.
    case settled
    /// Past the lifetime; the reason if the gateway gave one, nil if the answer has grown old since.
    case stale(StaleReason?)
    /// A publication that should have come by the calendar has not.
    case late(StaleReason?)
    /// Computed from a past snapshot by its id or an instant: neither fresh nor stale.
    case pinned
    /// Nobody vouches for it: the answer is upstream's own, or of a state that this version doesn't know.
    case unstated

    /// Whether the rates may be used where only fresh ones will do: `fresh` or `settled`.
    public var isFresh: Bool {
        switch self {
        case .fresh, .settled: true
        case .stale, .late, .pinned, .unstated: false
        }
    }

    /// Judges what a gateway said, at a moment; `isMarked` where the symbol is listed as stale on its own.
    init(_ cache: GatewayCache?, isMarked: Bool, at now: Date) {
        guard let cache else {
            self = .unstated
            return
        }
        switch cache.state {
        case .fresh where isMarked: self = .stale(nil)
        case .fresh:
            guard let until = cache.freshUntil else {
                self = .settled
                return
            }
            self = now < until ? .fresh(until: until) : .stale(nil)
        case .stale: self = .stale(cache.reason)
        case .late: self = .late(cache.reason)
        case .pinned: self = .pinned
        default: self = .unstated
        }
    }
}
