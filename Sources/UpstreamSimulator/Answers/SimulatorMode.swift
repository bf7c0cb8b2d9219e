/// Which freshness classes the simulated upstream serves on its latest endpoints; history is always `ecb_daily`.
package enum SimulatorMode: String, Sendable, CaseIterable {
    /// Every symbol moves with each live step.
    case live
    /// Every symbol is the day's fix.
    case ecb
    /// The widely traded symbols are live, the others daily.
    case mixed

    /// The symbols that are live in `mixed`.
    static let liveSymbols: Set<String> = [
        "AUD", "BRL", "CAD", "CHF", "CNY", "EUR", "GBP", "HKD", "INR", "JPY", "KRW", "MXN", "NOK", "NZD",
        "SEK",
        "SGD", "TRY", "USD", "ZAR",
    ]

    func isLive(_ symbol: String) -> Bool {
        switch self {
        case .live: true
        case .ecb: false
        case .mixed: Self.liveSymbols.contains(symbol)
        }
    }
}
