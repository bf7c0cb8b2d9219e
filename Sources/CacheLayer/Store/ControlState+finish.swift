extension ControlState {
    /// Settles an attempt: once, whoever sends it how often.
    mutating func finish(_ request: FinishRequest, now: UnixMilliseconds) -> Answer<FinishReply> {
        let plan = PlanNumbers(request.plan)
        guard var control = known(birth: request.birth, floor: request.floor) else {
            return Answer(.lost, shadow: nil)
        }
        control.catchUp(to: now.value, plan: plan)
        let answer: (FinishReply) -> Answer<FinishReply> = { reply in
            Answer(reply, shadow: control.shadow(at: now.value, plan: plan, resource: request.resource))
        }
        if now.value < control.opensAt { return answer(.wait(.milliseconds(control.opensAt - now.value))) }
        let settled = control.settle(request, now: now.value)
        let reply: FinishReply
        var event: StoreEvent? = settled == nil ? nil : .slotFree(request.resource)
        switch request.outcome {
        case .unsent, .handedOver: reply = .noted
        case .fetched(let snapshot):
            reply = take(
                snapshot, request, into: &control, isSettling: settled != nil, now: now, event: &event)
        case .answered:
            reply = .noted
            control.noteAnswer(request, now: now.value)
        case .older:
            reply = .noted
            control.noteOlder(request, isSettling: settled != nil, now: now.value)
        case .refused:
            reply = .noted
            if let end = control.noteRefusal(request, now: now.value) {
                event = .refused(request.resource, next: UnixMilliseconds(end))
            }
        case .failed:
            reply = .noted
            if let next = control.noteFailure(request, now: now.value) {
                event = .failed(request.resource, next: UnixMilliseconds(next))
            }
        case .limited(let scope, let wait, let reason):
            reply = .noted
            if let rest = control.noteLimit(scope, wait: wait, reason: reason, request, now: now.value) {
                event = .cooldown(scope, .milliseconds(rest))
            }
        }
        if let settled { control.correct(request, settled: settled, now: now) }
        self.control = control
        if let event { announce(event) }
        return answer(reply)
    }

    /// Takes an accepted answer in, if it beats what is there.
    private mutating func take(
        _ snapshot: StoredSnapshot, _ request: FinishRequest, into control: inout ControlRecord,
        isSettling: Bool, now: UnixMilliseconds, event: inout StoreEvent?
    ) -> FinishReply {
        let stored = control.unpurged(shelf.snapshot(of: request.resource, at: now))
        control.noteAnswer(request, now: now.value)
        // Asked for before an operator dropped all that there was.
        guard snapshot.token.value > control.purged else { return .noted }
        if let stored, stored.token == snapshot.token, stored.id == snapshot.id { return .stored }
        guard let stored, !snapshot.order.beats(stored.order) else {
            keep(snapshot, at: now)
            if request.isImmutable { control.paces[request.resource] = nil }
            event = .published(request.resource, snapshot.id, snapshot.token)
            return .stored
        }
        if stored.token >= snapshot.token { return .fenced(stored) }
        control.noteOlder(request, isSettling: isSettling, now: now.value)
        return .older(stored)
    }
}

extension ControlRecord {
    /// Closes the record of the attempt; nil if there is none that is open.
    fileprivate mutating func settle(_ request: FinishRequest, now: Int64) -> FlightRecord? {
        guard
            let place = flights.firstIndex(where: { $0.attempt == request.attempt && !$0.isSettled })
        else { return nil }
        let flight = flights[place]
        var keepsSlot = false
        switch request.outcome {
        case .unsent:
            if flight.month == month { used = max(0, used - 1) }
            makeDue(request.resource, after: flight, now: now)
        case .handedOver:
            carryOver(flight, now: now)
            makeDue(request.resource, after: flight, now: now)
        case .failed(_, let keeps):
            keepsSlot = keeps
            carryOver(flight, now: now)
        case .limited(.key, _, _):
            carryOver(flight, now: now)
            makeDue(request.resource, after: flight, now: now)
        case .refused:
            carryOver(flight, now: now)
            // The refusal's record holds back this key. One without room for it would ask again at once.
            if refusals.count < RefusalRecord.kept { makeDue(request.resource, after: flight, now: now) }
        case .fetched, .answered, .older, .limited: carryOver(flight, now: now)
        }
        if keepsSlot { flights[place].isSettled = true } else { flights.remove(at: place) }
        return flight
    }

    /// Nothing was fetched: the next one, perhaps with another key, may go as soon as the rate limit lets it.
    private mutating func makeDue(_ resource: Resource, after flight: FlightRecord, now: Int64) {
        if paces[resource]?.token == flight.token { paces[resource]?.nextAt = now }
    }

