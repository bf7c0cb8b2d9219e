public import Foundation

extension ExchangeRateClient {
    /// Converts one amount at the latest rate.
    ///
    /// - Parameters:
    ///   - amount: zero or more, in `from`.
    ///   - from: the currency of the amount.
    ///   - to: the currency wanted.
    /// - Returns: the amount in `to`, rounded to its smallest unit.
    /// - Throws: `invalidArgument` before anything is sent; else what came of the call.
    public func convert(
        _ amount: Decimal, from: String, to: String
    ) async throws(ExchangeRateError) -> Conversion {
        let from = try Self.code(from, name: "from")
        let to = try Self.code(to, name: "to")
        let text = try Self.plain(amount)
        let conversion = try await get("/v1/convert/\(from)/\(to)/\(text)", as: Conversion.self)
        try Self.check(conversion.from, is: from, member: "from")
        try Self.check(conversion.to, is: to, member: "to")
        return conversion
    }

    /// Converts amounts of one currency into others with one call.
    ///
    /// - Parameters:
    ///   - amounts: at least one; each zero or more, in `from`. Upstream's upper limit is not known.
    ///   - from: the currency of all amounts.
    /// - Returns: one conversion for each amount.
    /// - Throws: `invalidArgument` before anything is sent; else what came of the call.
    public func convert(
        _ amounts: [(to: String, amount: Decimal)], from: String
    ) async throws(ExchangeRateError) -> ConversionBatch {
        let from = try Self.code(from, name: "from")
        guard !amounts.isEmpty else { throw .invalidArgument(name: "amounts", value: "") }
        var pairs: [String] = []
        for (to, amount) in amounts {
            pairs.append("[\"\(try Self.code(to, name: "to"))\",\(try Self.plain(amount))]")
        }
        // Codes and plain numbers need no escaping.
        let json = "{\"from\":\"\(from)\",\"pairs\":[\(pairs.joined(separator: ","))]}"
        let batch = try await post("/v1/convert", json: Data(json.utf8), as: ConversionBatch.self)
        try Self.check(batch.from, is: from, member: "from")
        guard batch.conversions.count == amounts.count else { throw .undecodable(member: "conversions") }
        return batch
    }

    /// Digits with at most one point: never an exponent, a group or a local sign.
    private static func plain(_ amount: Decimal) throws(ExchangeRateError) -> String {
        guard amount.isFinite, amount >= 0 else {
            throw .invalidArgument(name: "amount", value: amount.description)
        }
        return amount.description
    }
}
