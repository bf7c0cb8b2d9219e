import Telemetry

/// The second half of a flight, under a lease: call, finish, land.
extension Refresher {
    /// Calls upstream under a lease and reports how it went.
    func use(_ lease: Lease) async -> RefreshLanding {
        let resource = lease.resource
        callable[resource] = OpenCall(attempt: lease.attempt, token: lease.token, began: lease.began)
        logger.log(
            .debug, "lease granted", [.resource: resource.name, .token: String(lease.token.value)])
        set(resource, .refreshing)
        let month = memory.shadow?.month
        // The ledger of a process that is alone is lost with it, unless the file has it before the call leaves.
        if keeper?.keepsLedger == true { await save() }
        let outcome = judged(await call(lease), interval: lease.interval, key: lease.key)
        callable[resource] = nil
        if case .limited(let scope, let wait, let reason) = outcome {
            memory.limit(scope, wait: wait, reason: reason, key: lease.key, by: lease.attempt, at: time.now())
        }
        count(outcome)
        note(outcome, of: resource, as: lease.callClass, in: month, interval: lease.interval)
        let (report, own) = report(on: outcome, lease: lease)
        let answer = await finish(report)
        noteNews()
        return land(lease, outcome: outcome, own: own, answer: answer)
    }

    /// What an outcome means beside what is remembered.
    ///
    /// A call that is denied while the key's pause is on record was its probe: the pause goes on.
    func judged(_ outcome: FetchOutcome, interval: Duration, key: KeyMark) -> FetchOutcome {
        switch outcome {
        case .denied(let denial):
            let meaning = denials.note(
                denial, isProbe: memory.isOnRecord(.key, key: key), at: time.now(), limit: interval)
            switch meaning {
            case .pause(let reason):
                return .limited(.key, wait: CooldownReading.keyWait, reason: reason.rawValue)
            case .failure(let wait): return .failed(reason: "access_denied", wait: wait)
            }
        case .unsent, .failed, .cutOff: return outcome
        case .answered, .told, .older, .forbidden, .limited:
            denials.end()
            return outcome
        }
    }

    private func call(_ lease: Lease) async -> FetchOutcome {
        let now = time.now()
        let age = lease.began.duration(to: now)
        guard !isStopping, settings.times.mayStart(age: age),
            memory.runningCooldown(at: now, key: lease.key) == nil
        else { return .unsent }
        let order = FetchOrder(
            resource: lease.resource, limit: settings.times.callLimit(age: age),
            held: states[lease.resource]?.adopted?.snapshot.table,
            heldYear: states[lease.resource]?.adopted?.snapshot.year, listed: listed,
            minorUnits: minorUnits, interval: lease.interval,
            storeNow: { [memory, time] in memory.storeNow(at: time.now(), wall: time.wall()) },
            mayStart: { [time, times = settings.times] in
                !Task.isCancelled && times.mayStart(age: lease.began.duration(to: time.now()))
            })
        return await WatchedCall(fetch: fetch, time: time)(order)
    }

    /// The report of an outcome, and the snapshot that it makes if it is one.
    private func report(on outcome: FetchOutcome, lease: Lease) -> (FinishRequest, RateSnapshot?) {
        var evidence = UpstreamEvidence.none
        var own: RateSnapshot?
        let told: FinishRequest.Outcome
        switch outcome {
        case .unsent: told = .unsent
        case .older: told = .older
        case .failed(let reason, _): told = .failed(reason: reason, keepsSlot: false)
        case .denied: told = .failed(reason: "access_denied", keepsSlot: false)
        // A call that a stop has cancelled frees slot and resource: the hand-over takes under a second.
        case .cutOff: told = isStopping ? .handedOver : .failed(reason: "cut_off", keepsSlot: true)
        case .limited(let scope, let wait, let reason): told = .limited(scope, wait: wait, reason: reason)
        case .forbidden: told = .refused
        case .told(let account):
            evidence = account
            told = .answered
        case .answered(let ingested, let said):
            evidence = said
            let fetchedAt = memory.storeNow(at: time.now(), wall: time.wall())
            let snapshot = ingested.snapshot(
                of: lease.resource, token: lease.token, fetchedAt: fetchedAt, interval: lease.interval)
            own = snapshot
            told = .fetched(codec.encode(snapshot))
        }
        let request = FinishRequest(
            resource: lease.resource, attempt: lease.attempt, token: lease.token, birth: memory.birth,
            version: memory.version, wall: time.wall(), floor: memory.floor, holder: settings.holder,
            outcome: told, upstreamUsed: evidence.used,
            upstreamLeft: evidence.left, upstreamLimit: evidence.limit, interval: lease.interval,
            plan: settings.plan, callClass: lease.callClass, isImmutable: own.map(isPaceless) ?? false,
            key: lease.key)
        return (request, own)
    }

