public import Foundation

/// The latest rates of one base.
public struct Latest: Labelled, Hashable, Sendable, Codable {
    /// The currency that is priced.
    public let base: String
    /// Quote units per one unit of the base, by symbol; never empty, all above zero.
    ///
    /// Symbols that were asked for and have no value are missing. The base itself is usually no member.
    public let rates: [String: Decimal]
    /// Where the rates come from and how old they are.
    public let labels: Labels

    /// Reads an answer of `/v1/latest`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        base = try container.decode(String.self, forKey: .base)
        rates = try container.decode(RateTable.self, forKey: .rates).nonEmpty(at: [CodingKeys.rates])
        labels = try Labels(from: decoder)
    }

    /// The rate of one symbol with its own source, time and state; nil if the table has none.
    public func rate(of symbol: String) -> Rate? {
        let symbol = symbol.uppercased()
        return rates[symbol].map {
            Rate(base: base, quote: symbol, rate: $0, labels: labels.narrowed(to: symbol))
        }
    }

    /// Writes the fields as they stand in an answer, `result` left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(base, forKey: .base)
        try container.encode(rates, forKey: .rates)
        try labels.encode(to: encoder)
    }

    private enum CodingKeys: String, CodingKey {
        case base, rates
    }
}
