@testable import CacheLayer

/// Lists of currencies as upstream might send them.
enum ListSample {
    static let fetchedAt = utc(2026, 9, 15, 14, 2, 11)

    /// Upstream's documented form, with what it might add one day.
    static let list = """
        {"result":"success","currencies":[
        {"code":"EUR","name":"Euro","type":"fiat","decimals":2,"derived":false},
        {"code":"JPY","name":"Japanese Yen","type":"fiat","decimals":0,"derived":false},
        {"code":"XAU","name":"Gold \\"troy\\"","type":"metal","decimals":4,"derived":true,"units":{"oz":[1,{"g":31.10}]}}
        ],"notice":"x","since":1.50}
        """
    static let map = """
        {"result":"success","currencies":{"EUR":{"name":"Euro","type":"fiat","decimals":2},"JPY":{"decimals":0}},"n":1}
        """
    static let bareMap = """
        {"EUR":{"name":"Euro","type":"fiat","decimals":2},"JPY":{"decimals":0},"notice":"y","error_count":{"x":1}}
        """

    static func ingested(
        _ body: String, status: Int = 200, contentType: String? = "application/json",
        limits: IngestLimits = IngestLimits()
    ) throws(IngestError) -> Ingested {
        try Ingest.currencies(
            from: Array(body.utf8), status: status, contentType: contentType, storeNow: fetchedAt,
            limits: limits)
    }

    static func snapshot(
        _ body: String = list, token: Int64 = 7, fetchedAt: UnixMilliseconds = fetchedAt,
        interval: Duration = .seconds(86_400)
    ) throws -> RateSnapshot {
        let ingested = try Ingest.currencies(
            from: Array(body.utf8), status: 200, contentType: nil, storeNow: fetchedAt)
        return ingested.snapshot(
            of: .currencies, token: FencingToken(token), fetchedAt: fetchedAt, interval: interval)
    }
}
