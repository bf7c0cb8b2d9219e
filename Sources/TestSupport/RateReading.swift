import Foundation

/// What an answer with rates says of their state, as a client reads it.
package struct RateReading: Sendable {
    package let status: Int
    /// `source`, `cache.state`, `cache.reason` and `cache.snapshot` of the body.
    package let source: String?
    package let state: String?
    package let reason: String?
    package let snapshot: String?
    /// RFC 3339 in UTC: the order of the texts is that of the times.
    package let fetchedAt: String?
    package let freshUntil: String?
    package let dataTime: String?
    /// The fields that repeat the body's labels.
    package let fields: (source: String?, state: String?, snapshot: String?)
    package let cacheStatus: String?
    package let cooldownUntil: String?
    /// `Age` in seconds.
    package let age: Int?
    /// `stale-if-error` in seconds: how long after fresh-until the rates may still be served.
    package let staleWindow: Int?
    /// All of it, as it came.
    package let answer: RawHTTPClient.Answer

    package init(_ answer: RawHTTPClient.Answer) {
        self.answer = answer
        status = answer.status
        cacheStatus = answer.field("cache-status")
        cooldownUntil = answer.field("fx-cooldown-until")
        age = answer.field("age").flatMap(Int.init)
        staleWindow = answer.field("cache-control")?.firstMatch(of: #/stale-if-error=([0-9]+)/#)
            .flatMap { Int($0.output.1) }
        fields = (
            answer.field("fx-source"), answer.field("fx-state"), answer.field("fx-snapshot")
        )
        let body = (try? JSONSerialization.jsonObject(with: Data(answer.body))) as? [String: Any]
        let cache = body?["cache"] as? [String: Any]
        source = body?["source"] as? String
        state = cache?["state"] as? String
        reason = cache?["reason"] as? String
        snapshot = cache?["snapshot"] as? String
        fetchedAt = cache?["fetched_at"] as? String
        freshUntil = cache?["fresh_until"] as? String
        dataTime = body?["data_updated_at"] as? String
    }

    /// The digits of one rate as they stand in the body; nil where it has none.
    package func digits(of symbol: String) -> String? { Self.digits(of: symbol, in: answer.text) }

    /// The digits behind a symbol's name in a JSON text.
    package static func digits(of symbol: String, in text: String) -> String? {
        guard let name = text.range(of: "\"\(symbol)\":") else { return nil }
        let digits = text[name.upperBound...].prefix { "+-.0123456789eE".contains($0) }
        return digits.isEmpty ? nil : String(digits)
    }

    /// Unix time in ms of an RFC 3339 text; nil for any other.
    package static func instant(_ text: String) -> Int64? {
        let forms = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
        ]
        return forms.lazy.compactMap { try? $0.parse(text) }.first.map {
            Int64($0.timeIntervalSince1970 * 1_000)
        }
    }
}

extension GatewayProcess {
    /// Asks for rates and reads their state.
    package func rates(
        _ target: String = "/v1/latest/EUR?symbols=USD", within limit: Duration = .seconds(10)
    ) async throws -> RateReading {
        RateReading(try await ask("GET", target, within: limit))
    }
}
