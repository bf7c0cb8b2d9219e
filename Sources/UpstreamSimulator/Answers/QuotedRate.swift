/// One rate as an answer gives it: units of `symbol` for one unit of the base.
struct QuotedRate: Equatable, Sendable {
    let symbol: String
    /// The JSON number, digit for digit.
    var token: String
    let value: FixedDecimal
    var source: RateSource
    let effectiveAt: SimulatedTime
    /// Bound of the error of a rate computed over the euro, in tenths of a basis point; nil if it isn't.
    let derivationTenths: Int?
}
