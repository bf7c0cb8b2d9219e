import CacheLayer

/// Writes an explanation: what was chosen and why, then, in its other part, what the fleet does about it.
///
/// Nothing secret. Moves with the clock, so nothing of it is ever kept.
struct ExplanationText {
    let explanation: Explanation
    let fleet: FleetView
    /// The same moment on the two clocks.
    let now: ContinuousClock.Instant
    let wall: UnixMilliseconds

    /// The body of `/v1/explain`.
    var page: [UInt8] {
        var json = JSONText(reserving: 4_096)
        json.beginObject()
        json.member("result", string: "success")
        addMembers(to: &json, isAlone: true)
        json.endObject()
        return json.bytes
    }

    /// The body of an answer with the explanation as its last member, `explain`.
    func added(to body: [UInt8]) -> [UInt8] {
        var json = JSONText(reserving: 4_096)
        json.beginObject()
        addMembers(to: &json, isAlone: false)
        json.endObject()
        return body.dropLast() + Array(#","explain":"#.utf8) + json.bytes + [UInt8(ascii: "}")]
    }

    private func addMembers(to json: inout JSONText, isAlone: Bool) {
        json.member("time", string: wall.rfc3339)
        json.member("instance", string: fleet.instance)
        json.member("base", string: explanation.base.code)
        if let codes = explanation.wish.codes { json.member("symbols", codes: codes) }
        addAnswer(to: &json, isAlone: isAlone)
        json.name("candidates")
        json.beginArray()
        for candidate in explanation.candidates { add(candidate, to: &json) }
        json.endArray()
        QuotaText.addQuota(to: &json, fleet.plan, fleet.status)
        QuotaText.addCooldowns(to: &json, fleet.status, wall: wall)
        fleet.store.add(to: &json, fleet.status)
    }

    // MARK: - The answer

    private func addAnswer(to json: inout JSONText, isAlone: Bool) {
        json.name("answer")
        json.beginObject()
        switch explanation.outcome {
        case .answer(let plan, let holding, _): add(plan, holding, to: &json, isAlone: isAlone)
        case .cold(let resource): addRefusal(of: resource, isTooOld: false, to: &json)
        case .tooOld(let resource): addRefusal(of: resource, isTooOld: true, to: &json)
        case .unknown: preconditionFailure("what is unknown is refused, not explained")
        }
        json.endObject()
    }

    private func add(_ plan: SelectionPlan, _ holding: Holding, to json: inout JSONText, isAlone: Bool) {
        let labels = SelectionLabels(plan)
        json.member("status", integer: 200)
        json.member("resource", string: plan.resource.name)
        // Beside an answer it stands there already.
        if isAlone { BodyRenderer.appendCache(plan, BodyRenderer.derivation(of: plan), .number, to: &json) }
        json.member("source", string: labels.source.name)
        if let session = plan.snapshot.table.marketSession { json.member("market_session", string: session) }
        json.member("data_updated_at", string: labels.dataTime.text)
        json.member("age_seconds", integer: Int(clamping: holding.age(at: explanation.now) / 1_000))
        json.member("served_until", string: plan.servedUntil.rfc3339)
        json.member("token", integer: Int(clamping: plan.snapshot.token.value))
        json.name("classes")
        json.beginArray()
        let age = Duration.milliseconds(holding.age(at: explanation.now))
        let reports = SourceReport.all(in: plan.snapshot, age: age, policy: explanation.policy)
        for one in Explanation.classes(of: plan) {
            add(one, reports.first { $0.source == one.source }, in: plan, to: &json)
        }
        json.endArray()
        json.member("unavailable", codes: plan.unavailable)
        json.member("stale_symbols", codes: plan.staleSymbols)
        let codes = explanation.wish.codes.map { Set($0 + [explanation.base]) }
        QuarantineText.add(plan.snapshot.table, among: codes, to: &json)
    }

    private func add(
        _ one: Explanation.Class, _ report: SourceReport?, in plan: SelectionPlan, to json: inout JSONText
    ) {
        json.beginObject()
        json.member("source", string: one.source.name)
        json.member("symbols", codes: one.quotes.map(\.quote.quote))
        json.member("state", string: one.state.name)
        if let reason = one.reason { json.member("reason", string: reason.rawValue) }
        json.member("data_updated_at", string: one.dataTime.text)
        let lifetime = one.freshUntil - plan.snapshot.fetchedAt
        json.member("lifetime_seconds", integer: Int(clamping: max(.zero, lifetime).components.seconds))
        json.member("fresh_until", string: one.freshUntil.rfc3339)
        json.member("served_until", string: one.servedUntil.rfc3339)
        json.member("schedule", string: one.source.schedule)
        if let interval = report?.interval {
            json.member("interval_seconds", integer: Int(clamping: interval.components.seconds))
        }
        if let next = report?.nextPublication {
            json.member("next_publication", string: next.rfc3339)
            let missed = fleet.status.missedPublications[plan.resource] ?? 0
            json.member("missed_publications", integer: Int(clamping: missed))
        }
        json.endObject()
    }

    /// What a request would be told now, or wait for.
    private func addRefusal(of resource: Resource, isTooOld: Bool, to json: inout JSONText) {
        let condition = explanation.candidates.first { $0.resource == resource }?.condition ?? .idle
        let refusal = ColdRefusal(resource: resource, condition: condition, isTooOld: isTooOld, wall: wall)
        let problem = refusal.problem
        json.member("status", integer: problem.kind.status)
        json.member("resource", string: resource.name)
        json.member("type", string: "urn:fxgateway:problem:\(problem.kind.slug)")
        json.member("code", string: "\(problem.kind.code)")
        json.member("detail", string: problem.detail)
        if let wait = problem.retryAfter { json.member("retry_after", integer: wait) }
        let limit = explanation.waitLimit.milliseconds
        json.member("is_waited_for", boolean: !refusal.isHopeless(within: limit))
        json.member("wait_limit_ms", integer: Int(clamping: limit))
    }
}
