import CacheLayer

extension Currency {
    static let usd = sample("USD")
    static let eur = sample("EUR")
    static let gbp = sample("GBP")
    static let jpy = sample("JPY")

    /// A code that is known to be well-formed.
    static func sample(_ code: String) -> Currency {
        guard let currency = Currency(code) else { preconditionFailure("\(code) is no code") }
        return currency
    }
}
