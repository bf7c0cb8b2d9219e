extension Decide {
    /// Takes in what an instance remembers; the only thing that makes a control.
    ///
    /// Neither order nor repetition of the witnesses matters while the control is rebuilt. `newBirth` names the life that
    /// begins, if one does.
    static func restore(
        _ testimony: Testimony, _ reading: StoreReading, newBirth: String
    ) -> Decision<RestoreReply> {
        let now = reading.now.value
        let plan = PlanNumbers(testimony.plan).narrowed(by: reading.limits)
        func answer(_ control: ControlRecord, _ change: StoreChange?) -> Decision<RestoreReply> {
            Decision(
                answer: Answer(
                    RestoreReply(opensAt: UnixMilliseconds(control.opensAt)),
                    shadow: control.shadow(at: now, plan: plan, resource: nil)), change: change)
        }
        if dispute(testimony, reading) != nil {
            // By a clock that may be wrong no life and no month begins.
            if case .record(let control) = reading.control { return answer(control, nil) }
            let later = reading.now + testimony.grace
            return Decision(answer: Answer(RestoreReply(opensAt: later), shadow: nil), change: nil)
        }
        var (before, control) = revived(testimony, reading, plan, newBirth: newBirth)
        if let ledger = testimony.ledger, let told = Month(text: ledger.month),
            told == Month(containing: reading.now + clockTolerance)
        {
            // Another server's clock was ahead: its month has begun.
            control.roll(to: told)
        }
        // What was fetched without the store has a token that it never drew: the next one must be above it.
        control.epoch = max(control.epoch, testimony.floor.value)
        control.epoch = testimony.snapshots.reduce(control.epoch) { max($0, $1.token.value) }
        let isStranger = testimony.birth != control.birth
        if isStranger { control.hearLedger(testimony, plan: plan, now: now) }
        for told in testimony.cooldowns { control.hear(told, isStranger: isStranger, now: now) }
        control.raiseToldTokens(now: now)
        if let flight = testimony.flight { control.reinstate(flight, testimony, now: reading.now) }
        if let offline = testimony.offline { control.ledger.count(offline, by: testimony.holder) }
        var effects = testimony.snapshots.compactMap { snapshot -> StoreEffect? in
            guard snapshot.token.value > control.purged,
                snapshot.order.beats(reading.stored[snapshot.resource]?.order)
            else { return nil }
            return .keep(snapshot, from: nil)
        }
        if control.cooldowns != before?.cooldowns ?? [:] { effects.append(.mirrorCooldown) }
        guard control != before || !effects.isEmpty else { return answer(control, nil) }
        let change = change(control, reading, effects)
        return answer(change.control, change)
    }

    /// The control that is there, or one that begins a new life: from nothing, or on top of an earlier state.
    private static func revived(
        _ testimony: Testimony, _ reading: StoreReading, _ plan: PlanNumbers, newBirth: String
    ) -> (before: ControlRecord?, control: ControlRecord) {
        let now = reading.now.value
        let grace = max(0, testimony.grace.milliseconds)
        let month = Month(containing: reading.now)
        if case .record(let found) = reading.control {
            guard isLost(found, to: testimony, reading) else {
                let known = present(found, testimony, reading)
                return (found, known.control)
            }
            // A control that survived is a witness too.
            var control = found
            control.birth = newBirth
            control.version = max(found.version, testimony.version)
            control.opensAt = now + grace
            control.grace = grace
            let isAhead = found.ledger.month > month
            if isAhead { control.ledger = LedgerRecord(month: month) }
            control.ledger.inherited = control.ledger.counted
            control.ledger.carry += plan.cap
            control.ledger.recovery = Recovery(began: now, isKnown: !isAhead)
            if isAhead { control.ledger.assumeBlank(testimony, at: reading.now) }
            _ = control.catchUp(to: now, plan: plan)
            return (found, control)
        }
        var control = ControlRecord(
            birth: newBirth, opensAt: now + grace, grace: grace, ledger: LedgerRecord(month: month),
            arrival: now + (plan.cap - 1) * plan.gap)
        control.ledger.recovery = Recovery(began: now)
        if let legacy = reading.legacy {
            control.adopt(legacy, now: now)
        } else {
            control.ledger.carry = plan.cap
            control.ledger.assumeBlank(testimony, at: reading.now)
        }
        return (nil, control)
    }
}

extension LedgerRecord {
    /// Nobody knows what this month had cost before: its elapsed part. Anonymous use has no month.
    fileprivate mutating func assumeBlank(_ testimony: Testimony, at now: UnixMilliseconds) {
        guard testimony.plan.perHour == nil else { return }
        let plan = PlanNumbers(testimony.plan).monthly
        let calls = Pace.blankShare(at: now, plan: plan)
        guard calls > 0 else { return }
        assumption = Assumption(calls: calls, plan: plan, reason: .before, since: now.value)
        recovery?.blank = calls
    }
}

