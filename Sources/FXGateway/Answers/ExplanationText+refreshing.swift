import CacheLayer

/// What is held of each candidate, when it is fetched next and why then, who fetches it, how the last call went.
extension ExplanationText {
    func add(_ candidate: Explanation.Candidate, to json: inout JSONText) {
        json.beginObject()
        json.member("resource", string: candidate.resource.name)
        let (word, detail) = words(of: candidate)
        json.member("verdict", string: word)
        json.member("detail", string: detail)
        if let snapshot = held(candidate) {
            json.member("snapshot", string: snapshot.id.text)
            json.member("fetched_at", string: snapshot.fetchedAt.rfc3339)
            json.member("interval_seconds", integer: Int(clamping: snapshot.interval.components.seconds))
        }
        addRefresh(of: candidate, to: &json)
        addLease(of: candidate.resource, to: &json)
        addLastCall(of: candidate.resource, to: &json)
        json.endObject()
    }

    private func words(of candidate: Explanation.Candidate) -> (word: String, detail: String) {
        switch candidate.verdict {
        case .judged(.served(let plan), _):
            (
                "chosen",
                plan.isDerived
                    ? "Computed from this table, which has the base among its symbols."
                    : "The base's own table."
            )
        case .judged(.tooOld, _): ("too_old", "What it has of these symbols is beyond its stale window.")
        case .judged(.unknown(let problem), _): ("lacks_code", problem.detail)
        case .notHeld: ("not_held", "Nothing of it is held.")
        case .notNeeded: ("not_needed", "A table that goes before it answers.")
        }
    }

    /// The snapshot that was judged; where none was asked for, what the refresher has.
    private func held(_ candidate: Explanation.Candidate) -> RateSnapshot? {
        if case .judged(_, let holding) = candidate.verdict { return holding.snapshot }
        return fleet.status.resources.first { $0.resource == candidate.resource }?.view.adopted?.snapshot
    }

    private func addRefresh(of candidate: Explanation.Candidate, to json: inout JSONText) {
        let condition = candidate.condition
        json.name("refresh")
        json.beginObject()
        json.member("condition", string: condition.name)
        if condition != .idle { json.member("detail", string: condition.sentence(of: candidate.resource)) }
        if let until = condition.until { json.member("until", string: until.rfc3339) }
        if let snapshot = held(candidate) {
            let due = explanation.policy.nextRefresh(of: snapshot)
            let next = condition.delaying(due)
            let cause = explanation.policy.refreshCause(of: snapshot)
            json.member("due", string: due.rfc3339)
            json.member("due_by", string: cause.rawValue)
            json.member("next", string: next.rfc3339)
            json.member("next_by", string: next > due ? condition.name : cause.rawValue)
        }
        let outlook = fleet.status.outlooks[candidate.resource]
        add(outlook ?? .nobodys, to: &json)
        json.endObject()
    }

    /// What this instance will do, and what the control allows.
    private func add(_ outlook: RefreshOutlook, to json: inout JSONText) {
        if let at = outlook.asking.at {
            json.member("asked_for_at", string: (wall + now.duration(to: at)).rfc3339)
        }
        json.member("asked_for_by", string: outlook.asking.cause.rawValue)
        json.member("jitter_ms", integer: Int(clamping: outlook.asking.jitter.milliseconds))
        if let demand = outlook.lastDemand {
            let idle = max(.zero, demand.duration(to: now))
            json.member("last_demand_seconds_ago", integer: Int(clamping: idle.components.seconds))
        }
        if let allowed = outlook.allowedAt { json.member("allowed_at", string: allowed.rfc3339) }
        json.member("failures_in_a_row", integer: Int(clamping: outlook.failures))
    }

    /// Who fetches it right now; `lease` is null where nobody does.
    private func addLease(of resource: Resource, to json: inout JSONText) {
        json.name("lease")
        guard let flight = fleet.flight(of: resource) else { return json.verbatim("null") }
        let rest = flight.rest - (fleet.status.shadowAge ?? .zero)
        json.beginObject()
        json.member("holder", string: flight.holder)
        json.member("is_this_instance", boolean: flight.holder == fleet.instance)
        json.member("token", integer: Int(clamping: flight.token.value))
        json.member("until", string: (wall + rest).rfc3339)
        json.endObject()
    }

    /// How this instance's last call for it ended; `last_call` is null where it has made none.
    private func addLastCall(of resource: Resource, to json: inout JSONText) {
        json.name("last_call")
        guard let call = fleet.calls[resource] else { return json.verbatim("null") }
        json.beginObject()
        json.member("at", string: call.at.rfc3339)
        json.member("outcome", string: call.result.rawValue)
        if let status = call.status { json.member("upstream_status", integer: status) }
        if let code = call.code { json.member("code", string: code.rawValue) }
        if let reason = call.reason { json.member("reason", string: reason) }
        json.member("duration_ms", integer: Int(clamping: call.duration.milliseconds))
        json.endObject()
    }
}
