/// The door between upstream's answers and the cache: what comes through is a table that all the rest can
/// trust.
package enum Ingest {
    /// Reads the answer to a request for the latest table of `base`.
    ///
    /// Pure, any thread. Bounded by the limits: at most a small multiple of the body's size in memory, no
    /// recursion beyond `limits.depth`.
    ///
    /// * `held` is what is in memory now: the data time may not go back behind it within its class, and its
    ///   values stand in for symbols that the answer lacks, marked, under their own class and time, as long
    ///   as `policy` with the granted `interval` has them served.
    /// * `band` is how far a value may be from the held one of its class: what is beyond it is held back, the old value
    ///   stays as stale, until two answers have confirmed it; nil lets everything pass.
    /// * `minorUnits` is what `CurrencyList` has of them.
    /// * `storeNow` is the store's clock when the answer had arrived.
    ///
    /// Rules for what upstream leaves open: a name that comes twice refuses the answer; times are read by RFC
    /// 3339, dates alone as midnight UTC, integers as Unix times, nothing before 1999; a missing or
    /// unreadable `effective_at` means the table's data time; a content type other than JSON is noted and the
    /// body decides.
    ///
    /// Throws the first of these that holds: `not2xx`, `tooLarge`, `notJSON`, `tooDeep`, `duplicateNames`,
    /// `notSuccess`, `wrongBase`, `noRates`, `noDataTime`, `futureData`, `olderData`; a table without one
    /// usable rate is `noRates` too.
    package static func table(
        from body: [UInt8], status: Int, contentType: String?, expecting base: Currency, held: RateTable?,
        storeNow: UnixMilliseconds, interval: Duration = .zero, policy: TierPolicy = TierPolicy(),
        band: QuarantineBand? = nil, minorUnits: [Currency: Int] = [:], limits: IngestLimits = IngestLimits()
    ) throws(IngestError) -> Ingested {
        precondition(held.map { $0.base == base } ?? true, "the held table is that of the same base")
        guard (200...299).contains(status) else {
            throw .not2xx(status: status, UpstreamProblem.read(body))
        }
        let root = try document(body, limits: limits)
        try requireSuccess(root)
        guard let named = root["base"]?.string, Currency(named) == base else { throw .wrongBase }
        guard let rates = root["rates"]?.members, !rates.isEmpty else { throw .noRates }
        guard let written = root["data_updated_at"],
            let dataTime = Timestamp(json: written, notBefore: IngestLimits.earliestData)
        else { throw .noDataTime }
        let latest = storeNow + limits.clockDifference
        guard dataTime.instant <= latest else { throw .futureData }

        var fields = TableFields(root, limits: limits)
        let source = fields.source()
        if let held, held.source == source, dataTime.instant < held.dataTime.instant { throw .olderData }

        let sources = fields.map("sources")
        let times = fields.map("effective_at")
        let session = fields.marketSession()
        let timestamp = fields.timestamp()
        let notice = fields.notice()
        let extras = fields.extras()
        if !isJSON(contentType) { fields.notes.add(.contentType) }

        var intake = SymbolIntake(
            base: base, source: source, sources: sources, times: times, latest: latest, limits: limits,
            notes: fields.notes)
        for member in rates { try intake.take(member) }
        guard intake.hasRate else { throw .noRates }
        intake.finish(held: held, now: storeNow, interval: interval, policy: policy, band: band)

        let table = RateTable(
            base: base, source: source, marketSession: session, timestamp: timestamp, dataTime: dataTime,
            symbols: Array(intake.symbols.values), hasSources: sources != nil, hasEffectiveAt: times != nil,
            notice: notice, extras: extras, minorUnits: minorUnits)
        return Ingested(table: table, digest: ContentDigest(of: body), notes: intake.notes)
    }

    static func document(
        _ body: [UInt8], limits: IngestLimits
    ) throws(IngestError) -> JSONTree {
        guard body.count <= limits.body else { throw .tooLarge }
        do throws(JSONFault) {
            return try JSONTree.parse(body, depth: limits.depth)
        } catch {
            throw IngestError(error)
        }
    }

    /// The base in itself is 1, or null: a table that says otherwise is of another base.
    static func requireOne(_ base: JSONTree) throws(IngestError) {
        guard base != .null else { return }
        guard let text = base.number, (try? Rate(json: text)) == .one else { throw .wrongBase }
    }

    static func requireSuccess(_ root: JSONTree) throws(IngestError) {
        guard root["result"]?.string == "success", root["success"] != .bool(false) else {
            throw .notSuccess(UpstreamProblem.find(in: root))
        }
    }

    /// `application/json`, or a type that ends in `+json` (RFC 6839), with or without parameters.
    static func isJSON(_ contentType: String?) -> Bool {
        guard let type = contentType?.lowercased().prefix(while: { $0 != ";" && $0 != " " }) else {
            return false
        }
        return type == "application/json" || type.hasSuffix("+json")
    }
}
