extension Ingest {
    /// Reads the answer to a request for the list of currencies.
    ///
    /// Pure, any thread, bounded by the limits. All forms that upstream may use are taken: a list or a map in `currencies`,
    /// or a bare map by code, which has no `result`. Every field of a currency is kept, known or not; what is no currency
    /// (no object, no code) is left out and noted. `storeNow` is the store's clock when the answer had arrived: the list has
    /// no time of its own.
    ///
    /// Throws the first of these that holds: `not2xx`, `tooLarge`, `notJSON`, `tooDeep`, `duplicateNames`, `notSuccess`,
    /// `noCurrencies`.
    package static func currencies(
        from body: [UInt8], status: Int, contentType: String?, storeNow: UnixMilliseconds,
        limits: IngestLimits = IngestLimits()
    ) throws(IngestError) -> Ingested {
        guard (200...299).contains(status) else {
            throw .not2xx(status: status, UpstreamProblem.read(body))
        }
        let root = try document(body, limits: limits)
        let written = root["currencies"]
        if written != nil || root["result"] != nil {
            try requireSuccess(root)
        } else if root["error"] != nil || root["success"] == .bool(false) {
            throw .notSuccess(UpstreamProblem.find(in: root))
        }
        var fields = TableFields(root, limits: limits)
        if !isJSON(contentType) { fields.notes.add(.contentType) }
        var intake = ListIntake(limits: limits, notes: fields.notes)
        let form: CurrencyList.Form
        switch (written, written?.elements, written?.members) {
        case (_, let elements?, _):
            form = .list
            for element in elements { try intake.take(element) }
        case (_, _, let members?):
            form = .map
            for member in members { try intake.take(member) }
        case (nil, _, _):
            form = .bareMap
            for member in root.members ?? [] where ListIntake.describes(member) { try intake.take(member) }
            try intake.requireSingle(root.members ?? [])
        case (.some, nil, nil): throw .noCurrencies
        }
        guard !intake.entries.isEmpty else { throw .noCurrencies }
        fields.notes = intake.notes
        let extras = fields.extras(
            besides: form == .bareMap ? intake.names : ["result", "currencies"])
        return Ingested(
            table: CurrencyList.table(arrived: storeNow),
            list: CurrencyList(form: form, entries: intake.entries, extras: extras),
            digest: ContentDigest(of: body), notes: fields.notes)
    }
}
