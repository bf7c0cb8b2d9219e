public import Foundation

extension ExchangeRateClient {
    /// Converts one amount.
    ///
    /// - Parameters:
    ///   - amount: zero or more, in `from`.
    ///   - from: the currency of the amount.
    ///   - to: the currency wanted.
    ///   - moment: at the latest rate, or at that of a past snapshot.
    ///   - rounding: how the result is rounded; nil for the service's own way. Only gateways know another one.
    /// - Returns: the amount in `to`, rounded to its smallest unit.
    /// - Throws: `invalidArgument` before anything is sent; `notFresh` if the answer isn't of that moment, and `undecodable` if it
    ///   isn't rounded that way, as upstream's own would be, which knows neither; else what came of the call.
    public func convert(
        _ amount: Decimal, from: String, to: String, at moment: Moment = .now, rounding: Rounding? = nil
    ) async throws(ExchangeRateError) -> Conversion {
        let query = try parameters(moment) + Self.query(rounding)
        let conversion = try await conversion(amount, from: from, to: to, query: query)
        try Self.check(conversion, is: rounding)
        return try wished(conversion, at: moment)
    }

    /// Converts one amount at the rate of a past day, at a gateway.
    ///
    /// - Parameters:
    ///   - amount: zero or more, in `from`.
    ///   - from: the currency of the amount.
    ///   - to: the currency wanted.
    ///   - day: the day; on one without fix the earlier value is carried.
    ///   - rounding: how the result is rounded; nil for the service's own way.
    /// - Returns: the amount in `to`, rounded to its smallest unit.
    /// - Throws: `invalidArgument` before anything is sent; `notFresh` if the answer isn't of that day, and `undecodable` if it
    ///   isn't rounded that way, as upstream's own would be, which knows neither parameter; else what came of the call.
    public func convert(
        _ amount: Decimal, from: String, to: String, on day: Day, rounding: Rounding? = nil
    ) async throws(ExchangeRateError) -> Conversion {
        let query = [("date", day.description)] + Self.query(rounding)
        let conversion = try await conversion(amount, from: from, to: to, query: query)
        try Self.check(conversion, is: rounding)
        guard conversion.date == day else { throw .notFresh(conversion.freshness(at: surroundings.wall())) }
        return conversion
    }

    /// Converts amounts of one currency into others with one call, all from the same rates.
    ///
    /// - Parameters:
    ///   - amounts: at least one; each zero or more, in `from`. A gateway takes a hundred; upstream's limit is not known.
    ///   - from: the currency of all amounts.
    ///   - moment: at the latest rates, or at those of a past snapshot.
    ///   - rounding: how the results are rounded; nil for the service's own way.
    /// - Returns: one conversion for each amount, in their order.
    /// - Throws: `invalidArgument` before anything is sent; `notFresh` and `undecodable` as for one amount; else what came of the
    ///   call.
    public func convert(
        _ amounts: [(to: String, amount: Decimal)], from: String, at moment: Moment = .now,
        rounding: Rounding? = nil
    ) async throws(ExchangeRateError) -> ConversionBatch {
        let from = try Self.code(from, name: "from")
        guard !amounts.isEmpty else { throw .invalidArgument(name: "amounts", value: "") }
        var pairs: [String] = []
        for (to, amount) in amounts {
            pairs.append("[\"\(try Self.code(to, name: "to"))\",\(try Self.plain(amount))]")
        }
        // Codes and plain numbers need no escaping.
        let json = "{\"from\":\"\(from)\",\"pairs\":[\(pairs.joined(separator: ","))]}"
        let query = try parameters(moment) + Self.query(rounding)
        let batch = try await post(
            "/v1/convert", query: query, json: Data(json.utf8), as: ConversionBatch.self)
        try Self.check(batch.from, is: from, member: "from")
        guard batch.conversions.count == amounts.count else { throw .undecodable(member: "conversions") }
        for (conversion, asked) in zip(batch.conversions, amounts) {
            try Self.check(conversion.to, is: try Self.code(asked.to, name: "to"), member: "to")
            guard conversion.amount == asked.amount else { throw .undecodable(member: "amount") }
            try Self.check(conversion, is: rounding)
            _ = try wished(conversion, at: moment)
        }
        return batch
    }

    private func conversion(
        _ amount: Decimal, from: String, to: String, query: [(String, String)]
    ) async throws(ExchangeRateError) -> Conversion {
        let from = try Self.code(from, name: "from")
        let to = try Self.code(to, name: "to")
        let text = try Self.plain(amount)
        let conversion = try await get(
            "/v1/convert/\(from)/\(to)/\(text)", query: query, as: Conversion.self)
        try Self.check(conversion.from, is: from, member: "from")
        try Self.check(conversion.to, is: to, member: "to")
        guard conversion.amount == amount else { throw .undecodable(member: "amount") }
        return conversion
    }

    /// Money that was rounded by another rule must not pass as rounded by this one.
    private static func check(
        _ conversion: Conversion, is rounding: Rounding?
    ) throws(ExchangeRateError) {
        guard let rounding, conversion.rounding != rounding.rawValue else { return }
        throw .undecodable(member: "rounding")
    }

    private static func query(_ rounding: Rounding?) -> [(String, String)] {
        rounding.map { [("rounding", $0.rawValue)] } ?? []
    }

    /// Digits with at most one point: never an exponent, a group or a local sign.
    private static func plain(_ amount: Decimal) throws(ExchangeRateError) -> String {
        guard amount.isFinite, amount >= 0 else {
            throw .invalidArgument(name: "amount", value: amount.description)
        }
        return amount.description
    }
}
