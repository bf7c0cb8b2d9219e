import Foundation

/// A conversion as it stands at the top of a body or in its list; what is missing may stand at the other place.
struct ConversionPart: Decodable {
    let to: String?
    let amount: Decimal?
    let rate: Decimal?
    let converted: Decimal?
    let unrounded: Decimal?
    let rounding: String?
    let date: Day?
    let isForwardFilled: Bool?
    let labels: Labels

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        to = try container.decodeIfPresent(String.self, forKey: .to)
        amount = try container.decodeIfPresent(Decimal.self, forKey: .amount)
        rate = try container.decodeIfPresent(Decimal.self, forKey: .rate)
        converted = try container.decodeIfPresent(Decimal.self, forKey: .converted)
        unrounded = try container.decodeIfPresent(Decimal.self, forKey: .unrounded)
        rounding = try container.decodeIfPresent(String.self, forKey: .rounding)
        date = try container.decodeIfPresent(Day.self, forKey: .date)
        isForwardFilled = try container.decodeIfPresent(Bool.self, forKey: .isForwardFilled)
        labels = try Labels(from: decoder)
    }

    enum CodingKeys: String, CodingKey {
        case from, to, amount, rate, converted, rounding, date
        case isForwardFilled = "is_forward_filled"
        case unrounded = "result_unrounded"
    }
}
