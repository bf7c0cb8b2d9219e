/// Many amounts of one currency in others, all from the same rates.
public struct ConversionBatch: Labelled, Hashable, Sendable, Codable {
    /// The currency of all amounts.
    public let from: String
    /// The conversions in the order of the answer; never empty.
    ///
    /// What an entry left out of its labels was taken from the whole answer, but for the data time where the whole is of
    /// several freshness classes: that is of the newest of them.
    public let conversions: [Conversion]
    /// What the answer says for all conversions.
    public let labels: Labels

    /// Reads an answer of `POST /v1/convert`.
    public init(from decoder: any Decoder) throws {
        let body = try ConversionBody(from: decoder)
        let path = [ConversionBody.CodingKeys.conversions]
        guard let parts = body.conversions, !parts.isEmpty else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: "no conversion in it"))
        }
        from = body.from
        labels = body.top.labels
        conversions = try parts.map { part in
            try Conversion(part: part, from: body.from, top: body.top, at: path)
        }
    }

    /// Writes the fields as they stand in an answer, `result` left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ConversionBody.CodingKeys.self)
        try container.encode(from, forKey: .from)
        try container.encode(conversions, forKey: .conversions)
        try labels.encode(to: encoder)
    }
}
