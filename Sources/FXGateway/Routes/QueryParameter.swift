/// The query parameters that have a meaning on some route.
enum QueryParameter: String, CaseIterable, Sendable {
    case base
    case symbols
    case numbers
    case rounding
    case force
    case date
    case asOf = "as_of"
    case snapshot

    var name: StaticString {
        switch self {
        case .base: "base"
        case .symbols: "symbols"
        case .numbers: "numbers"
        case .rounding: "rounding"
        case .force: "force"
        case .date: "date"
        case .asOf: "as_of"
        case .snapshot: "snapshot"
        }
    }
}
