@testable import CacheLayer

/// An upstream answer in parts, so that a test changes just the one it is about.
///
/// Each part is JSON text; nil leaves the field out.
struct SampleBody {
    var result: String? = "\"success\""
    var base: String? = "\"USD\""
    var source: String? = "\"live\""
    var sources: String?
    var effectiveAt: String?
    var session: String? = "\"open\""
    var timestamp: String? = "\"2026-09-15T14:32:11Z\""
    var dataTime: String? = "\"2026-09-15T14:31:46Z\""
    var rates: String? = "{\"EUR\":0.85137,\"GBP\":0.73862}"
    var notice: String? = "\"Indicative rates, not for settlement.\""
    var rest = ""

    var bytes: [UInt8] {
        let fields: [(String, String?)] = [
            ("result", result), ("base", base), ("source", source), ("sources", sources),
            ("effective_at", effectiveAt), ("market_session", session), ("timestamp", timestamp),
            ("data_updated_at", dataTime), ("rates", rates), ("notice", notice),
        ]
        let written = fields.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return Array("{\(written.joined(separator: ","))\(rest)}".utf8)
    }

    /// What `Ingest` makes of it half a minute after its data time.
    func ingested(
        held: RateTable? = nil, at now: UnixMilliseconds = utc(2026, 9, 15, 14, 32, 12),
        limits: IngestLimits = IngestLimits()
    ) throws(IngestError) -> Ingested {
        try Ingest.table(
            from: bytes, status: 200, contentType: "application/json", expecting: .sample("USD"), held: held,
            storeNow: now, interval: .seconds(60), limits: limits)
    }
}

/// What `Ingest` makes of a whole body.
func ingest(
    _ body: String, status: Int = 200, contentType: String? = "application/json", base: String = "USD",
    held: RateTable? = nil, at now: UnixMilliseconds = utc(2026, 9, 15, 14, 32, 12)
) throws(IngestError) -> Ingested {
    try Ingest.table(
        from: Array(body.utf8), status: status, contentType: contentType, expecting: .sample(base),
        held: held,
        storeNow: now, interval: .seconds(60))
}
