/// What one euro is worth in one currency.
struct EuroLeg: Equatable, Sendable {
    let symbol: String
    /// The published digits; for a daily fix exactly the bank's.
    let text: String
    let value: FixedDecimal
    let source: RateSource
    /// When the value was observed.
    let effectiveAt: SimulatedTime
}
