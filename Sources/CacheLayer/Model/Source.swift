/// Upstream's freshness class of a symbol or of a whole table.
package enum Source: Hashable, Sendable {
    case live
    case ecbDaily
    case fredDaily
    /// A class that upstream has added since: served under its own name, with the policy for unknown
    /// ones.
    case unknown(String)

    /// The class with upstream's name for it.
    package init(name: String) {
        self =
            switch name {
            case "live": .live
            case "ecb_daily": .ecbDaily
            case "fred_daily": .fredDaily
            default: .unknown(name)
            }
    }

    /// Upstream's name: `live`, `ecb_daily`, `fred_daily`, or the unknown one as it came.
    package var name: String {
        switch self {
        case .live: "live"
        case .ecbDaily: "ecb_daily"
        case .fredDaily: "fred_daily"
        case .unknown(let name): name
        }
    }
}
