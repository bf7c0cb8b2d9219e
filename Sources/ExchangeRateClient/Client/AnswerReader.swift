import Foundation

/// Turns an answer into a value or the error it means: the status first, then `result`, then the rest.
enum AnswerReader {
    /// Reads the value of a successful answer.
    ///
    /// - Parameters:
    ///   - answer: any answer.
    ///   - type: what the body should be.
    ///   - mayLackResult: whether a body without `result` can be a success; only the list of currencies can.
    ///   - now: our clock, for a `Retry-After` that is a date.
    /// - Returns: the value.
    /// - Throws: what the status, the code and the body mean, in this order.
    static func read<Value: Decodable>(
        _ answer: RawAnswer, as type: Value.Type, mayLackResult: Bool = false, now: Date = Date()
    ) throws(ExchangeRateError) -> Value {
        let verdict = try? JSONDecoder().decode(Verdict.self, from: answer.body)
        guard (200..<300).contains(answer.status) else {
            throw failure(answer, code: verdict?.code, now: now)
        }
        guard let verdict else { throw .undecodable(member: "body") }
        guard !verdict.isFailure, verdict.isSuccess || mayLackResult else {
            throw failure(answer, code: verdict.code, now: now)
        }
        guard AnswerDigits.fit(answer.body) else { throw .undecodable(member: "digits") }
        do {
            let decoder = JSONDecoder()
            decoder.userInfo[AnswerHead.key] = AnswerHead(answer)
            return try decoder.decode(type, from: answer.body)
        } catch {
            throw .undecodable(member: member(error))
        }
    }

    /// What an answer other than 200 means.
    static func refusal(_ answer: RawAnswer, now: Date) -> ExchangeRateError {
        failure(answer, code: (try? JSONDecoder().decode(Verdict.self, from: answer.body))?.code, now: now)
    }

    /// What an answer means that is no success.
    ///
    /// Some codes count whatever the status, as upstream is loose with it.
    private static func failure(
        _ answer: RawAnswer, code: ErrorCode?, now: Date
    ) -> ExchangeRateError {
        let wait = RetryDelay.read(answer[field: "Retry-After"], date: answer[field: "Date"], now: now)
        switch (code, answer.status) {
        case (.quotaExceeded, _): return .quotaExceeded(wait: wait)
        case (.invalidAPIKey, _), (.invalidKey, _), (.keyRevoked, _), (_, 401): return .unauthorized
        case (.rateLimited, _), (.ipRateLimited, _), (_, 429): return .rateLimited(wait: wait)
        case (_, 200..<300): return .notSuccess(code: code)
        case (_, 300..<400) where answer.status != 304: return .redirected(status: answer.status)
        case (_, 403): return .forbidden
        case (_, 503): return .unavailable(wait: wait, code: code)
        case (let code?, _) where code.meansUnavailable: return .unavailable(wait: wait, code: code)
        default: return .status(answer.status, code: code)
        }
    }

    /// The member a decoder stumbled over; of the names in a body only those we know are shown.
    private static func member(_ error: any Error) -> String {
        let path: [any CodingKey] =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case nil: []
            @unknown default: []
            }
        guard let name = path.first?.stringValue, members.contains(name) else { return "body" }
        return name
    }

    private static let members: Set = [
        "base", "quote", "rate", "rates", "source", "sources", "effective_at", "market_session", "timestamp",
        "data_updated_at", "derived", "derivation_bps_max", "notice", "cache", "date", "is_forward_filled",
        "data",
        "start_date", "end_date", "has_more", "next_cursor", "from", "to", "amount", "converted",
        "conversions",
        "result_unrounded", "rounding", "currencies", "usage", "stale_symbols", "unavailable", "quota",
        "cooldowns",
    ]
}
