extension Decide {
    /// Settles an attempt: once, whoever sends it how often.
    static func finish(_ request: FinishRequest, _ reading: StoreReading) -> Decision<FinishReply> {
        guard var known = known(request, reading) else {
            return Decision(answer: Answer(.lost, shadow: nil), change: nil)
        }
        let now = reading.now.value
        if now < known.control.opensAt {
            let rest = Duration.milliseconds(known.control.opensAt - now)
            return Decision(
                answer: Answer(.wait(rest), shadow: known.shadow(reading, resource: request.resource)),
                change: nil)
        }
        let before = known.control
        let settled = known.control.settle(request, now: now)
        var effects: [StoreEffect] = []
        let reply = known.control.take(
            request, settled: settled, stored: reading.stored[request.resource], plan: known.plan,
            now: reading.now, effects: &effects)
        if let settled {
            known.control.hearUpstream(request, settled: settled, plan: known.plan, now: reading.now)
            effects.append(
                .report(
                    settled.month,
                    fields: [
                        "outcome:\(request.outcome.name)", "class:\(request.callClass)",
                        "instance:\(request.holder)",
                    ]))
        }
        if before.cooldowns != known.control.cooldowns { effects.append(.mirrorCooldown) }
        let given = known.control.ledger.counted - before.ledger.counted
        if reading.legacy != nil, settled != nil, case .unsent = request.outcome, given < 0 {
            effects.append(.countForLegacy(given))
            known.control.ledger.legacySeen? += given
        }
        var change: StoreChange?
        if known.control != before || !effects.isEmpty || known.hasCut {
            change = Self.change(known.control, reading, effects)
            change?.isOwed = true
            known.control.version += 1
        }
        return Decision(
            answer: Answer(reply, shadow: known.shadow(reading, resource: request.resource)), change: change)
    }
}

extension FinishRequest.Outcome {
    /// The word of the month's report.
    fileprivate var name: String {
        switch self {
        case .unsent: "unsent"
        case .fetched: "fetched"
        case .answered: "answered"
        case .older: "older"
        case .refused: "refused"
        case .failed: "failed"
        case .handedOver: "handed_over"
        case .limited: "limited"
        }
    }
}

extension ControlRecord {
    /// What came of the attempt, beside that it is settled.
    fileprivate mutating func take(
        _ request: FinishRequest, settled: FlightRecord?, stored: StoredSnapshot?, plan: PlanNumbers,
        now: UnixMilliseconds, effects: inout [StoreEffect]
    ) -> FinishReply {
        var event: StoreEvent? = settled == nil ? nil : .slotFree(request.resource)
        defer { if let event { effects.append(.announce(event)) } }
        switch request.outcome {
        case .unsent, .handedOver: break
        case .fetched(let snapshot):
            return take(
                snapshot, request, over: unpurged(stored), isSettling: settled != nil, now: now,
                event: &event,
                effects: &effects)
        case .answered: noteAnswer(request, now: now.value)
        case .older: noteOlder(request, isSettling: settled != nil, now: now.value)
        case .refused:
            if let end = noteRefusal(request, now: now.value) {
                event = .refused(request.resource, next: UnixMilliseconds(end))
            }
        case .failed:
            if let next = noteFailure(request, now: now.value) {
                event = .failed(request.resource, next: UnixMilliseconds(next))
            }
        case .limited(let scope, let wait, let reason):
            if let rest = noteLimit(scope, wait: wait, reason: reason, request, now: now.value) {
                event = .cooldown(scope, .milliseconds(rest))
            }
        }
        return .noted
    }

    /// Takes an accepted answer in, if it beats what is there.
    private mutating func take(
        _ snapshot: StoredSnapshot, _ request: FinishRequest, over stored: StoredSnapshot?, isSettling: Bool,
        now: UnixMilliseconds, event: inout StoreEvent?, effects: inout [StoreEffect]
    ) -> FinishReply {
        noteAnswer(request, now: now.value)
        // Asked for before an operator dropped all that there was.
        guard snapshot.token.value > purged else { return .noted }
        if let stored, stored.token == snapshot.token, stored.id == snapshot.id { return .stored }
        guard let stored, !snapshot.order.beats(stored.order) else {
            effects.append(.keep(snapshot, from: nil))
            if request.isImmutable { paces[request.resource] = nil }
            event = .published(request.resource, snapshot.id, snapshot.token)
            return .stored
        }
        if stored.token >= snapshot.token { return .fenced(stored) }
        noteOlder(request, isSettling: isSettling, now: now.value)
        return .older(stored)
    }

    /// Closes the record of the attempt; nil if there is none that is open.
    fileprivate mutating func settle(_ request: FinishRequest, now: Int64) -> FlightRecord? {
        guard
            let place = flights.firstIndex(where: { $0.attempt == request.attempt && !$0.isSettled })
        else { return nil }
        let flight = flights[place]
        var keepsSlot = false
        switch request.outcome {
        case .unsent:
            if flight.month == ledger.month { ledger.counted = max(0, ledger.counted - 1) }
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
        if case .before = MonthEdge(at: UnixMilliseconds(now)), flight.month == ledger.month {
            ledger.carry += 1
        }
    }

    /// Whether no newer token was drawn for the resource.
    private func isNewest(_ request: FinishRequest) -> Bool {
        request.token.value >= paces[request.resource]?.token ?? 0
    }

    /// Upstream has answered: its limits and refusals are over, and so is a row of failures.
    private mutating func noteAnswer(_ request: FinishRequest, now: Int64) {
        clearCooldowns(below: request.token.value, at: now)
        clearRefusal(of: request.resource, key: request.key, below: request.token.value)
        if isNewest(request), paces[request.resource]?.strikes ?? 0 > 0 {
            paces[request.resource]?.strikes = 0
        }
    }

    /// What upstream has answered is older than what is held: nothing newer is to be expected before an interval.
    private mutating func noteOlder(_ request: FinishRequest, isSettling: Bool, now: Int64) {
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
    private mutating func noteFailure(_ request: FinishRequest, now: Int64) -> Int64? {
        var record = paces[request.resource] ?? PaceRecord()
        let limit = request.interval.milliseconds
        guard record.noteFailure(of: request.token.value, at: now, limit: limit) else { return nil }
        paces[request.resource] = record
        return record.nextAt
    }
}
