import CacheLayer

/// What came of an operator's order.
enum AdminOutcome: Hashable, Sendable {
    /// The cooldowns that there were, and are no more.
    case lifted([CooldownScope])
    case purged
    /// The store could not be asked: nothing has changed for certain.
    case storeAway

    /// What the operator is told.
    ///
    /// - Throws: 503 where the store could not be asked.
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
        case .storeAway:
            throw Problem(
                .storeUnavailable, "The shared store can't be asked: nothing was changed for certain.",
                retryAfter: 1)
        }
        json.endObject()
        return json.bytes
    }
}
