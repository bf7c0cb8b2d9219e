/// How many requests the access log has.
enum AccessLogRate: Hashable, Sendable, CustomStringConvertible {
    case off
    /// Every n-th request of a loop; 1 is all of them.
    case oneIn(Int)

    /// Reads `off`, `on` or `1/100`; nil for anything else.
    init?(_ text: String) {
        switch text {
        case "off": self = .off
        case "on": self = .oneIn(1)
        default:
            guard text.hasPrefix("1/"), let every = UnitText.count(text.dropFirst(2)), every >= 1 else {
                return nil
            }
            self = .oneIn(every)
        }
    }

    var description: String {
        switch self {
        case .off: "off"
        case .oneIn(1): "on"
        case .oneIn(let every): "1/\(every)"
        }
    }
}
