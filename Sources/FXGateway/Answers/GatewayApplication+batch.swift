import CacheLayer
import HTTPEngine

/// `POST /v1/convert`: many conversions from one currency, all on one snapshot.
extension GatewayApplication {
    func answerBatch(
        _ options: ConvertOptions, _ wish: FreshnessWish, isExplained: Bool, _ request: HTTPRequest,
        _ writer: ResponseWriter, at now: Int64, arrival: Arrival?
    ) throws(Problem) -> HTTPDisposition {
        let order = try ConversionOrder(parsing: Array(request.body))
        let codes = SymbolList(order.pairs.map(\.to)).codes
        switch table.plan(
            from: order.from, to: codes, on: options.date, at: now,
            today: today(at: now))
        {
        case .answer(let plan, let holding, let wanted):
            let results = try convert(order, plan, options)
            let answer = RenderedAnswer(
                route: .convertBatch, plan: plan, holding: holding, wanted: wanted,
                body: BodyRenderer.conversions(plan, results, options), visibility: settings.visibility,
                demand: demand(for: wanted))
            try check(answer, wish, at: now)
            let since = waiting.entry(request.connection)?.since
            waiting.remove(request.connection)
            if isExplained {
                return try deliver(
                    answer, explaining: order.from, .each(codes), to: request, writer, at: now,
                    arrival: arrival, since: since)
            }
            return deliver(answer, to: request, writer, at: now, arrival: arrival, since: since)
        case .cold(let resource):
            return try park(request, writer, for: resource, as: .convertBatch, isTooOld: false, at: now)
        case .tooOld(let resource):
            return try park(request, writer, for: resource, as: .convertBatch, isTooOld: true, at: now)
        case .unknown(let problem): throw problem
        }
    }

    /// All conversions of a batch, in its order, at the rates of `plan`.
    func convert(
        _ order: ConversionOrder, _ plan: SelectionPlan, _ options: ConvertOptions
    ) throws(Problem) -> [Conversion] {
        let quotes = Dictionary(uniqueKeysWithValues: plan.served.map { ($0.quote.quote, $0.quote) })
        var results: [Conversion] = []
        for pair in order.pairs {
            guard let quote = quotes[pair.to] else {
                throw Problem(.invalidPair, "\(order.from)-\(pair.to) is not supported.")
            }
            results.append(try convert(pair.amount, quote, plan, options))
        }
        return results
    }
}
