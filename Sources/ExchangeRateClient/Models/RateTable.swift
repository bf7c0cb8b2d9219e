import Foundation

/// The member `rates` of a body: quote units per one unit of the base, by symbol.
///
/// A rate that is null, zero or below is no rate: the symbol counts as missing. Digits are kept as they came, up
/// to the 38 a `Decimal` holds.
struct RateTable: Decodable {
    let rates: [String: Decimal]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        rates = try container.decode([String: Decimal?].self).compactMapValues { rate in
            rate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        }
    }

    /// The table unless it is empty: an answer without any rate is a fault, not a table.
    func nonEmpty(at path: [any CodingKey]) throws -> [String: Decimal] {
        guard !rates.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "no rate in it"))
        }
        return rates
    }
}
