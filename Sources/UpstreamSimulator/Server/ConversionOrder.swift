import Foundation

/// The body of `POST /v1/convert`: `{"from":"CHF","pairs":[["SEK",20],["JPY",7.5]]}`.
struct ConversionOrder: Equatable, Sendable {
    let from: String
    /// Amounts in plain notation; never through binary floating point.
    let pairs: [(to: String, amount: String)]

    /// The JSON as it is decoded.
    ///
    /// Foundation's decoder takes a `Decimal` from the number's own digits.
    private struct Form: Decodable {
        struct Pair: Decodable {
            let to: String
            let amount: Decimal

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                to = try list.decode(String.self)
                amount = try list.decode(Decimal.self)
            }
        }

        let from: String?
        let pairs: [Pair]?
    }

    init(body: [UInt8]) throws(UpstreamError) {
        guard let form = try? JSONDecoder().decode(Form.self, from: Data(body)) else {
            throw .invalidRequest("The body is not of the form {\"from\":…,\"pairs\":[[…,…]]}.")
        }
        guard let from = form.from else { throw .missingParameter("from") }
        guard let pairs = form.pairs, !pairs.isEmpty else { throw .missingParameter("pairs") }
        self.from = from
        self.pairs = pairs.map { ($0.to, $0.amount.description) }
    }

    static func == (left: ConversionOrder, right: ConversionOrder) -> Bool {
        left.from == right.from && left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }
}
