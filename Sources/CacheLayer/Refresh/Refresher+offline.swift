import Telemetry

/// Flights without the store: where a number of them is allowed, and counted before they leave.
extension Refresher {
    /// Fetches a resource on this instance's own account; nil if that isn't allowed.
    ///
    /// Latest tables only: history can wait for the store. The count is on the disk before the call leaves: however often the process dies and comes back, it can't forget one.
    func flyWithoutStore(_ resource: Resource) async -> RefreshLanding? {
        guard !isStopping, isStoreReachable == false, !offline.isCalling, resource.isLatest else {
            return nil
        }
        let now = time.now()
        let situation = situation(of: resource, at: now)
        guard case .call(let interval) = offline.answer(situation, hasFile: keeper != nil, at: now) else {
            return nil
        }
        offline.isCalling = true
        defer { offline.isCalling = false }
        offline.calls.add(in: Month(containing: situation.now), at: now)
        guard await save() else {
            offline.notCounted(at: time.now())
            return nil
        }
        guard isStoreReachable == false, !isStopping, !Task.isCancelled else {
            // The store came back meanwhile: it decides.
            offline.calls.takeBack()
            noteNews()
            return nil
        }
        counters.offlineCalls.add()
        set(resource, .refreshing)
        let key = key
        let outcome = judged(
            await callWithoutStore(resource, interval: interval, counted: now), interval: interval, key: key)
        count(outcome)
        note(
            outcome, of: resource, as: resource.callClass, in: Month(containing: situation.now).description,
            interval: interval)
        noteNews()
        return land(resource, outcome: outcome, interval: interval, key: key)
    }

    /// What is known, for the budget to decide.
    private func situation(of resource: Resource, at now: ContinuousClock.Instant) -> OfflineBudget.Situation
    {
        let storeNow = memory.storeNow(at: now, wall: time.wall())
        let month = max(Month(containing: storeNow), offline.calls.month ?? Month(containing: storeNow))
        let adopted = states[resource]?.adopted
        let interval = adopted.map { held in
            settings.policy.nextRefresh(of: held.snapshot) - held.snapshot.fetchedAt - held.age(at: now)
        }
        return OfflineBudget.Situation(
            now: storeNow, away: offline.missedSince.map { $0.duration(to: now) } ?? .zero,
            ledger: memory.offlineLedger(at: now),
            cooldown: memory.runningCooldown(at: now, key: key)?.1 ?? .zero,
            due: max(.zero, interval ?? .zero, offline.backOff(of: resource, at: now)),
            leastInterval: settings.policy.leastInterval(for: adopted?.snapshot.table, now: storeNow),
            calls: offline.calls.calls(in: month), lastHour: offline.calls.lastHour(at: now),
            hourFree: offline.calls.wait(for: offline.budget.perHour, at: now))
    }

    private func callWithoutStore(
        _ resource: Resource, interval: Duration, counted: ContinuousClock.Instant
    ) async -> FetchOutcome {
        let order = FetchOrder(
            resource: resource, limit: settings.times.deadline,
            held: states[resource]?.adopted?.snapshot.table, minorUnits: minorUnits,
            interval: interval,
            storeNow: { [memory, time] in memory.storeNow(at: time.now(), wall: time.wall()) },
            mayStart: { [time, times = settings.times] in
                !Task.isCancelled && times.mayStart(age: counted.duration(to: time.now()))
            })
        return await WatchedCall(fetch: fetch, time: time)(order)
    }

    /// Adopts what the call brought, and sets how the resource stands now.
    private func land(
        _ resource: Resource, outcome: FetchOutcome, interval: Duration, key: KeyMark
    ) -> RefreshLanding {
        let now = time.now()
        switch outcome {
        case .answered(let ingested, _):
            offline.succeeded(resource)
            let snapshot = ingested.snapshot(
                of: resource, token: ownToken(for: resource, at: now),
                fetchedAt: memory.storeNow(at: now, wall: time.wall()), interval: interval)
            let isAdopted = adopt(
                snapshot, stored: codec.encode(snapshot), isOwnFetch: true, isDrawn: false)
            if isAdopted {
                counters.adoptedOwn.add()
                logger.log(
                    .info, "fetched without the store",
                    [.resource: resource.name, .snapshot: snapshot.id.text])
                return .fetched(snapshot)
            }
            set(resource, .idle, notBefore: now.advanced(by: interval))
        case .older, .told:
            offline.succeeded(resource)
            set(resource, .idle, notBefore: now.advanced(by: interval))
        case .unsent:
            offline.calls.takeBack()
            set(resource, .idle, notBefore: now.advanced(by: .seconds(1)))
        case .forbidden:
            _ = offline.failed(resource, interval: interval, at: now)
            forbid(resource, rest: .milliseconds(RefusalPause.first))
        case .failed, .denied, .cutOff:
            let wait = max(offline.failed(resource, interval: interval, at: now), outcome.wait)
            set(resource, .failing(until: wallTime(in: wait)), notBefore: now.advanced(by: wait))
        case .limited(let scope, let wait, let reason):
            memory.limit(scope, wait: wait, reason: reason, key: key, by: AttemptID(), at: now)
            pause(resource, scope, wait)
        }
        return refused(resource)
    }

    /// A token above all that this instance knows of, and, as the store's own, not below the time in milliseconds.
    ///
    /// So of two instances' fetches without the store the later one wins, and the store's next token is above both once it
    /// has been told of them.
    private func ownToken(for resource: Resource, at now: ContinuousClock.Instant) -> FencingToken {
        let known = max(
            memory.floor, memory.shadow?.epoch ?? .none, states[resource]?.seen?.token ?? .none)
        let storeNow = memory.storeNow(at: now, wall: time.wall())
        return FencingToken(max(known.value + 1, storeNow.value))
    }
}
