import Foundation

/// What an answer with rates says of their state, as a client reads it.
package struct RateReading: Sendable {
    package let status: Int
    /// `cache.state`, `cache.reason` and `cache.snapshot` of the body.
    package let state: String?
    package let reason: String?
    package let snapshot: String?
    /// RFC 3339 in UTC: the order of the texts is that of the times.
    package let fetchedAt: String?
    package let freshUntil: String?
    package let dataTime: String?
    package let cacheStatus: String?
    package let cooldownUntil: String?

    package init(_ answer: RawHTTPClient.Answer) {
        status = answer.status
        cacheStatus = answer.field("cache-status")
        cooldownUntil = answer.field("fx-cooldown-until")
        let body = (try? JSONSerialization.jsonObject(with: Data(answer.body))) as? [String: Any]
        let cache = body?["cache"] as? [String: Any]
        state = cache?["state"] as? String
        reason = cache?["reason"] as? String
        snapshot = cache?["snapshot"] as? String
        fetchedAt = cache?["fetched_at"] as? String
        freshUntil = cache?["fresh_until"] as? String
        dataTime = body?["data_updated_at"] as? String
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
