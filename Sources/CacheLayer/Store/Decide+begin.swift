extension Decide {
    /// The right to fetch one resource, or why not.
    ///
    /// Sent again with the same attempt it gives the same token and reserves nothing more.
    static func begin(_ request: BeginRequest, _ reading: StoreReading) -> Decision<BeginReply> {
        guard var known = known(request, reading) else {
            let isLate = reading.now > request.notAfter
            return Decision(answer: Answer(isLate ? .late : .lost, shadow: nil), change: nil)
        }
        var reply = BeginReply.late
        var change: StoreChange?
        if reading.now <= request.notAfter {
            if let difference = dispute(request, reading) {
                reply = .disputed(difference)
            } else {
                let before = known.control
                reply = known.control.begin(
                    request, plan: known.plan,
                    stored: known.control.unpurged(reading.stored[request.resource]), now: reading.now.value)
                let isGranted = known.control.ledger.counted > before.ledger.counted
                // Added to the older control too, where it is none of that version's calls.
                if isGranted, reading.legacy != nil { known.control.ledger.legacySeen? += 1 }
                if known.hasCut || known.control != before {
                    change = Self.change(
                        known.control, reading,
                        isGranted && reading.legacy != nil ? [.countForLegacy(1)] : [],
                        notAfter: request.notAfter)
                }
            }
        }
        if let change { known.control = change.control }
        return Decision(
            answer: Answer(reply, shadow: known.shadow(reading, resource: request.resource)), change: change)
    }
}

extension ControlRecord {
    /// The questions in the order in which they decide.
    fileprivate mutating func begin(
        _ request: BeginRequest, plan: PlanNumbers, stored: StoredSnapshot?, now: Int64
    ) -> BeginReply {
        let least = max(0, request.leastInterval.milliseconds)
        let granted = interval(least: least, at: now, plan: plan) ?? probeInterval(request, plan, least)
        cutPace(of: request.resource, to: granted.map { now + $0 })
        if let mine = flights.first(where: {
            $0.attempt == request.attempt && !$0.isSettled && $0.isLive(at: now)
        }) {
            let interval = mine.interval > 0 ? mine.interval : granted ?? lengthened(least, at: now)
            return .fetch(
                FencingToken(mine.token), left: .milliseconds(mine.rest(at: now)),
                interval: .milliseconds(interval))
        }
        if let stored, stored.order.beats(request.held) { return .newer(stored) }
        if now < opensAt { return .paced(.milliseconds(opensAt - now)) }
        if let leave = MonthEdge(at: UnixMilliseconds(now)).leave {
            return .paced(.milliseconds(leave.value - now))
        }
        if let pause = pause(for: request.key, at: now) ?? probe(for: request.key, at: now) { return pause }
        if !request.isForced, let rest = refusal(of: request.resource, key: request.key, at: now) {
            return .refused(.milliseconds(rest))
        }
        if let busy = occupied(request.resource, cap: plan.cap, at: now) { return busy }
        countUnfinished(of: request.resource, at: now, limit: granted ?? lengthened(least, at: now))
        let arrivalDue = arrival - (plan.burst(isAwaited: request.isAwaited) - 1) * plan.gap
        let pace = request.isForced ? 0 : paces[request.resource]?.nextAt ?? 0
        let due = max(arrivalDue, pace, now + starts.wait(for: plan.perMinute, at: now))
        if now < due { return .paced(.milliseconds(due - now)) }
        guard let granted else {
            let reset = Month(containing: UnixMilliseconds(now)).next.start + StoreTimings.monthEdge
            return .exhausted(.milliseconds(reset.value - now))
        }
        return grant(request, gap: plan.gap, interval: granted, stored: stored, now: now)
    }

    /// The account may be asked while the month seems spent and not all of it was counted: a fleet must find out that it
    /// isn't.
    private func probeInterval(_ request: BeginRequest, _ plan: PlanNumbers, _ least: Int64) -> Int64? {
        request.resource == .account && ledger.counted < plan.monthly ? least : nil
    }

    /// An instant farther away than the interval that would be granted now is of another month's pace or
    /// another clock.
    private mutating func cutPace(of resource: Resource, to farthest: Int64?) {
        guard let farthest, let record = paces[resource], record.nextAt > farthest else { return }
        paces[resource]?.nextAt = farthest
    }

    /// The running cooldown with the longest rest.
    private func pause(for key: KeyMark, at now: Int64) -> BeginReply? {
        let running = CooldownScope.allCases.filter { scope in
            guard let record = cooldowns[scope], record.holds(for: key) else { return false }
            return record.isRunning(at: now)
        }
        return longest(running.map { ($0, (cooldowns[$0]?.end ?? now) - now) })
    }

    /// The probe that is out after a cooldown: everybody else waits for it.
    private func probe(for key: KeyMark, at now: Int64) -> BeginReply? {
        var probes: [(CooldownScope, Int64)] = []
        for scope in CooldownScope.allCases {
            guard let record = cooldowns[scope], !record.isRunning(at: now), record.holds(for: key)
            else { continue }
            for flight in flights where flight.isLive(at: now) && flight.token > record.token {
                probes.append((scope, flight.rest(at: now)))
            }
        }
        return longest(probes)
    }

    private func longest(_ pauses: [(scope: CooldownScope, rest: Int64)]) -> BeginReply? {
        var first: (scope: CooldownScope, rest: Int64)?
        for pause in pauses where pause.rest > first?.rest ?? 0 { first = pause }
        return first.map { .cooldown($0.scope, .milliseconds($0.rest)) }
    }

    private func occupied(_ resource: Resource, cap: Int64, at now: Int64) -> BeginReply? {
        let live = flights.filter { $0.isLive(at: now) }
        if let rest = live.filter({ $0.resource == resource }).map({ $0.rest(at: now) }).max() {
            return .busy(.milliseconds(rest))
        }
        guard live.count >= cap, let rest = live.map({ $0.rest(at: now) }).min() else { return nil }
        return .slotsTaken(.milliseconds(rest))
    }

    /// A record that ended without a finish is a failed fetch: a path that loses every reply meets a
    /// growing distance, and not one call for each lease.
    private mutating func countUnfinished(of resource: Resource, at now: Int64, limit: Int64) {
        for flight in flights where flight.resource == resource && !flight.isSettled {
            guard !flight.isLive(at: now) else { continue }
            var record = paces[resource] ?? PaceRecord()
            guard record.noteFailure(of: flight.token, at: flight.end, limit: limit) else { continue }
            paces[resource] = record
        }
    }

    private mutating func grant(
        _ request: BeginRequest, gap: Int64, interval: Int64, stored: StoredSnapshot?, now: Int64
    ) -> BeginReply {
        let lease = max(1, request.lease.milliseconds)
        epoch = max(epoch + 1, request.floor.value + 1, (stored?.token.value ?? 0) + 1, now)
        ledger.counted += 1
        arrival = max(arrival, now) + gap
        starts.note(at: now)
        let kept = now - StoreTimings.recordKept.milliseconds
        flights.removeAll { flight in
            flight.attempt == request.attempt || flight.end <= (flight.isSettled ? now : kept)
        }
        flights.append(
            FlightRecord(
                attempt: request.attempt, token: epoch, resource: request.resource, holder: request.holder,
                end: now + lease, month: ledger.month, lease: lease, interval: interval))
        var record = paces[request.resource] ?? PaceRecord()
        record.nextAt = now + interval
        record.token = epoch
        paces[request.resource] = record
        return .fetch(
            FencingToken(epoch), left: .milliseconds(lease), interval: .milliseconds(interval))
    }
}
