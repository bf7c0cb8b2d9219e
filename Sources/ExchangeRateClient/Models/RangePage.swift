/// A page of daily rates, one row for each published day, oldest first.
///
/// Weekends are no rows; a holiday may be one that carries the earlier value.
public struct RangePage: Labelled, Hashable, Sendable, Codable {
    /// The currency that is priced.
    public let base: String
    /// The first day asked for, as the answer states it.
    public let startDate: Day?
    /// The last day asked for, as the answer states it.
    public let endDate: Day?
    /// The rows of this page, at most 366 from upstream; empty for a window without published day.
    public let rows: [RangeRow]
    /// Whether another page exists.
    public let hasMore: Bool
    /// What to ask for the next page with; opaque, nil on the last one.
    public let nextCursor: String?
    /// What the answer says for all rows, if anything.
    public let labels: Labels

    /// Reads an answer of `/v1/range`; any other shape than rows in `data` is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        base = try container.decode(String.self, forKey: .base)
        startDate = try container.decodeIfPresent(Day.self, forKey: .startDate)
        endDate = try container.decodeIfPresent(Day.self, forKey: .endDate)
        rows = try container.decode([RangeRow].self, forKey: .rows)
        nextCursor = try container.decodeIfPresent(String.self, forKey: .nextCursor)
        hasMore = try container.decode(Bool.self, forKey: .hasMore)
        guard !hasMore || nextCursor?.isEmpty == false else {
            throw DecodingError.dataCorruptedError(
                forKey: .nextCursor, in: container, debugDescription: "another page, but no way to it")
        }
        labels = try Labels(from: decoder)
    }

    /// Writes the fields as they stand in an answer, `result` left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(base, forKey: .base)
        try container.encodeIfPresent(startDate, forKey: .startDate)
        try container.encodeIfPresent(endDate, forKey: .endDate)
        try container.encode(rows, forKey: .rows)
        try container.encode(hasMore, forKey: .hasMore)
        try container.encodeIfPresent(nextCursor, forKey: .nextCursor)
        try labels.encode(to: encoder)
    }

    private enum CodingKeys: String, CodingKey {
        case base
        case startDate = "start_date"
        case endDate = "end_date"
        case rows = "data"
        case hasMore = "has_more"
        case nextCursor = "next_cursor"
    }
}