    /// A call that ends just before midnight may be seen after it: it counts in both months.
    private mutating func carryOver(_ flight: FlightRecord, now: Int64) {
        if case .before = MonthEdge(at: UnixMilliseconds(now)), flight.month == month { carry += 1 }
    }

    /// Whether no newer token was drawn for the resource.
    private func isNewest(_ request: FinishRequest) -> Bool {
        request.token.value >= paces[request.resource]?.token ?? 0
    }

    /// Upstream has answered: its limits and refusals are over, and so is a row of failures.
    fileprivate mutating func noteAnswer(_ request: FinishRequest, now: Int64) {
        clearCooldowns(below: request.token.value, at: now)
        clearRefusal(of: request.resource, key: request.key, below: request.token.value)
        if isNewest(request) { paces[request.resource]?.strikes = 0 }
    }

    /// What upstream has answered is older than what is held: nothing newer is to be expected before an interval.
    fileprivate mutating func noteOlder(_ request: FinishRequest, isSettling: Bool, now: Int64) {
        noteAnswer(request, now: now)
        guard isSettling, isNewest(request) else { return }
        paces[request.resource, default: PaceRecord()].nextAt = now + max(0, request.interval.milliseconds)
    }

    /// Removes the cooldowns that have ended and were met before this call began.
    private mutating func clearCooldowns(below token: Int64, at now: Int64) {
        for scope in CooldownScope.allCases {
            guard let record = cooldowns[scope], !record.isRunning(at: now) else { continue }
            if record.token < token { cooldowns[scope] = nil }
        }
    }

    /// Notes the back-off: when the resource may be fetched next, or nil if the failure counts no more.
    fileprivate mutating func noteFailure(_ request: FinishRequest, now: Int64) -> Int64? {
        var record = paces[request.resource] ?? PaceRecord()
        let limit = request.interval.milliseconds
        guard record.noteFailure(of: request.token.value, at: now, limit: limit) else { return nil }
        paces[request.resource] = record
        return record.nextAt
    }

    /// Extends the cooldown: what remains of it, or nil if this report was taken before.
    ///
    /// By whoever met the limit, also when its token is not the newest.
    fileprivate mutating func noteLimit(
        _ scope: CooldownScope, wait: Duration, reason: String, _ request: FinishRequest, now: Int64
    ) -> Int64? {
        let isFirst = cooldowns[scope] == nil
        var record =
            cooldowns[scope]
            ?? CooldownRecord(
                end: 0, token: -1, strikes: 0, reason: reason, since: now, attempts: [], isTold: false)
        guard !record.attempts.contains(request.attempt) else { return nil }
        let isNewStrike = request.token.value > record.token
        if isNewStrike { record.strikes += 1 }
        var longest = StoreTimings.longestCooldown(scope).milliseconds
        // Upstream says that the month is used up, the ledger doesn't: asked again by the hour.
        let isDisputed = scope == .month && used * 10 < limit(PlanNumbers(request.plan)) * 9
        if isDisputed { longest = StoreTimings.disputedMonth.milliseconds }
        var pause = min(max(wait.milliseconds, StoreTimings.shortestCooldown.milliseconds), longest)
        if scope == .short { pause = min(pause << min(record.strikes - 1, 12), longest) }
        if now + pause >= record.end {
            record.end = now + pause
            record.reason = reason
        }
        record.token = epoch
        record.attempts = Array(
            (record.attempts + [request.attempt]).suffix(CooldownRecord.attemptsKept))
        record.isTold = false
        if scope == .key, !record.keys.contains(request.key), isFirst || !record.keys.isEmpty {
            record.keys = Array((record.keys + [request.key]).suffix(CooldownRecord.attemptsKept))
        }
        if scope == .short, isNewStrike {
            slowDown = .afterStrike(slowDown, at: now, end: record.end)
        }
        cooldowns[scope] = record
        return record.end - now
    }

    /// Upstream's own numbers, where they can only be this month's.
    fileprivate mutating func correct(_ request: FinishRequest, settled: FlightRecord, now: UnixMilliseconds)
    {
        guard settled.month == month, MonthEdge(at: now) == .outside else { return }
        if let count = request.upstreamUsed.map({ min($0, PlanNumbers.mostCalls) }), count > used {
            external += count - used
            used = count
        }
        if let left = request.upstreamLeft.map({ min(max(0, $0), PlanNumbers.mostCalls) }) {
            // Calls in flight may not be among those that upstream has counted.
            let most = max(0, used - external - reserved) + left
            ownMost = min(ownMost ?? most, most)
        }
        if let shown = request.upstreamLimit, shown > 0 { shownPlan = min(shownPlan ?? shown, shown) }
    }
}
