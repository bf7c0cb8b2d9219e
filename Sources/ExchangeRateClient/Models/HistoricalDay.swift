public import Foundation

/// The rates of one base on one past day.
public struct HistoricalDay: Labelled, Hashable, Sendable, Codable {
    /// The currency that is priced.
    public let base: String
    /// The day as the answer states it; nil if it doesn't.
    public let date: Day?
    /// Quote units per one unit of the base, by symbol; never empty, all above zero.
    public let rates: [String: Decimal]
    /// Whether the day had no fix and carries an earlier value; nil if the answer doesn't say.
    public let isForwardFilled: Bool?
    /// Where the rates come from and how old they are.
    public let labels: Labels

    /// Reads an answer of `/v1/{date}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        base = try container.decode(String.self, forKey: .base)
        date = try container.decodeIfPresent(Day.self, forKey: .date)
        rates = try container.decode(RateTable.self, forKey: .rates).nonEmpty(at: [CodingKeys.rates])
        isForwardFilled = try container.decodeIfPresent(Bool.self, forKey: .isForwardFilled)
        labels = try Labels(from: decoder)
    }

    /// Writes the fields as they stand in an answer, `result` left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(base, forKey: .base)
        try container.encodeIfPresent(date, forKey: .date)
        try container.encode(rates, forKey: .rates)
        try container.encodeIfPresent(isForwardFilled, forKey: .isForwardFilled)
        try labels.encode(to: encoder)
    }

    private enum CodingKeys: String, CodingKey {
        case base, date, rates
        case isForwardFilled = "is_forward_filled"
    }
}