    /// Tells the store, again if need be: the same arguments, so that it counts once.
    ///
    /// Clients may be waiting for what was fetched: after three repetitions, in under three seconds, the answer is taken
    /// without the store. A stop waits for a control that is being rebuilt, and otherwise for one more try.
    ///
    /// - Returns: nil if it could not be told in the time that makes sense.
    private func finish(_ first: FinishRequest) async -> Answer<FinishReply>? {
        let limit = time.now().advanced(by: settings.times.lease + LeaseTimes.finishing)
        var request = first
        var failures = 0
        while failures <= 3, time.now() < min(limit, stopsBy ?? limit) {
            let sent = time.now()
            do {
                let answer = try await store.finish(request)
                storeAnswered(answer.shadow, to: .finish, sent: sent)
                switch answer.reply {
                case .wait(let rest):
                    await wait(rest)
                case .lost:
                    failures += 1
                    await testify()
                    request = request.told(
                        birth: memory.birth, version: memory.version, floor: memory.floor)
                case .stored, .fenced, .older, .noted:
                    memory.told([request.attempt])
                    return answer
                }
            } catch {
                storeFailed(error, to: .finish)
                failures += 1
                if failures > 3 || isStopping || error.isDenial { break }
                // Over at once where a stop comes; then there is one more try.
                try? await time.sleep(.milliseconds(200 << failures))
            }
        }
        return nil
    }

    /// Waits even when cancelled: a paid answer is still to be told, and the number of waits is bounded.
    private func wait(_ rest: Duration) async {
        let longest = stopsBy.map { max(.zero, time.now().duration(to: $0)) } ?? StoreTimings.grace
        let sleep = Task { [time] in try? await time.sleep(min(rest, longest)) }
        await sleep.value
    }

    /// Adopts what the flight brought and sets how the resource stands now.
    private func land(
        _ lease: Lease, outcome: FetchOutcome, own: RateSnapshot?, answer: Answer<FinishReply>?
    ) -> RefreshLanding {
        let resource = lease.resource
        switch answer?.reply {
        case .fenced(let stored):
            counters.fenced.add()
            logger.log(.notice, "an answer came too late and was refused", [.resource: resource.name])
            if let snapshot = adopt(stored) { return .shared(snapshot) }
        case .older(let stored):
            counters.older.add()
            if let snapshot = adopt(stored) { return .shared(snapshot) }
        case .stored, .noted, .wait, .lost, nil: break
        }
        // Also when the store could not be told, or what it has can't be read: the answer is paid for.
        if let own, adoptOwn(own) { return .fetched(own) }
        settle(lease, outcome: outcome, nextAt: answer?.shadow?.nextAt)
        guard let own, let held = states[resource]?.adopted?.snapshot else { return refused(resource) }
        // An event was faster than the reply: with this very snapshot, or with a newer one.
        return held.id == own.id ? .fetched(held) : .shared(held)
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
    ///
    /// `nextAt` is when the store allows the resource's next fetch; nil where it said nothing.
    private func settle(_ lease: Lease, outcome: FetchOutcome, nextAt: UnixMilliseconds?) {
        let now = time.now()
        let resource = lease.resource
        let next = nextAt.map { $0 - memory.storeNow(at: now, wall: time.wall()) } ?? .zero
        let rest = max(.seconds(1), next, outcome.wait)
        switch outcome {
        case .unsent, .limited:
            if let (scope, rest) = memory.runningCooldown(at: now, key: key) {
                pause(resource, scope, rest)
            } else {
                set(resource, .idle, notBefore: now.advanced(by: rest))
            }
        case .forbidden:
            forbid(resource, rest: max(.seconds(1), memory.refusal(of: resource, key: lease.key, at: now)))
        case .answered, .told, .older:
            set(resource, .idle, notBefore: now.advanced(by: rest))
        case .failed, .denied, .cutOff:
            set(resource, .failing(until: wallTime(in: rest)), notBefore: now.advanced(by: rest))
        }
    }

    /// Tells who keeps account of calls of one that was made; `month` is the ledger's at its grant.
    func note(
        _ outcome: FetchOutcome, of resource: Resource, as callClass: String, in month: String?,
        interval: Duration
    ) {
        if case .unsent = outcome { return }
        let month = month ?? Month(containing: memory.storeNow(at: time.now(), wall: time.wall())).description
        made(MadeCall(resource: resource, callClass: callClass, month: month, interval: interval))
    }

    func count(_ outcome: FetchOutcome) {
        if let result = RefreshCounters.UpstreamResult(outcome) { counters.upstream.add(result) }
    }
}
