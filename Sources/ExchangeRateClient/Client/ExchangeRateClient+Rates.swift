extension ExchangeRateClient {
    /// The latest rates of one base.
    ///
    /// - Parameters:
    ///   - base: the currency to be priced.
    ///   - symbols: the currencies to price it in; none means all.
    /// - Returns: quote units per one unit of the base. Symbols without a value may be missing.
    /// - Throws: `invalidArgument` before anything is sent; else what came of the call.
    public func latest(
        base: String = "USD", symbols: [String] = []
    ) async throws(ExchangeRateError) -> Latest {
        let base = try Self.code(base, name: "base")
        let latest = try await get("/v1/latest/\(base)", query: try Self.list(symbols), as: Latest.self)
        try Self.check(latest.base, is: base, member: "base")
        return latest
    }

    /// The latest rate of one pair: quote units per one unit of the base.
    ///
    /// - Throws: `invalidArgument` before anything is sent; else what came of the call.
    public func rate(base: String, quote: String) async throws(ExchangeRateError) -> Rate {
        let base = try Self.code(base, name: "base")
        let quote = try Self.code(quote, name: "quote")
        let rate = try await get("/v1/rate/\(base)-\(quote)", as: Rate.self)
        try Self.check(rate.base, is: base, member: "base")
        try Self.check(rate.quote, is: quote, member: "quote")
        return rate
    }

    /// The rates of one base on one day, from 1999-01-04 on.
    ///
    /// - Parameters:
    ///   - day: a day; on one without fix the earlier value is carried.
    ///   - base: the currency to be priced.
    ///   - symbols: the currencies to price it in; none means all.
    /// - Returns: quote units per one unit of the base.
    /// - Throws: `invalidArgument` before anything is sent; `status` with `noDataForDate`; else what came of the call.
    public func day(
        _ day: Day, base: String = "USD", symbols: [String] = []
    ) async throws(ExchangeRateError) -> HistoricalDay {
        let base = try Self.code(base, name: "base")
        let answer = try await get(
            "/v1/\(day)/\(base)", query: try Self.list(symbols), as: HistoricalDay.self)
        try Self.check(answer.base, is: base, member: "base")
        return answer
    }

    /// One page of daily rates.
    ///
    /// - Parameters:
    ///   - first: the first day.
    ///   - last: the last day, not before the first.
    ///   - base: the currency to be priced.
    ///   - symbols: the currencies to price it in; upstream may insist on some.
    ///   - cursor: `nextCursor` of the page before; nil for the first page.
    /// - Returns: the page; while it has `hasMore`, ask again with its cursor.
    /// - Throws: `invalidArgument` before anything is sent; else what came of the call.
    public func range(
        from first: Day, to last: Day, base: String, symbols: [String], cursor: String? = nil
    ) async throws(ExchangeRateError) -> RangePage {
        let base = try Self.code(base, name: "base")
        guard first <= last else { throw .invalidArgument(name: "to", value: last.description) }
        var query = [("base", base)] + (try Self.list(symbols))
        query += [("start_date", first.description), ("end_date", last.description)]
        if let cursor { query.append(("cursor", cursor)) }
        let page = try await get("/v1/range", query: query, as: RangePage.self)
        try Self.check(page.base, is: base, member: "base")
        return page
    }

    /// The currencies on offer.
    ///
    /// - Parameter type: the kind of currency, such as `fiat`; nil for all.
    /// - Returns: at least one currency.
    /// - Throws: what came of the call.
    public func currencies(type: String? = nil) async throws(ExchangeRateError) -> CurrencyList {
        let query = type.map { [("type", $0)] } ?? []
        return try await get("/v1/currencies", query: query, as: CurrencyList.self, mayLackResult: true)
    }

    /// How much of the plan has been used; needs a key.
    ///
    /// - Throws: what came of the call.
    public func account() async throws(ExchangeRateError) -> Account {
        try await get("/v1/account", as: Account.self)
    }

    static func code(_ text: String, name: String) throws(ExchangeRateError) -> String {
        guard let code = CurrencyCode(text) else {
            throw .invalidArgument(name: name, value: String(text.prefix(32)))
        }
        return code.text
    }

    /// An answer for another question must not pass as this one's.
    static func check(_ member: String, is asked: String, member name: String) throws(ExchangeRateError) {
        guard CurrencyCode(member)?.text == asked else { throw .undecodable(member: name) }
    }

    private static func list(_ symbols: [String]) throws(ExchangeRateError) -> [(String, String)] {
        guard !symbols.isEmpty else { return [] }
        var codes: [String] = []
        for symbol in symbols { codes.append(try code(symbol, name: "symbols")) }
        return [("symbols", codes.joined(separator: ","))]
    }
}