extension ControlRecord {
    /// Goes on where the control of version 0.1.0 stands, whose instances may still call.
    fileprivate mutating func adopt(_ legacy: LegacyControl, now: Int64) {
        epoch = max(epoch, legacy.epoch)
        purged = legacy.purged
        for cooldown in legacy.cooldowns {
            let longest = StoreTimings.longestCooldown(cooldown.scope).milliseconds
            cooldowns[cooldown.scope] = CooldownRecord(
                end: min(cooldown.end, now + longest), token: epoch, strikes: max(1, cooldown.strikes),
                reason: cooldown.reason, since: now, attempts: [], isTold: true)
        }
        guard legacy.month == ledger.month else { return }
        ledger.external = min(legacy.external, legacy.used)
        ledger.inherit(legacy.used - ledger.external)
        ledger.legacySeen = legacy.used
        ledger.recovery?.isKnown = true
    }

    /// The ledger as another life's memory has it.
    ///
    /// While the control is rebuilt it replaces what was assumed for want of any witness. Later it may raise what was
    /// counted, and assumptions only shrink.
    fileprivate mutating func hearLedger(_ testimony: Testimony, plan: PlanNumbers, now: Int64) {
        let told = testimony.ledger.flatMap { $0.month == ledger.month.description ? $0 : nil }
        ledger.recovery?.hear(testimony.member, saw: now < opensAt ? told : nil, at: now)
        if let told {
            ledger.inherit(min(max(0, told.counted), PlanNumbers.mostCalls))
            if ledger.evidenceAt == nil { ledger.external = max(ledger.external, max(0, told.external)) }
        }
        guard let recovery = ledger.recovery else { return }
        guard recovery.isKnown else {
            // Too late to replace the blank share: what is known now is no longer a part of it.
            guard let blank = ledger.assumption else { return }
            let calls = min(blank.calls, max(0, recovery.blank - ledger.inherited))
            return ledger.assume(calls, of: blank.plan, .before, at: blank.since)
        }
        let limit = limit(plan)
        let lost = recovery.lostCalls(left: limit - ledger.counted - ledger.external, plan: plan)
        let calls = min(max(0, limit - ledger.counted - ledger.external), recovery.toldAssumed + lost)
        guard now < opensAt || calls < ledger.assumed(under: limit) else { return }
        ledger.assume(calls, of: limit, lost > 0 ? .lost : .before, at: recovery.began)
    }

    fileprivate mutating func hear(_ witness: Shadow.Cooldown, isStranger: Bool, now: Int64) {
        let longest = StoreTimings.longestCooldown(witness.scope).milliseconds
        let end = now + min(max(0, witness.rest.milliseconds), longest)
        let strikes = max(1, witness.strikes)
        guard var record = cooldowns[witness.scope] else {
            // One that has ended by a memory of this very life may have been cleared since.
            guard isStranger || end > now else { return }
            cooldowns[witness.scope] = CooldownRecord(
                end: end, token: epoch, strikes: strikes, reason: witness.reason, since: now, attempts: [],
                isTold: true, keys: witness.keys)
            return
        }
        let before = record
        if end > record.end || (end == record.end && witness.reason > record.reason) {
            record.end = end
            record.reason = witness.reason
        }
        record.strikes = max(record.strikes, strikes)
        record.keys = Self.union(record.keys, witness.keys)
        guard record != before else { return }
        record.token = epoch
        record.isTold = true
        cooldowns[witness.scope] = record
    }

    /// Whose keys are refused by both; everybody's if one of the two doesn't know.
    private static func union(_ left: [KeyMark], _ right: [KeyMark]) -> [KeyMark] {
        guard !left.isEmpty, !right.isEmpty, left != right else { return left == right ? left : [] }
        return Array(Set(left + right).sorted().suffix(CooldownRecord.attemptsKept))
    }

    /// While the control is rebuilt each witness may know of later tokens: calls begun before a cooldown
    /// must not clear it, whoever speaks first.
    fileprivate mutating func raiseToldTokens(now: Int64) {
        guard now < opensAt else { return }
        for scope in CooldownScope.allCases where cooldowns[scope]?.isTold == true {
            cooldowns[scope]?.token = epoch
        }
    }

    fileprivate mutating func reinstate(
        _ flight: Testimony.Flight, _ testimony: Testimony, now: UnixMilliseconds
    ) {
        let lease = max(1, testimony.lease.milliseconds)
        let age = max(0, flight.age.milliseconds)
        guard age < lease, !flights.contains(where: { $0.attempt == flight.attempt }) else { return }
        flights.append(
            FlightRecord(
                attempt: flight.attempt, token: flight.token.value, resource: flight.resource,
                holder: testimony.holder, end: now.value + lease - age,
                month: Month(containing: now + .milliseconds(-age)), lease: lease, interval: 0))
    }
}
