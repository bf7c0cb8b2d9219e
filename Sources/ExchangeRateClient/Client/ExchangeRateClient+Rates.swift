extension ExchangeRateClient {
    /// The latest rates of one base.
    ///
    /// - Parameters:
    ///   - base: the currency to be priced.
    ///   - symbols: the currencies to price it in; none means all.
    ///   - moment: the latest ones, or those of a past snapshot.
    /// - Returns: quote units per one unit of the base. Symbols without a value may be missing.
    /// - Throws: `invalidArgument` before anything is sent; `status` with `gone` for a snapshot that isn't kept; `notFresh` if
    ///   the answer isn't of that moment, as upstream's own would be, which knows no other; else what came of the call.
    public func latest(
        base: String = "USD", symbols: [String] = [], at moment: Moment = .now
    ) async throws(ExchangeRateError) -> Latest {
        let base = try Self.code(base, name: "base")
        let query = try Self.list(symbols) + parameters(moment)
        let latest = try await get("/v1/latest/\(base)", query: query, as: Latest.self)
        try Self.check(latest.base, is: base, member: "base")
        return try wished(latest, at: moment)
    }

    /// The latest rate of one pair: quote units per one unit of the base.
    ///
    /// - Parameters:
    ///   - base: the currency to be priced.
    ///   - quote: the currency to price it in.
    ///   - moment: the latest one, or that of a past snapshot.
    /// - Returns: the rate with its source, time and state.
    /// - Throws: `invalidArgument` before anything is sent; `notFresh` if the answer isn't of that moment, as upstream's own
    ///   would be; else what came of the call.
    public func rate(
        base: String, quote: String, at moment: Moment = .now
    ) async throws(ExchangeRateError) -> Rate {
        let base = try Self.code(base, name: "base")
        let quote = try Self.code(quote, name: "quote")
        let rate = try await get("/v1/rate/\(base)-\(quote)", query: parameters(moment), as: Rate.self)
        try Self.check(rate.base, is: base, member: "base")
        try Self.check(rate.quote, is: quote, member: "quote")
        return try wished(rate, at: moment)
    }

    /// The exact table behind an old answer of latest rates, from a gateway alone.
    ///
    /// - Parameters:
    ///   - id: what the answer had in `cache.snapshot`.
    ///   - symbols: the currencies wanted; none means all.
    /// - Returns: the table with the base that it was fetched for; its state is `pinned`.
    /// - Throws: `invalidArgument` before anything is sent; `status` with `gone` if it isn't kept; else what came of the call.
    public func snapshot(_ id: String, symbols: [String] = []) async throws(ExchangeRateError) -> Latest {
        let id = try Moment.checked(id)
        let latest = try await get("/v1/snapshots/\(id)", query: try Self.list(symbols), as: Latest.self)
        return try wished(latest, at: .snapshot(id))
    }

    /// The rates of one base on one day, from 1999-01-04 on; a `FreshnessWish` is not meant of them.
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

    /// One page of daily rates; a `FreshnessWish` is not meant of them.
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

    /// All pages of daily rates from one day to another, asked for one after the other as they are taken.
    ///
    /// - Parameters:
    ///   - first: the first day.
    ///   - last: the last day, not before the first.
    ///   - base: the currency to be priced.
    ///   - symbols: the currencies to price it in; upstream may insist on some.
    /// - Returns: a sequence of pages; `rows` gives their rows one by one.
    public func pages(
        from first: Day, to last: Day, base: String, symbols: [String]
    ) -> RangePages {
        RangePages(client: self, first: first, last: last, base: base, symbols: symbols)
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

    /// The month's budget of a gateway's fleet, and who has spent it.
    ///
    /// - Throws: what came of the call; `status` with 404 from upstream itself.
    public func quota() async throws(ExchangeRateError) -> QuotaReport {
        try await get("/v1/quota", as: QuotaReport.self)
    }

    /// How a gateway's fleet is, as the instance that answers knows it.
    ///
    /// - Throws: what came of the call; `status` with 404 from upstream itself.
    public func status() async throws(ExchangeRateError) -> FleetStatus {
        try await get("/v1/status", as: FleetStatus.self)
    }

    /// What is said of the moment, and for the latest rates of the freshness wished for.
    func parameters(_ moment: Moment) throws(ExchangeRateError) -> [(String, String)] {
        try moment.query() + (moment == .now ? configuration.wish.query() : [])
    }

    /// Holds an answer that no gateway has judged against the wish, and one of the past against the moment asked for.
    func wished<Answer: Labelled>(_ answer: Answer, at moment: Moment) throws(ExchangeRateError) -> Answer {
        let now = surroundings.wall()
        let isMeant: Bool
        switch moment {
        case .now:
            try configuration.wish.check(answer.labels, at: now)
            return answer
        case .instant: isMeant = answer.cache?.state == .pinned
        case .snapshot(let id): isMeant = answer.cache?.state == .pinned && answer.cache?.snapshot == id
        }
        guard isMeant else { throw .notFresh(answer.freshness(at: now)) }
        return answer
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

    static func list(_ symbols: [String]) throws(ExchangeRateError) -> [(String, String)] {
        guard !symbols.isEmpty else { return [] }
        var codes: [String] = []
        for symbol in symbols { codes.append(try code(symbol, name: "symbols")) }
        return [("symbols", codes.joined(separator: ","))]
    }
}
