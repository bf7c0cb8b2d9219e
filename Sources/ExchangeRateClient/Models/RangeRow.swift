public import Foundation

/// The rates of one published day.
public struct RangeRow: Hashable, Sendable, Codable {
    /// The day of the values.
    public let date: Day
    /// Quote units per one unit of the base, by symbol; all above zero.
    public let rates: [String: Decimal]
    /// The freshness class of the row; nil if the answer doesn't say.
    public let source: Source?
    /// Whether the day had no fix and carries an earlier value; nil if the answer doesn't say.
    public let isForwardFilled: Bool?

    /// Reads a row of the member `data`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        date = try container.decode(Day.self, forKey: .date)
        rates = try container.decode(RateTable.self, forKey: .rates).rates
        source = try container.decodeIfPresent(Source.self, forKey: .source)
        isForwardFilled = try container.decodeIfPresent(Bool.self, forKey: .isForwardFilled)
    }

    private enum CodingKeys: String, CodingKey {
        case date, rates, source
        case isForwardFilled = "is_forward_filled"
    }
}
