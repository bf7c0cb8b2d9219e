import CacheLayer

/// Writes the body of `/v1/currencies`: upstream's list in upstream's form, every field as it came, and `cache` at the end.
///
/// Pure, as `BodyRenderer` is.
enum ListRenderer {
    static func body(
        _ list: CurrencyList, _ entries: [CurrencyList.Entry], _ holding: Holding, _ standing: EntryStanding
    ) -> [UInt8] {
        var json = JSONText(reserving: 512 + entries.reduce(0) { $0 + $1.json.utf8.count + 16 })
        json.beginObject()
        switch list.form {
        case .list:
            json.member("result", string: "success")
            json.name("currencies")
            json.beginArray()
            for entry in entries { json.verbatim(entry.json) }
            json.endArray()
        case .map:
            json.member("result", string: "success")
            json.name("currencies")
            json.beginObject()
            appendMembers(entries, to: &json)
            json.endObject()
        case .bareMap: appendMembers(entries, to: &json)
        }
        // Of a bare map every member is a currency to whoever walks it: nothing is added.
        let isOpen = list.form != .bareMap
        for extra in list.extras where !(isOpen && extra.name == ownName) {
            json.name(extra.name)
            json.verbatim(extra.json)
        }
        if isOpen { appendCache(holding, standing, to: &json) }
        json.endObject()
        return json.bytes
    }

    private static let ownName = "cache"

    private static func appendMembers(_ entries: [CurrencyList.Entry], to json: inout JSONText) {
        for entry in entries {
            json.name(entry.code.code)
            json.verbatim(entry.json)
        }
    }

    private static func appendCache(_ holding: Holding, _ standing: EntryStanding, to json: inout JSONText) {
        json.name("cache")
        json.beginObject()
        json.member("state", string: standing.state.name)
        if let reason = holding.reason(of: standing) { json.member("reason", string: reason.rawValue) }
        json.member("snapshot", string: holding.snapshot.id.text)
        json.member("fetched_at", string: holding.snapshot.fetchedAt.rfc3339)
        json.member("fresh_until", string: standing.freshUntil.rfc3339)
        json.endObject()
    }
}

extension Holding {
    /// Why what is held as a whole isn't fresh; nil if it is.
    func reason(of standing: EntryStanding) -> StaleReason? {
        standing.state == .fresh ? nil : standing.ownReason ?? view.condition.staleReason
    }
}
