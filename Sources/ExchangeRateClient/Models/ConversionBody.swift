import Foundation

/// A body of `/v1/convert` in either form: flat, or with a list.
struct ConversionBody: Decodable {
    let from: String
    let top: ConversionPart
    let conversions: [ConversionPart]?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        from = try container.decode(String.self, forKey: .from)
        top = try ConversionPart(from: decoder)
        conversions = try container.decodeIfPresent([ConversionPart].self, forKey: .conversions)
    }

    enum CodingKeys: String, CodingKey {
        case from, conversions
    }
}
