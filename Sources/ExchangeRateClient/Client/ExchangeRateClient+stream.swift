import Foundation

extension ExchangeRateClient {
    /// Every new table of a base, as the gateway gets it; upstream has no streams.
    ///
    /// - Parameters:
    ///   - base: the currency to be priced.
    ///   - symbols: the currencies to price it in; none means all.
    ///   - resuming: the id of the last table that is known already (`StreamedTable.id`); nil to begin with the latest one.
    ///   - tellsCooldowns: whether pauses of the calls are told too.
    ///   - buffer: the most events that wait to be taken, at least 1; if there are more, the oldest go and the next table
    ///     says that there is a gap.
    /// - Returns: a sequence without end. Nothing is sent before its first element is asked for.
    /// - Throws: `invalidArgument`.
    public func stream(
        base: String = "USD", symbols: [String] = [], resuming: String? = nil, tellsCooldowns: Bool = false,
        buffer: Int = 64
    ) throws(ExchangeRateError) -> RateStream {
        precondition(buffer > 0, "a buffer holds at least one event")
        var query = [("base", try Self.code(base, name: "base"))]
        query += try Self.list(symbols)
        if tellsCooldowns { query.append(("events", "snapshot,cooldown")) }
        if let resuming { _ = try Moment.checked(resuming) }
        return RateStream(client: self, query: query, lastID: resuming, buffer: buffer)
    }

    /// A connection of a stream that is ready to be started.
    func open(
        query: [(String, String)], lastID: String?, buffer: Int
    ) async throws(ExchangeRateError) -> OpenStream {
        guard let url = transport.target.url(path: "/v1/stream", query: query) else { throw .invalidBaseURL }
        var fields = try await fields() + [("Accept", "text/event-stream")]
        if let lastID, (try? Moment.checked(lastID)) != nil { fields.append(("Last-Event-ID", lastID)) }
        let outgoing = OutgoingRequest(
            method: "GET", url: url, fields: fields, body: nil, deadline: configuration.deadline,
            bodyLimit: configuration.bodyLimit)
        return transport.stream(
            outgoing, eventLimit: configuration.bodyLimit, buffer: buffer, now: surroundings.now)
    }

    /// What the end of a stream's connection means.
    func streamError(_ ending: StreamExchange.Ending) -> ExchangeRateError {
        switch ending {
        case .closed: .connectionLost
        case .failed(let error):
            ExchangeRateError(error, deadline: RateStream.silence, bodyLimit: configuration.bodyLimit)
        case .refused(let answer) where answer.status == 200: .undecodable(member: "stream")
        case .refused(let answer): AnswerReader.refusal(answer, now: surroundings.wall())
        }
    }
}
