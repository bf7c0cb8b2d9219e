import CacheLayer

/// What came of an operator's order.
enum AdminOutcome: Hashable, Sendable {
    /// The cooldowns that there were, and are no more.
    case lifted([CooldownScope])
    case purged
    /// These symbols have their new values, in the snapshot of that id.
    case accepted([Currency], SnapshotID)
    /// Nothing is held back of what was named.
    case nothingHeldBack
    /// The table is being fetched all the time.
    case busy
    /// The store could not be asked: nothing has changed for certain.
    case storeAway

    /// What the operator is told.
    ///
    /// - Throws: 404 for a name of nothing; 409 and 503 where nothing could be done.
    func body() throws(Problem) -> [UInt8] {
        var json = JSONText()
        json.beginObject()
        json.member("result", string: "success")
        switch self {
        case .lifted(let scopes):
            json.name("lifted")
            json.beginArray()
            for scope in scopes { json.string(scope.rawValue) }
            json.endArray()
        case .purged: json.member("purged", boolean: true)
        case .accepted(let symbols, let id):
            json.member("accepted", codes: symbols)
            json.member("snapshot", string: id.text)
        case .nothingHeldBack:
            throw Problem(.notFound, "Nothing of that name is in quarantine: /v1/status lists what is.")
        case .busy:
            throw Problem(
                .conflict, "The table is being fetched: its next answer comes first.", retryAfter: 1)
        case .storeAway:
            throw Problem(
                .storeUnavailable, "The shared store can't be asked: nothing was changed for certain.",
                retryAfter: 1)
        }
        json.endObject()
        return json.bytes
    }
}
