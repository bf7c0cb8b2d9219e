extension ControlState {
    /// Takes in what an instance remembers; the only thing that makes a control.
    ///
    /// Everything is a maximum, so that neither order nor repetition of the witnesses matters while the
    /// control is rebuilt. `newBirth` is the name of the life that begins, if one does.
    mutating func restore(
        _ testimony: Testimony, now: UnixMilliseconds, newBirth: String
    ) -> Answer<RestoreReply> {
        let plan = PlanNumbers(testimony.plan)
        var control = revived(testimony, now: now, newBirth: newBirth)
        control.catchUp(to: now.value, plan: plan)
        control.rollToTold(testimony.ledger, now: now)
        // What was fetched without the store has a token that it never drew: the next one must be above it.
        control.epoch = max(control.epoch, testimony.floor.value)
        control.epoch = testimony.snapshots.reduce(control.epoch) { max($0, $1.token.value) }
        let isStranger = testimony.birth != control.birth
        if isStranger, let ledger = testimony.ledger { control.hear(ledger, plan: plan, now: now.value) }
        for told in testimony.cooldowns { control.hear(told, isStranger: isStranger, now: now.value) }
        control.raiseToldTokens(now: now.value)
        if let flight = testimony.flight { control.reinstate(flight, testimony, now: now) }
        for snapshot in testimony.snapshots where snapshot.token.value > control.purged {
            let stored = shelf.snapshot(of: snapshot.resource, at: now)
            guard snapshot.order.beats(stored?.order) else { continue }
            shelf.put(snapshot, at: now)
            archive.put(snapshot, at: now)
        }
        if let offline = testimony.offline { control.count(offline, by: testimony.holder) }
        self.control = control
        return Answer(
            RestoreReply(opensAt: UnixMilliseconds(control.opensAt)),
            shadow: control.shadow(at: now.value, plan: plan, resource: nil))
    }

    /// The control that is there, or one that begins a new life: from nothing, or on top of an earlier
    /// state.
    private func revived(
        _ testimony: Testimony, now: UnixMilliseconds, newBirth: String
    ) -> ControlRecord {
        let plan = PlanNumbers(testimony.plan)
        let grace = max(0, testimony.grace.milliseconds)
        guard var control else {
            let month = Month(containing: now)
            let knowsMonth = testimony.ledger?.month == month.description
            return ControlRecord(
                stamp: stamp, birth: newBirth, opensAt: now.value + grace, grace: grace, month: month,
                used: knowsMonth ? 0 : Pace.blankShare(at: now, plan: plan.monthly), carry: plan.burst,
                arrival: now.value + (plan.burst - 1) * plan.gap, told: knowsMonth ? nil : 0)
        }
        // Of a control that is being rebuilt each witness may know later tokens: no new loss.
        let isBehind = testimony.floor.value > control.epoch && now.value >= control.opensAt
        if control.stamp != stamp || isBehind {
            control.stamp = stamp
            control.birth = newBirth
            control.opensAt = now.value + grace
            control.grace = grace
            // The lost writes may have granted so many more, but never past the plan.
            control.used = max(control.used, min(plan.monthly, control.used + plan.burst))
            control.carry += plan.burst
            control.away = 0
            control.told = nil
        }
        return control
    }
}

extension ControlRecord {
    /// A witness may know of a month that this server's clock is about to begin: another server's was
    /// ahead.
    fileprivate mutating func rollToTold(_ ledger: Testimony.Ledger?, now: UnixMilliseconds) {
        guard let told = ledger.flatMap({ Month(text: $0.month) }) else { return }
        guard told == Month(containing: now + .seconds(7_200)) else { return }
        roll(to: told)
    }

    /// The ledger as another life's memory has it: a lower bound, with all that may have been granted
    /// since.
    fileprivate mutating func hear(_ ledger: Testimony.Ledger, plan: PlanNumbers, now: Int64) {
        guard let month = Month(text: ledger.month), month <= self.month else { return }
        let margin = plan.margin(age: ledger.age.milliseconds)
        let remembered = month == self.month ? min(max(0, ledger.used), PlanNumbers.mostCalls) : 0
        let bound = max(remembered, min(plan.monthly, remembered + margin))
        guard let heard = told else {
            used = max(used - away, bound) + away
            return
        }
        told = max(heard, bound)
        if month == self.month, now < opensAt {
            // Somebody knows: the blank share was for the case that nobody does.
            used = max(heard, bound) + away
            told = nil
        } else {
            used = max(used - away, bound) + away
        }
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

    /// Calls made while the store was away: told as a running total, so told twice is counted once.
    fileprivate mutating func count(_ total: Testimony.Offline, by holder: String) {
        guard total.month == month.description else { return }
        let before = offline[holder].flatMap { $0.month == total.month ? $0.calls : nil } ?? 0
        let calls = min(total.calls, PlanNumbers.mostCalls)
        guard calls > before else { return }
        used += calls - before
        away += calls - before
        offline[holder] = Testimony.Offline(month: total.month, calls: calls)
    }
}
