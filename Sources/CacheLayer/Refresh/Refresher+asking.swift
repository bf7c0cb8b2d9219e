import Telemetry

/// The first half of a flight: may this instance fetch?
extension Refresher {
    /// Tries once to get something newer for a resource than what was held when that was decided.
    func fly(_ resource: Resource, isForced: Bool, holding held: SnapshotID?) async -> RefreshLanding {
        // The fleet's came in between: asking all the same would begin the next interval before this one is over.
        if !isForced, let newer = states[resource]?.adopted?.snapshot, newer.id != held {
            return .shared(newer)
        }
        let began = time.now()
        // No wish of an operator passes a pause: only lifting it ends one.
        if isForced, let (scope, rest) = memory.runningCooldown(at: began, key: key) {
            pause(resource, scope, rest)
            return refused(resource)
        }
        // It may have come since the flight was launched.
        if isYearHere(resource) { return refused(resource) }
        let attempt = AttemptID()
        guard let answer = await ask(resource, attempt: attempt, began: began, isForced: isForced) else {
            if let landing = await flyWithoutStore(resource) { return landing }
            if !isStopping { storeAway(resource) }
            return refused(resource)
        }
        switch answer {
        case .newer(let stored):
            if let snapshot = adopt(stored) { return .shared(snapshot) }
            // An event was faster than the reply.
            if let here = states[resource]?.adopted?.snapshot, !stored.order.beats(here.order) {
                return .shared(here)
            }
            // What can't be taken over must not be offered again and again.
            set(resource, .idle, notBefore: time.now().advanced(by: StoreTimings.look))
        case .fetch(let token, _, let interval):
            let lease = Lease(
                resource: resource, attempt: attempt, token: token, interval: interval, began: began,
                isForced: isForced, isProbe: memory.isProbe(at: time.now(), key: key), key: key)
            return await use(lease)
        case .busy(let rest):
            set(resource, .refreshing, notBefore: time.now().advanced(by: min(rest, lookDistance())))
        case .slotsTaken(let rest):
            // The event may be lost: asked again with the next look, not when the whole lease is over.
            set(
                resource, .refreshing, notBefore: time.now().advanced(by: min(rest, lookDistance())),
                obstacle: .slot)
        case .cooldown(let scope, let rest): pause(resource, scope, rest)
        case .refused(let rest): forbid(resource, rest: rest)
        case .paced(let rest):
            set(
                resource, paced(resource, rest: rest), notBefore: time.now().advanced(by: rest),
                spread: jitter(of: rest))
        case .exhausted(let rest):
            set(
                resource, .quotaSpent(until: wallTime(in: rest)),
                notBefore: time.now().advanced(by: min(rest, .seconds(60))), obstacle: .plan)
        case .disputed:
            let rest = StoreTimings.presence
            set(
                resource, .clockDisputed(until: wallTime(in: rest)),
                notBefore: time.now().advanced(by: rest))
        case .late:
            set(resource, .refreshing, notBefore: time.now().advanced(by: .milliseconds(50)))
        case .lost:
            storeAway(resource)
        }
        return refused(resource)
    }

    /// Asks for the right to fetch, until there is an answer or the attempt is too old to be of use.
    ///
    /// An unknown outcome is asked again under the same attempt, also over a link that has to come back first: the answer
    /// is then the one that was lost. A new attempt would find the first one's record in its way.
    private func ask(
        _ resource: Resource, attempt: AttemptID, began: ContinuousClock.Instant, isForced: Bool
    ) async -> BeginReply? {
        var losses = 0
        var isUnknown = false
        while !Task.isCancelled {
            if offline.calls.isUntold {
                // Nothing is granted on a ledger that lacks what this instance has spent.
                await testify()
                if offline.calls.isUntold { break }
            }
            let now = time.now()
            let storeNow = memory.storeNow(at: now, wall: time.wall())
            let held = states[resource]?.adopted?.snapshot.table
            let request = BeginRequest(
                resource: resource, attempt: attempt, holder: settings.holder, lease: settings.times.lease,
                held: states[resource]?.seen, floor: memory.floor, birth: memory.birth,
                version: memory.version, wall: time.wall(),
                notAfter: storeNow + settings.commandTimeout * 2, plan: plan(for: resource, now: now),
                leastInterval: leastInterval(of: resource, held: held, now: storeNow), isForced: isForced,
                isAwaited: states[resource]?.isAwaited ?? false, key: key)
            do {
                let answer = try await store.begin(request)
                counters.begins.add(RefreshCounters.BeginResult(answer.reply))
                storeAnswered(answer.shadow, to: .begin, sent: now)
                guard answer.reply == .lost, losses < 3 else { return answer.reply }
                losses += 1
                await testify()
            } catch {
                counters.begins.add(.failed)
                storeFailed(error, to: .begin)
                if error.isDenial { break }
                if case .outcomeUnknown = error { isUnknown = true }
                guard isUnknown, (try? await time.sleep(.milliseconds(100))) != nil,
                    settings.times.mayStart(age: began.duration(to: time.now()))
                else { break }
            }
        }
        return nil
    }

