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
        // The list of currencies has no time of its own.
        if snapshot.list == nil { json.member("data_updated_at", string: snapshot.table.dataTime.text) }
        if case .fetched = landing {
            json.member("outcome", string: "fetched")
        } else {
            json.member("outcome", string: "shared")
        }
        json.endObject()
        return json.bytes
    }

    /// 409 where the refresh is only not due, or was in vain; else the 503 that a cold request would get.
    static func refusal(
        of resource: Resource, _ condition: RefreshCondition, isForced: Bool, wall: UnixMilliseconds
    ) -> Problem {
        let cold = ColdRefusal(resource: resource, condition: condition, isTooOld: false, wall: wall).problem
        switch condition {
        case .idle:
            return Problem(.conflict, "The refresh brought nothing newer than what is held.", retryAfter: 1)
        case .refreshing:
            return Problem(
                .conflict, "Another call to upstream is under way; this one was not made.", retryAfter: 1)
        case .paced(let until):
            let obstacle = obstacle(isForced: isForced, wall: wall)
            return Problem(
                .conflict, "\(obstacle) It may be tried again at \(until.rfc3339).",
                retryAfter: cold.retryAfter)
        case .cooldown(let until), .keyRejected(let until):
            return Problem(
                cold.kind,
                """
                \(cold.detail) The pause ends at \(until.rfc3339); only DELETE /admin/cooldown ends it before.
                """, retryAfter: cold.retryAfter)
        case .queued, .warmingUp, .failing, .quotaSpent, .forbidden, .clockDisputed, .storeAway:
            return cold
        }
    }

    /// What holds a refresh back that is not due.
    private static func obstacle(isForced: Bool, wall: UnixMilliseconds) -> String {
        if MonthEdge(at: wall).leave != nil {
            return "Nothing is called within five seconds of the month's first midnight."
        }
        if isForced {
            return """
                Forced calls, too, keep the least distance between two calls of the fleet, which follows from \
                FXGW_QUOTA_PER_MINUTE, and wait while the shared store's control is being rebuilt.
                """
        }
        return "The next fetch is not due yet, so that the month's calls last; force=true passes this."
    }
}
