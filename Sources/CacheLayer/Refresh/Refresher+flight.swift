import Telemetry

/// One flight, from the question to the landing: ask, call, finish.
extension Refresher {
    /// Tries once to get something newer for a resource.
    func fly(_ resource: Resource, isForced: Bool) async -> RefreshLanding {
        let began = time.now()
        let attempt = AttemptID()
        guard let answer = await ask(resource, attempt: attempt, began: began, isForced: isForced) else {
            return refused(resource)
        }
        switch answer {
        case .newer(let stored):
            guard let snapshot = adopt(stored) else { return refused(resource) }
            return .shared(snapshot)
        case .fetch(let token, _, let interval):
            let lease = Lease(
                resource: resource, attempt: attempt, token: token, interval: interval, began: began,
                isForced: isForced)
            return await use(lease)
        case .busy(let rest), .slotsTaken(let rest):
            set(resource, .refreshing, notBefore: time.now().advanced(by: rest))
        case .cooldown(let scope, let rest):
            let until = wallTime(in: rest)
            let condition: RefreshCondition =
                switch scope {
                case .short: .cooldown(until: until)
                case .month: .quotaSpent(until: until)
                case .key: .keyRejected(until: until)
                }
            set(resource, condition, notBefore: time.now().advanced(by: rest + jitter(of: rest)))
        case .paced(let rest):
            set(
                resource, paced(resource, rest: rest),
                notBefore: time.now().advanced(by: rest + (isAwaited(resource) ? .zero : jitter(of: rest))))
        case .exhausted(let rest):
            set(
                resource, .quotaSpent(until: wallTime(in: rest)),
                notBefore: time.now().advanced(by: min(rest, .seconds(60))))
        case .late:
            set(resource, .refreshing, notBefore: time.now().advanced(by: .milliseconds(50)))
        case .lost:
            storeAway(resource)
        }
        return refused(resource)
    }

    /// Asks for the right to fetch, until there is an answer or the attempt is too old to be of use.
    ///
    /// An unknown outcome is asked again under the same attempt: the answer is then the one that was lost.
    private func ask(
        _ resource: Resource, attempt: AttemptID, began: ContinuousClock.Instant, isForced: Bool
    ) async -> BeginReply? {
        var losses = 0
        while !Task.isCancelled {
            let now = time.now()
            let storeNow = memory.storeNow(at: now, wall: time.wall())
            let held = states[resource]?.adopted?.snapshot.table
            let request = BeginRequest(
                resource: resource, attempt: attempt, holder: settings.holder, lease: settings.times.lease,
                held: states[resource]?.seen, floor: memory.floor, birth: memory.birth,
                notAfter: storeNow + settings.commandTimeout * 2, plan: settings.plan,
                leastInterval: settings.policy.leastInterval(for: held, now: storeNow), isForced: isForced)
            do {
                let answer = try await store.begin(request)
                counters.begins.add(RefreshCounters.BeginResult(answer.reply))
                storeAnswered(answer.shadow)
                guard answer.reply == .lost, losses < 3 else { return answer.reply }
                losses += 1
                await testify()
            } catch {
                counters.begins.add(.failed)
                storeFailed(error)
                guard case .outcomeUnknown = error else { break }
                do { try await time.sleep(.milliseconds(100)) } catch { break }
                guard settings.times.mayStart(age: began.duration(to: time.now())) else { break }
            }
        }
        storeAway(resource)
        return nil
    }

    /// Calls upstream under a lease and reports how it went.
    private func use(_ lease: Lease) async -> RefreshLanding {
        let resource = lease.resource
        callable[resource] = OpenCall(attempt: lease.attempt, token: lease.token, began: lease.began)
        set(resource, .refreshing)
        let outcome = await call(lease)
        callable[resource] = nil
        if case .limited(let scope, let wait, let reason) = outcome {
            memory.limit(scope, wait: wait, reason: reason, at: time.now())
        }
        count(outcome)
        let (report, own) = report(on: outcome, lease: lease)
        let reply = await finish(report)
        return land(lease, outcome: outcome, own: own, reply: reply)
    }

    private func call(_ lease: Lease) async -> FetchOutcome {
        let now = time.now()
        let age = lease.began.duration(to: now)
        guard !isStopping, settings.times.mayStart(age: age),
            memory.runningCooldown(at: now, isForced: lease.isForced) == nil
        else { return .unsent }
        let order = FetchOrder(
            resource: lease.resource, limit: settings.times.callLimit(age: age),
            held: states[lease.resource]?.adopted?.snapshot.table, interval: lease.interval,
            storeNow: { [memory, time] in memory.storeNow(at: time.now(), wall: time.wall()) },
            mayStart: { [time, times = settings.times] in
                !Task.isCancelled && times.mayStart(age: lease.began.duration(to: time.now()))
            })
        return await fetch(order)
    }

    /// The report of an outcome, and the snapshot that it makes if it is one.
    private func report(on outcome: FetchOutcome, lease: Lease) -> (FinishRequest, RateSnapshot?) {
        var upstreamUsed: Int64?
        var own: RateSnapshot?
        let told: FinishRequest.Outcome
        switch outcome {
        case .unsent: told = .unsent
        case .older: told = .failed(reason: "older_data", keepsSlot: false)
        case .failed(let reason): told = .failed(reason: reason, keepsSlot: false)
        // A call that a stop has cancelled frees slot and resource: the hand-over takes under a second.
        case .cutOff: told = isStopping ? .handedOver : .failed(reason: "cut_off", keepsSlot: true)
        case .limited(let scope, let wait, let reason): told = .limited(scope, wait: wait, reason: reason)
        case .answered(let ingested, let used):
            upstreamUsed = used
            let fetchedAt = memory.storeNow(at: time.now(), wall: time.wall())
            let snapshot = ingested.snapshot(
                of: lease.resource, token: lease.token, fetchedAt: fetchedAt, interval: lease.interval)
            own = snapshot
            told = .fetched(codec.encode(snapshot))
        }
        let request = FinishRequest(
            resource: lease.resource, attempt: lease.attempt, token: lease.token, birth: memory.birth,
            floor: memory.floor, holder: settings.holder, outcome: told, upstreamUsed: upstreamUsed,
            interval: lease.interval, plan: settings.plan,
            callClass: lease.isForced ? "forced" : lease.resource.callClass)
        return (request, own)
    }

