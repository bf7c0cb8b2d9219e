import CacheLayer

/// What the status page and an explanation say alike: the values of a table that are held back.
enum QuarantineText {
    /// Adds `quarantine`: each with the name by which an operator accepts it; `among` nil is all of the table.
    static func add(_ table: RateTable, among codes: Set<Currency>? = nil, to json: inout JSONText) {
        json.name("quarantine")
        json.beginArray()
        for entry in table.symbols {
            guard let heldBack = entry.quarantined, codes?.contains(entry.currency) ?? true else { continue }
            json.beginObject()
            json.member("id", string: "\(table.base)-\(entry.currency)")
            json.member("source", string: entry.source.name)
            json.member("served", verbatim: entry.rate.text)
            json.member("held_back", verbatim: heldBack.rate.text)
            json.member("confirmations", integer: heldBack.confirmations)
            json.member("confirmations_needed", integer: QuarantinedRate.enough)
            json.member("since", string: heldBack.since.rfc3339)
            json.member("served_until", string: heldBack.keptUntil.rfc3339)
            json.endObject()
        }
        json.endArray()
    }
}
