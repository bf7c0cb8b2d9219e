/// One amount changed into one currency.
struct Conversion: Equatable, Sendable {
    let amount: FixedDecimal
    let rate: QuotedRate

    /// The amount times the published rate, rounded half to even to the currency's minor unit.
    var converted: FixedDecimal {
        amount.times(rate.value).rounded(places: CurrencyNames.decimals(of: rate.symbol)).trimmed
    }
}
