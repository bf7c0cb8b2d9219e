public import Foundation

/// One amount in another currency.
public struct Conversion: Labelled, Hashable, Sendable, Codable {
    /// The currency of `amount`.
    public let from: String
    /// The currency of `converted`.
    public let to: String
    /// What was converted.
    public let amount: Decimal
    /// Units of `to` per one unit of `from`; nil if the answer leaves it out.
    public let rate: Decimal?
    /// The result, rounded to the smallest unit of `to`.
    public let converted: Decimal
    /// The result before rounding; only gateways give it.
    public let unrounded: Decimal?
    /// How `converted` was rounded, such as `half_even`; only gateways say it.
    public let rounding: String?
    /// The day whose rate it is, where one was asked for; only gateways say it.
    public let date: Day?
    /// Whether that day had no fix and carries an earlier value; only gateways say it.
    public let isForwardFilled: Bool?
    /// Where the rate comes from and how old it is.
    public let labels: Labels

    init(part: ConversionPart, from: String, top: ConversionPart, at path: [any CodingKey]) throws {
        guard let to = part.to, let amount = part.amount, let converted = part.converted else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "not a conversion"))
        }
        self.from = from
        self.to = to
        self.amount = amount
        self.converted = converted
        rate = part.rate
        unrounded = part.unrounded
        rounding = part.rounding ?? top.rounding
        date = part.date
        isForwardFilled = part.isForwardFilled
        labels = part.labels.filled(from: top.labels, for: to)
    }

    /// Reads an answer of `/v1/convert/{from}/{to}/{amount}`: flat fields, or a list of one conversion.
    public init(from decoder: any Decoder) throws {
        let body = try ConversionBody(from: decoder)
        if let list = body.conversions, body.top.converted == nil {
            guard list.count == 1, let only = list.first else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: [ConversionBody.CodingKeys.conversions],
                        debugDescription: "not one conversion"))
            }
            try self.init(
                part: only, from: body.from, top: body.top,
                at: [ConversionBody.CodingKeys.conversions])
        } else {
            try self.init(part: body.top, from: body.from, top: body.top, at: [])
        }
    }

    /// Writes the fields as they stand in an answer, `result` left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ConversionPart.CodingKeys.self)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encode(amount, forKey: .amount)
        try container.encodeIfPresent(rate, forKey: .rate)
        try container.encode(converted, forKey: .converted)
        try container.encodeIfPresent(unrounded, forKey: .unrounded)
        try container.encodeIfPresent(rounding, forKey: .rounding)
        try container.encodeIfPresent(date, forKey: .date)
        try container.encodeIfPresent(isForwardFilled, forKey: .isForwardFilled)
        try labels.encode(to: encoder)
    }
}
