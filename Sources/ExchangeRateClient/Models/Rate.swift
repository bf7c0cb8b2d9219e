public import Foundation

/// The latest rate of one pair.
public struct Rate: Labelled, Hashable, Sendable, Codable {
    /// The currency that is priced.
    public let base: String
    /// The currency it is priced in.
    public let quote: String
    /// Quote units per one unit of the base; above zero.
    public let rate: Decimal
    /// Where the rate comes from and how old it is.
    public let labels: Labels

    /// Whether the rate was computed over a third currency; nil if the answer doesn't say.
    public var isDerived: Bool? { labels.isDerived }
    /// A bound of the error that the derivation adds, in basis points; nil when not derived.
    public var derivationBpsMax: Decimal? { labels.derivationBpsMax }

    init(base: String, quote: String, rate: Decimal, labels: Labels) {
        self.base = base
        self.quote = quote
        self.rate = rate
        self.labels = labels
    }

    /// Reads an answer of `/v1/rate/{base}-{quote}`; the member `pair`, spelled in two ways, is left aside.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        base = try container.decode(String.self, forKey: .base)
        quote = try container.decode(String.self, forKey: .quote)
        rate = try container.decode(Decimal.self, forKey: .rate)
        guard rate > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .rate, in: container, debugDescription: "a rate is above zero")
        }
        labels = try Labels(from: decoder)
    }

    /// Writes the fields as they stand in an answer, `result` and `pair` left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(base, forKey: .base)
        try container.encode(quote, forKey: .quote)
        try container.encode(rate, forKey: .rate)
        try labels.encode(to: encoder)
    }

    private enum CodingKeys: String, CodingKey {
        case base, quote, rate
    }
}