    /// Tells the store, again if need be: the same arguments, so that it counts once.
    ///
    /// - Returns: nil if it could not be told in the time that makes sense.
    private func finish(_ first: FinishRequest) async -> FinishReply? {
        let limit = time.now().advanced(by: settings.times.lease + LeaseTimes.finishing)
        var request = first
        var failures = 0
        while failures <= 3, time.now() < limit {
            do {
                let answer = try await store.finish(request)
                memory.limitsTold()
                storeAnswered(answer.shadow)
                switch answer.reply {
                case .wait(let rest):
                    await pause(rest)
                case .lost:
                    await testify()
                    request = request.told(birth: memory.birth, floor: memory.floor)
                    failures += 1
                case .stored, .fenced, .older, .noted:
                    return answer.reply
                }
            } catch {
                storeFailed(error)
                failures += 1
                if isStopping { break }
                await pause(.milliseconds(200 << failures))
            }
        }
        return nil
    }

    /// Waits even when cancelled: a paid answer is still to be told, and the number of waits is bounded.
    private func pause(_ wait: Duration) async {
        let sleep = Task { [time] in try? await time.sleep(wait) }
        await sleep.value
    }

    /// Adopts what the flight brought and sets how the resource stands now.
    private func land(_ lease: Lease, outcome: FetchOutcome, own: RateSnapshot?, reply: FinishReply?)
        -> RefreshLanding
    {
        let resource = lease.resource
        switch reply {
        case .fenced(let stored):
            counters.fenced.add()
            logger.log(.notice, "an answer came too late and was refused", [.resource: resource.name])
            if let snapshot = adopt(stored) { return .shared(snapshot) }
        case .older(let stored):
            counters.older.add()
            if let snapshot = adopt(stored) { return .shared(snapshot) }
        case .stored, .noted, .wait, .lost, nil:
            // Also when the store could not be told: the answer is paid for.
            if let own, adoptOwn(own) { return .fetched(own) }
        }
        settle(lease, outcome: outcome)
        return refused(resource)
    }

    private func adoptOwn(_ snapshot: RateSnapshot) -> Bool {
        let stored = codec.encode(snapshot)
        guard adopt(snapshot, stored: stored, isOwnFetch: true) else { return false }
        counters.adoptedOwn.add()
        logger.log(
            .debug, "fetched",
            [
                .resource: snapshot.resource.name, .snapshot: snapshot.id.text,
                .token: String(snapshot.token.value),
            ])
        return true
    }

    /// Sets the condition of a resource whose flight brought nothing.
    private func settle(_ lease: Lease, outcome: FetchOutcome) {
        let now = time.now()
        let resource = lease.resource
        switch outcome {
        case .unsent, .answered, .older:
            let rest = max(.seconds(1), nextAt(of: resource))
            set(resource, .idle, notBefore: now.advanced(by: rest))
        case .failed, .cutOff:
            let rest = max(.seconds(1), nextAt(of: resource))
            set(resource, .failing(until: wallTime(in: rest)), notBefore: now.advanced(by: rest))
        case .limited(let scope, let wait, _):
            let rest = memory.runningCooldown(at: now, isForced: false)?.1 ?? wait
            let until = wallTime(in: rest)
            let notBefore = now.advanced(by: rest + jitter(of: rest))
            switch scope {
            case .short: set(resource, .cooldown(until: until), notBefore: notBefore)
            case .month: set(resource, .quotaSpent(until: until), notBefore: notBefore)
            case .key: set(resource, .keyRejected(until: until), notBefore: notBefore)
            }
        }
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

    private func isAwaited(_ resource: Resource) -> Bool { states[resource]?.adopted == nil }

    /// What remains until the store allows the resource's next fetch, as far as the last answer told;
    /// zero if nothing.
    private func nextAt(of resource: Resource) -> Duration {
        guard let next = memory.shadow?.nextAt else { return .zero }
        return next - memory.storeNow(at: time.now(), wall: time.wall())
    }

    private func storeAway(_ resource: Resource) {
        let rest = Duration.milliseconds(250 + random(500))
        set(resource, .storeAway(until: wallTime(in: rest)), notBefore: time.now().advanced(by: rest))
    }

    private func refused(_ resource: Resource) -> RefreshLanding {
        .refused(states[resource]?.condition ?? .idle)
    }

    /// Up to five percent on top, at most ten seconds: instances that were refused together don't come
    /// back together.
    private func jitter(of rest: Duration) -> Duration {
        .milliseconds(random(max(1, min(rest.milliseconds / 20, 10_000))))
    }

    private func count(_ outcome: FetchOutcome) {
        switch outcome {
        case .unsent: break
        case .answered: counters.upstream.add(.ok)
        case .older: counters.upstream.add(.older)
        case .failed: counters.upstream.add(.failed)
        case .cutOff: counters.upstream.add(.cutOff)
        case .limited(let scope, _, _): counters.upstream.add(scope == .key ? .refused : .limited)
        }
    }
}
