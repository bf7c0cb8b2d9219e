import Telemetry

/// Years of history: fetched one at a time and behind the latest tables, and held as long as there is room.
extension Refresher {
    /// What a year is asked for: the currencies of the pivot's newest table.
    var listed: [Currency] {
        states[settings.pivot]?.adopted?.snapshot.table.symbols.map(\.currency) ?? []
    }

    /// The year whose turn it is, and when it may be asked for; nil while none may be.
    ///
    /// None while this instance has a year or a latest table under way, and none before the pivot has named the currencies.
    func nextYear(at now: ContinuousClock.Instant) -> (Resource, ContinuousClock.Instant)? {
        guard states[settings.pivot]?.adopted != nil,
            !flights.keys.contains(where: { $0.isYear || $0.isLatest })
        else { return nil }
        let queue = yearQueue(at: now)
        // What keeps the first one back (a slot, the rate limit, a pause) keeps back all of them; but for its own failures.
        guard let next = queue.first(where: { !$0.isBackingOff }) ?? queue.min(by: { $0.due < $1.due }) else {
            return nil
        }
        return (next.resource, max(next.due, turnBehindLatest(at: now)))
    }

    /// A year that is wanted.
    private struct WantedYear {
        let resource: Resource
        let due: ContinuousClock.Instant
        /// Since when clients wait for it; nil if none does.
        let awaitedSince: ContinuousClock.Instant?
        /// Whether something of its own, such as a failure, allows its next fetch only later.
        let isBackingOff: Bool
    }

    /// The years that are wanted: those that clients wait for before the others, in the order in which they were asked for.
    private func yearQueue(at now: ContinuousClock.Instant) -> [WantedYear] {
        let wanted = states.compactMap { resource, state -> WantedYear? in
            guard resource.isYear, let due = due(resource, state, at: now) else { return nil }
            // The rate limit holds back no longer than its gap, and then all of them.
            let isFailing = if case .failing = state.condition { true } else { false }
            let bound = isFailing ? now : now.advanced(by: settings.plan.gap)
            return WantedYear(
                resource: resource, due: due, awaitedSince: state.awaitedSince,
                isBackingOff: state.obstacle == nil && due > bound)
        }
        return wanted.sorted { left, right in
            if (left.awaitedSince != nil) != (right.awaitedSince != nil) { return left.awaitedSince != nil }
            let (first, second) = (left.awaitedSince ?? left.due, right.awaitedSince ?? right.due)
            return (first, left.resource.name) < (second, right.resource.name)
        }
    }

    /// From when on history and the list of currencies may call without getting into the way of a latest table.
    ///
    /// A call takes the fleet's slot for its time and the rate limit for a gap. So none begins shortly before a latest table is
    /// due, here or on another instance, nor in the first moments after that: the table then goes first, by whoever fetches
    /// it. What is overdue for longer isn't waited for: nobody wants it, or it can't be had.
    func turnBehindLatest(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let patience = settings.policy.upstreamTimeout
        var turn = now
        for (resource, state) in states where resource.isLatest {
            guard
                let due = state.due(at: now, settings: settings) ?? state.refreshDue(at: now, settings.policy)
            else { continue }
            let interval = state.adopted?.snapshot.interval ?? settings.plan.gap
            let margin = min(settings.plan.gap, interval / 4)
            guard due <= now.advanced(by: margin), due.advanced(by: patience) > now else { continue }
            turn = max(turn, due.advanced(by: patience))
        }
        return turn
    }

    /// Tells the loops how long those years take whose turn isn't yet, so that their clients learn when to come back.
    func announceQueue(at now: ContinuousClock.Instant) {
        let queue = yearQueue(at: now).filter { $0.awaitedSince != nil && !$0.isBackingOff }
        guard let head = queue.first else { return }
        let gap = settings.plan.gap
        let isBusy = flights.keys.contains(where: \.isYear)
        let start = isBusy ? gap : max(.zero, now.duration(to: max(head.due, turnBehindLatest(at: now))))
        // The first one goes, or has a reason of its own not to.
        for (place, year) in queue.enumerated() where (isBusy || place > 0) && year.due <= now {
            let until = wallTime(in: start + gap * place)
            if case .queued(let known) = states[year.resource]?.condition,
                max(until - known, known - until) < max(gap, .seconds(1))
            {
                continue
            }
            set(year.resource, .queued(until: until))
        }
    }

    /// Drops the years that were asked for longest ago, until the others have room; the newest one always stays.
    func trimYears(for newest: Resource) {
        var bytes = states.values.reduce(0) { $0 + $1.yearBytes }
        guard bytes > settings.yearBytes else { return }
        let now = time.now()
        let old = states.filter { $0.key != newest && $0.value.yearBytes > 0 && flights[$0.key] == nil }
            .map { (resource: $0.key, state: $0.value, idle: $0.value.lastDemand?.duration(to: now)) }
            .sorted { ($0.idle ?? YearSchedule.forever) > ($1.idle ?? YearSchedule.forever) }
        for (resource, state, _) in old where bytes > settings.yearBytes {
            bytes -= state.yearBytes
            // Nothing of it stays, or the next look would bring it back.
            states[resource] = nil
            tell(RefreshNews(resource: resource, view: .empty, isOwnFetch: false))
            logger.log(.debug, "a year of history made room", [.resource: resource.name])
        }
    }

    /// Whether a year is held and not due.
    ///
    /// Who asks for it all the same hasn't heard yet that it has come; and a settled year has no pace that would refuse
    /// another fetch.
    func isYearHere(_ resource: Resource) -> Bool {
        guard resource.isYear, let state = states[resource] else { return false }
        let now = time.now()
        return state.refreshDue(at: now, settings.policy).map { $0 > now } ?? false
    }

    /// Whether a resource's pace means nothing any more: a year that is settled, or whose next page is to follow.
    func isPaceless(_ snapshot: RateSnapshot) -> Bool {
        guard let year = snapshot.year else { return false }
        return !year.isComplete || settings.policy.isSettled(year, in: snapshot)
    }
}

extension ResourceState {
    /// When what is held is due by its tier, wanted here or not; nil if nothing is held.
    func refreshDue(at now: ContinuousClock.Instant, _ policy: TierPolicy) -> ContinuousClock.Instant? {
        adopted.map { adopted in
            now.advanced(
                by: policy.nextRefresh(of: adopted.snapshot) - adopted.snapshot.fetchedAt
                    - adopted.age(at: now))
        }
    }
}
