/// Answers each `/v1` path from the series: a pure function of request, time and configuration.
struct UpstreamRoutes: Sendable {
    /// A generated answer of status 200.
    struct Content: Equatable, Sendable {
        let type: String
        let body: String

        static func json(_ body: String) -> Content { Content(type: "application/json", body: body) }
    }

    let series: ReplaySeries
    let mode: SimulatorMode
    let drift: LiveDrift
    let now: SimulatedTime
    let overrides: AnswerOverrides

    /// Rows of a page of a range.
    static let pageRows = 366

    /// The answer to one request; `usage` is this month's calls of the caller, and the limit.
    func content(
        for request: UpstreamRequest, caller: Caller, usage: (calls: Int, limit: Int?)
    ) throws(UpstreamError) -> Content {
        let segments = request.segments
        guard segments.first == "v1", segments.count > 1 else { throw .notFound }
        let rest = Array(segments[2...])
        if segments[1] == "convert", rest.isEmpty {
            guard request.method == "POST" else {
                guard request.method == "GET" else { throw .methodNotAllowed }
                throw .missingParameter("from")
            }
            return try convertMany(request)
        }
        guard request.method == "GET" else { throw .methodNotAllowed }
        switch (segments[1], rest.count) {
        case ("latest", 0): return try latest(request, base: request.parameter("base") ?? "USD")
        case ("latest", 1): return try latest(request, base: rest[0])
        case ("rate", 1): return try rate(slug: rest[0])
        case ("range", 0): return try range(request)
        case ("convert", 3): return try convert(from: rest[0], to: rest[1], amount: rest[2])
        case ("currencies", 0): return try currencies(type: request.parameter("type"))
        case ("account", 0): return try account(caller, usage)
        case (let day, 0) where day.first?.isNumber == true:
            return try historical(request, day: day, base: request.parameter("base") ?? "USD")
        case (let day, 1) where day.first?.isNumber == true:
            return try historical(request, day: day, base: rest[0])
        default: throw .notFound
        }
    }

    // MARK: - Tables

    private func latest(_ request: UpstreamRequest, base: String) throws(UpstreamError) -> Content {
        let table = try latestTable()
        let base = base.uppercased()
        let symbols = try symbols(of: request, known: { table.leg($0) != nil })
        guard let rates = table.rates(base: base, symbols: symbols) else { throw .unsupportedBase(base) }
        return .json(
            body.latest(base: base, rates: rates, fixedAt: table.fix.publishedAt, frame: frame(of: table.fix))
        )
    }

    private func historical(
        _ request: UpstreamRequest, day text: String, base: String
    ) throws(UpstreamError) -> Content {
        guard let day = CalendarDay(parsing: text) else { throw .badDate }
        guard let fix = series.fix(on: day, at: now) else { throw .noData(day.text) }
        let table = table(of: fix, mode: .ecb)
        let base = base.uppercased()
        guard isKnown(base) else { throw .unsupportedBase(base) }
        let symbols = try symbols(of: request, known: isKnown)
        guard let rates = table.rates(base: base, symbols: symbols), !rates.isEmpty || symbols == [base]
        else {
            throw .noData(day.text)
        }
        return .json(
            body.historical(base: base, day: day, rates: rates, fix: fix, frame: frame(of: fix, mode: .ecb)))
    }

    private func range(_ request: UpstreamRequest) throws(UpstreamError) -> Content {
        let base = try needed("base", of: request).uppercased()
        _ = try needed("symbols", of: request)
        let startText = try needed("start_date", of: request)
        let endText = try needed("end_date", of: request)
        guard let start = CalendarDay(parsing: startText), let end = CalendarDay(parsing: endText),
            start <= end
        else { throw .badDate }
        guard isKnown(base) else { throw .unsupportedBase(base) }
        let symbols = try symbols(of: request, known: isKnown) ?? []
        let format = request.parameter("format") ?? "json"
        guard format == "json" || format == "csv" else {
            throw .invalidRequest("Format \(format.prefix(16)) is not served.")
        }
        var day = max(start, series.firstDay)
        if let cursor = request.parameter("cursor") {
            guard let last = RangeCursor(parsing: cursor) else {
                throw .invalidRequest("The cursor is not valid.")
            }
            day = max(day, last.day + 1)
        }
        // Comma-separated values come in one piece: only JSON is documented to page.
        let limit = format == "csv" ? Int.max : Self.pageRows
        var rows: [UpstreamBody.Row] = []
        while day <= min(end, now.day), rows.count <= limit {
            if let row = row(day, base: base, symbols: symbols) { rows.append(row) }
            day = day + 1
        }
        if format == "csv" { return Content(type: "text/csv", body: body.csv(rows: rows, symbols: symbols)) }
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        let next = hasMore ? rows.last.map { RangeCursor(day: $0.day).text } : nil
        return .json(body.range(base: base, start: start.text, end: end.text, rows: rows, nextCursor: next))
    }