    /// Sets a resource's condition by a pause of upstream calls.
    func pause(_ resource: Resource, _ scope: CooldownScope, _ rest: Duration) {
        let until = wallTime(in: rest)
        let condition: RefreshCondition =
            switch scope {
            case .short: .cooldown(until: until)
            case .month: .quotaSpent(until: until)
            case .key: .keyRejected(until: until)
            }
        set(
            resource, condition, notBefore: time.now().advanced(by: rest), spread: jitter(of: rest),
            obstacle: .cooldown(scope))
    }

    /// Upstream refuses this kind of resource: left alone until its time.
    func forbid(_ resource: Resource, rest: Duration) {
        set(
            resource, .forbidden(until: wallTime(in: rest)), notBefore: time.now().advanced(by: rest),
            spread: jitter(of: rest), obstacle: .refusal)
    }

    func refused(_ resource: Resource) -> RefreshLanding {
        .refused(states[resource]?.condition ?? .idle)
    }

    /// The account is asked for once a day, or once an hour where much rests on it; the list of currencies once a day once
    /// there is one; rates as their tier has it.
    func leastInterval(of resource: Resource, held: RateTable?, now: UnixMilliseconds) -> Duration {
        switch resource {
        case .account: accountNeed?.interval ?? RefreshSettings.accountInterval
        case .year: settings.policy.leastInterval(ofYear: states[resource]?.adopted?.snapshot.year, now: now)
        case .currencies: leastListInterval
        case .latest: settings.policy.leastInterval(for: held, now: now)
        }
    }

    /// The plan with this resource's part of what the pace spreads, beside all else that is in demand here.
    ///
    /// Years take no part in it: a settled one is fetched once and never again, so that what it costs shows in the budget
    /// and not in the pace.
    func plan(for resource: Resource, now: ContinuousClock.Instant) -> QuotaPlan {
        guard !resource.isYear, let shadow = memory.shadow else { return settings.plan }
        let storeNow = memory.storeNow(at: now, wall: time.wall())
        func least(_ resource: Resource) -> Duration {
            leastInterval(of: resource, held: states[resource]?.adopted?.snapshot.table, now: storeNow)
        }
        let others = states.filter { other, state in
            other != resource && !other.isYear && state.obstacle != .refusal
                && state.isInDemand(at: now, kept: settings.demandKept)
        }
        let target = settings.plan.targetPermille
        let pace = Pace.interval(at: storeNow, left: shadow.left, permille: target)
        return settings.plan.spreading(
            PaceShare.permille(
                of: target, pace: pace, own: least(resource), others: others.keys.map(least)))
    }

    /// What "not yet" means for this resource: the grace after a loss, the back-off after a failure, or
    /// the pace.
    private func paced(_ resource: Resource, rest: Duration) -> RefreshCondition {
        let until = wallTime(in: rest)
        let state = states[resource]
        if case .failing = state?.condition { return .failing(until: until) }
        return state?.adopted == nil && rest <= StoreTimings.grace
            ? .warmingUp(until: until) : .paced(until: until)
    }

    /// Tells those who wait for what goes behind the latest tables that the store is away.
    ///
    /// Its turn doesn't come while the latest tables try again and again, and a client shall not wait for that.
    func tellStoreAway(at now: ContinuousClock.Instant) {
        guard isStoreReachable == false else { return }
        for (resource, state) in states where resource.goesBehindLatest && state.isAwaited {
            guard let due = due(resource, state, at: now), due <= now else { continue }
            storeAway(resource)
        }
    }

    private func storeAway(_ resource: Resource) {
        let rest = Duration.milliseconds(250 + random(500))
        set(resource, .storeAway(until: wallTime(in: rest)), notBefore: time.now().advanced(by: rest))
    }

    /// Up to five percent on top, at most ten seconds: instances that were refused together don't come
    /// back together.
    private func jitter(of rest: Duration) -> Duration {
        .milliseconds(random(max(1, min(rest.milliseconds / 20, 10_000))))
    }
}
