import CacheLayer

/// The classes of rates that `fxgateway plan` knows: how often a table of that class is fetched.
enum PlanTier: String, CaseIterable, Sendable {
    case live
    case ecbDaily = "ecb_daily"
    case fredDaily = "fred_daily"

    /// A fix is usually there at the third poll, ten minutes after its time: what a simulated year took.
    private static let pollsPerFix: Int64 = 3

    func cadence(liveTTL: Duration) -> PlanForecast.Cadence {
        switch self {
        case .live: .every(liveTTL)
        case .ecbDaily: .fixes(polls: Self.pollsPerFix)
        case .fredDaily: .every(max(liveTTL, .seconds(86_400)))
        }
    }
}