    private func row(_ day: CalendarDay, base: String, symbols: [String]) -> UpstreamBody.Row? {
        guard series.isRow(day, at: now), let fix = series.fix(on: day, at: now),
            let rates = table(of: fix, mode: .ecb).rates(base: base, symbols: symbols), !rates.isEmpty
        else { return nil }
        return UpstreamBody.Row(day: day, rates: rates, isForwardFilled: fix.isForwardFilled)
    }

    // MARK: - Pairs

    private func rate(slug: String) throws(UpstreamError) -> Content {
        let sides = slug.uppercased().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.count == 3 }), sides[0] != sides[1] else {
            throw .invalidPair(slug)
        }
        let table = try latestTable()
        guard table.leg(sides[0]) != nil else { throw .unsupportedBase(sides[0]) }
        guard let rate = table.rate(base: sides[0], quote: sides[1]) else { throw .invalidPair(slug) }
        return .json(
            body.rate(pair: slug.lowercased(), base: sides[0], rate: rate, frame: frame(of: table.fix)))
    }

    private func convert(from: String, to: String, amount: String) throws(UpstreamError) -> Content {
        let table = try latestTable()
        let one = try conversion(table, from: from.uppercased(), to: to.uppercased(), amount: amount)
        return .json(body.conversion(from: from.uppercased(), one, frame: frame(of: table.fix)))
    }

    private func convertMany(_ request: UpstreamRequest) throws(UpstreamError) -> Content {
        let order = try ConversionOrder(body: request.body)
        let table = try latestTable()
        let from = order.from.uppercased()
        var conversions: [Conversion] = []
        for pair in order.pairs {
            conversions.append(
                try conversion(table, from: from, to: pair.to.uppercased(), amount: pair.amount))
        }
        return .json(body.conversions(from: from, conversions, frame: frame(of: table.fix)))
    }

    private func conversion(
        _ table: EuroTable, from: String, to: String, amount: String
    ) throws(UpstreamError) -> Conversion {
        guard table.leg(from) != nil else { throw .unsupportedBase(from) }
        guard from != to, let rate = table.rate(base: from, quote: to) else {
            throw .invalidPair("\(from.prefix(8))-\(to.prefix(8))")
        }
        guard let amount = FixedDecimal(parsing: amount), !amount.isZero else { throw .invalidAmount }
        return Conversion(amount: amount, rate: rate)
    }

    // MARK: - Lists

    private func currencies(type: String?) throws(UpstreamError) -> Content {
        let codes = try latestTable().legs.map(\.symbol)
        return .json(body.currencies(type == nil || type == "fiat" ? codes : []))
    }

    private func account(_ caller: Caller, _ usage: (calls: Int, limit: Int?)) throws(UpstreamError)
        -> Content
    {
        guard caller.key != nil else { throw .invalidKey }
        return .json(
            body.account(
                maskedKey: caller.maskedKey, calls: usage.calls, limit: usage.limit,
                resetsOn: UpstreamQuota.monthlyReset(at: now)))
    }

    // MARK: - Parts

    private var body: UpstreamBody { UpstreamBody(overrides: overrides) }

    private func latestTable() throws(UpstreamError) -> EuroTable {
        guard let fix = series.latestFix(at: now) else { throw .dataUnavailable }
        return table(of: fix, mode: mode)
    }

    private func table(of fix: ReplayFix, mode: SimulatorMode) -> EuroTable {
        EuroTable(series: series, fix: fix, mode: mode, drift: drift, at: now)
    }

    private func frame(of fix: ReplayFix, mode: SimulatorMode? = nil) -> UpstreamBody.Frame {
        UpstreamBody.Frame(
            session: MarketSession(at: now), timestamp: now,
            notice: Notice.text(fix: fix, mode: mode ?? self.mode, seed: drift.seed))
    }

    /// Whether the upstream has or had such a currency.
    private func isKnown(_ code: String) -> Bool { code == "EUR" || series.rates.symbols.contains(code) }

    private func needed(_ name: String, of request: UpstreamRequest) throws(UpstreamError) -> String {
        guard let value = request.parameter(name) else { throw .missingParameter(name) }
        return value
    }

    /// The symbols asked for, each once; nil for all.
    private func symbols(
        of request: UpstreamRequest, known isKnown: (String) -> Bool
    ) throws(UpstreamError) -> [String]? {
        guard let text = request.parameter("symbols") else { return nil }
        var symbols: [String] = []
        for part in text.uppercased().split(separator: ",").map(String.init) where !symbols.contains(part) {
            guard isKnown(part) else { throw .invalidRequest("Unknown symbol: \(part.prefix(16)).") }
            symbols.append(part)
        }
        return symbols.isEmpty ? nil : symbols
    }
}
