import CacheLayer

/// What an operator is told of his refresh.
enum RefreshReport {
    /// The snapshot that is served now.
    static func body(of snapshot: RateSnapshot, _ landing: RefreshLanding) -> [UInt8] {
        var json = JSONText()
        json.beginObject()
        json.member("result", string: "success")
        json.member("resource", string: snapshot.resource.name)
        json.member("snapshot", string: snapshot.id.text)
        json.member("fetched_at", string: snapshot.fetchedAt.rfc3339)
        json.member("data_updated_at", string: snapshot.table.dataTime.text)
        if case .fetched = landing {
            json.member("outcome", string: "fetched")
        } else {
            json.member("outcome", string: "shared")
        }
        json.endObject()
        return json.bytes
    }

    /// 409 where the refresh is only not due, which `force` may pass; else the 503 that a cold request would get.
    static func refusal(_ condition: RefreshCondition, wall: UnixMilliseconds) -> Problem {
        let cold = ColdRefusal(condition: condition, isTooOld: false, wall: wall).problem
        switch condition {
        case .idle, .refreshing:
            return Problem(
                .conflict, "The refresh brought nothing newer, or another one is running.", retryAfter: 1)
        case .paced: return Problem(.conflict, cold.detail, retryAfter: cold.retryAfter)
        case .queued, .warmingUp, .failing, .cooldown, .quotaSpent, .keyRejected, .forbidden, .storeAway:
            return cold
        }
    }
}
