import CacheLayer
import HTTPEngine

/// `/v1/currencies`.
extension GatewayApplication {
    /// Kinds of currencies whose answers are kept; upstream is known to have one.
    private static let mostKinds = 8

    /// Answers with the list that is held, all of it or one kind; a request that finds none waits for it, as for cold rates.
    ///
    /// What a client wants of every answer is meant of rates, and leaves the list alone.
    func answerCurrencies(
        _ kind: String?, _ parsed: Route.Parsed, _ request: HTTPRequest, _ writer: ResponseWriter,
        at now: Int64, arrival: Arrival?
    ) throws(Problem) -> HTTPDisposition {
        guard let holding = table.holding(of: .currencies), let list = holding.snapshot.list else {
            return try park(request, writer, for: .currencies, as: .currencies, isTooOld: false, at: now)
        }
        let rendered: RenderedAnswer
        if let known = lists[kind], now < known.validUntil {
            rendered = known
        } else {
            let standing = EntryStanding(
                of: nil, in: holding.snapshot, age: .milliseconds(holding.age(at: now)),
                policy: settings.policy)
            guard standing.state != .expired else {
                return try park(request, writer, for: .currencies, as: .currencies, isTooOld: true, at: now)
            }
            rendered = RenderedAnswer(
                list: holding, standing: standing,
                body: ListRenderer.body(list, try Self.entries(of: list, kind), holding, standing),
                nextRefresh: settings.policy.nextRefresh(of: holding.snapshot),
                visibility: settings.visibility, demand: demand(for: .currencies))
            if lists.count >= Self.mostKinds { lists.removeAll() }
            lists[kind] = rendered
        }
        try check(rendered, parsed.wish, at: now)
        let since = waiting.entry(request.connection)?.since
        waiting.remove(request.connection)
        return deliver(rendered, to: request, writer, at: now, arrival: arrival, since: since)
    }

    /// The currencies of a kind, or all.
    ///
    /// - Throws: a 400 that names the kinds there are: an empty list would look like an answer.
    private static func entries(
        of list: CurrencyList, _ kind: String?
    ) throws(Problem) -> [CurrencyList.Entry] {
        guard let kind else { return list.entries }
        let entries = list.entries.filter { $0.type?.lowercased() == kind }
        guard !entries.isEmpty else {
            // As many as a sentence bears: upstream is known to have one.
            let kinds = list.types.isEmpty ? "none is named" : list.types.prefix(8).joined(separator: ", ")
            throw Problem(
                .invalidRequest,
                "type: there are no currencies of the kind \(SafeText.quoted(kind)); the kinds: \(kinds).")
        }
        return entries
    }
}
