extension Ingest {
    /// Reads a page of a range: rows of one calendar year of `base`, as they were asked for by `span`.
    ///
    /// Pure, any thread, bounded by the limits. `held` is what is in memory of the year: where its pages haven't all come,
    /// the rows are put behind its own; otherwise they stand in its place, and their data time may not go back. Rates
    /// that aren't usable numbers are left out and noted; a row without any is none. No row is taken that lies
    /// outside of the span or not after the one before it, so a page can't be taken twice. `minorUnits` are those of a year of
    /// which nothing is held: it keeps what it began with, since conversions of its settled days are kept for ever.
    ///
    /// Throws the first of these that holds: `not2xx`, `tooLarge`, `notJSON`, `tooDeep`, `duplicateNames`, `notSuccess`,
    /// `wrongBase`, `badRows`, `noRates` (no row at all), `olderData`.
    package static func year(
        _ year: Int, of base: Currency, from body: [UInt8], status: Int, contentType: String?,
        span: YearSpan, held: YearTable?, minorUnits: [Currency: Int] = [:],
        limits: IngestLimits = IngestLimits()
    ) throws(IngestError) -> Ingested {
        guard (200...299).contains(status) else {
            throw .not2xx(status: status, UpstreamProblem.read(body))
        }
        let root = try document(body, limits: limits)
        try requireSuccess(root)
        guard let named = root["base"]?.string, Currency(named) == base else { throw .wrongBase }
        guard let data = root["data"]?.elements else { throw .badRows }
        var fields = TableFields(root, limits: limits)
        let notice = fields.notice()
        if !isJSON(contentType) { fields.notes.add(.contentType) }

        let earlier = held.flatMap { $0.isComplete ? nil : $0 }
        var intake = RowIntake(base: base, span: span, limits: limits, notes: fields.notes)
        for row in data { try intake.take(row) }
        let hasMore = root["has_more"] == .bool(true)
        // More is to come after nothing: asking on would ask the same again.
        guard !hasMore || !intake.entries.isEmpty else { throw .badRows }
        let entries = (earlier?.entries ?? []) + intake.entries
        guard !entries.isEmpty else { throw .noRates }

        let table = YearTable(
            base: base, year: year, entries: entries, isComplete: !hasMore, notice: notice ?? earlier?.notice,
            minorUnits: held?.minorUnits ?? minorUnits)
        guard let newest = table.rows.last else { throw .noRates }
        if let before = held?.rows.last, before.source == newest.source, newest.dataTime < before.dataTime {
            throw .olderData
        }
        return Ingested(
            table: table.table(of: newest), year: table, digest: ContentDigest(of: body),
            notes: intake.closedNotes)
    }
}
