import Telemetry

/// What comes from the store without being fetched: looks, testimonies, adoption.
extension Refresher {
    /// Asks what is newer and what the control says; adopts the one, remembers the other.
    func look() async {
        let interests = interests()
        let sent = time.now()
        do {
            let answer = try await store.look(
                LookRequest(
                    holder: settings.holder, birth: memory.birth, version: memory.version, wall: time.wall(),
                    floor: memory.floor, interests: interests, plan: settings.plan))
            storeAnswered(answer.shadow, to: .look, sent: sent)
            switch answer.reply {
            case .lost: await testify()
            case .seen(let seen):
                paces = Dictionary(seen.map { ($0.resource, $0) }, uniquingKeysWith: { $1 })
                await follow(seen)
            }
        } catch {
            storeFailed(error, to: .look)
        }
    }

    /// When each latest table is fetched next, and why then.
    func outlooks(at now: ContinuousClock.Instant) -> [Resource: RefreshOutlook] {
        var outlooks: [Resource: RefreshOutlook] = [:]
        for (resource, state) in states where resource.isLatest {
            outlooks[resource] = RefreshOutlook(
                asking: state.asking(at: now, settings: settings), lastDemand: state.lastDemand,
                allowedAt: paces[resource]?.nextAt, failures: paces[resource]?.strikes ?? 0)
        }
        return outlooks
    }

    /// Tells the store all that this instance knows: after a loss, and whenever it knows something that the store
    /// hasn't.
    ///
    /// One testimony has room for sixteen snapshots and one flight: it takes as many as are needed.
    func testify(with snapshots: [StoredSnapshot]? = nil) async {
        let start = time.now()
        var rest = snapshots ?? states.values.compactMap { $0.stored(at: start) }
        var running = callable.values.sorted { $0.began < $1.began }.map(\.attempt)
        counters.testimonies.add()
        repeat {
            let now = time.now()
            // One that has ended meanwhile must not come back.
            let flight = running.isEmpty ? nil : openFlight(running.removeFirst(), at: now)
            let untold = memory.untold
            let calls = offline.calls.total
            let testimony = memory.testimony(
                at: now, wall: time.wall(), settings: settings, flight: flight, offline: calls,
                by: calls == nil ? nil : offline.witness, snapshots: Array(rest.prefix(16)))
            do {
                let answer = try await store.restore(testimony)
                memory.told(untold)
                if let calls { offline.calls.tell(calls) }
                storeAnswered(answer.shadow, to: .restore, sent: now)
                logger.log(
                    .notice, "told the store what this instance remembers",
                    [.birth: answer.shadow?.birth ?? "", .count: String(testimony.snapshots.count)])
            } catch {
                storeFailed(error, to: .restore)
                return
            }
            rest = Array(rest.dropFirst(16))
        } while !rest.isEmpty || !running.isEmpty
    }

    private func openFlight(_ attempt: AttemptID, at now: ContinuousClock.Instant) -> Testimony.Flight? {
        callable.first { $0.value.attempt == attempt }.map { resource, call in
            Testimony.Flight(
                attempt: attempt, token: call.token, resource: resource, age: call.began.duration(to: now))
        }
    }

    /// Reads a resource's snapshot and adopts it if it beats what is held.
    ///
    /// - Returns: whether the store could be asked.
    @discardableResult
    func read(_ resource: Resource) async -> Bool {
        do {
            if let stored = try await store.snapshot(of: resource) { adopt(stored) }
            if deniedErrand == .read { deniedErrand = nil }
            return true
        } catch {
            storeFailed(error, to: .read)
            return false
        }
    }

    /// Takes a snapshot out of the store into memory.
    ///
    /// - Returns: the snapshot if it was newer and could be read.
    @discardableResult
    func adopt(_ stored: StoredSnapshot) -> RateSnapshot? {
        let resource = stored.resource
        guard stored.order.beats(states[resource]?.adopted?.snapshot.order), isKept(stored.token) else {
            return nil
        }
        do {
            let snapshot = try codec.decode(stored)
            guard adopt(snapshot, stored: stored, isOwnFetch: false) else { return nil }
            counters.adoptedShared.add()
            logger.log(
                .debug, "adopted",
                [
                    .resource: snapshot.resource.name, .snapshot: snapshot.id.text,
                    .token: String(snapshot.token.value),
                ])
            return snapshot
        } catch {
            // A body that can't be read is a miss; the next fetch replaces it.
            states[resource, default: ResourceState()].skip(stored.order)
            counters.unreadable.add()
            logger.log(
                .warning, "a stored snapshot can't be read",
                [
                    .resource: resource.name, .token: String(stored.token.value),
                    .reason: String(describing: error),
                ])
            return nil
        }
    }

    /// Takes a snapshot into memory and tells the loops.
    ///
    /// - Returns: whether it beat what was held.
    func adopt(
        _ snapshot: RateSnapshot, stored: StoredSnapshot, isOwnFetch: Bool, isDrawn: Bool = true
    ) -> Bool {
        let now = time.now()
        let storeNow = memory.storeNow(at: now, wall: time.wall())
        return adopt(
            Adopted(snapshot, storeNow: storeNow, arrived: now), stored: stored, isOwnFetch: isOwnFetch,
            isDrawn: isDrawn)
    }

    /// The same for one whose age is known.
    ///
    /// `isDrawn` says whether the store has drawn its token: only such a one tells how far the store's tokens have come.
    func adopt(_ adopted: Adopted, stored: StoredSnapshot, isOwnFetch: Bool, isDrawn: Bool) -> Bool {
        let snapshot = adopted.snapshot
        guard isKept(snapshot.token) else { return false }
        var state = states[snapshot.resource, default: ResourceState()]
        let jitter = Duration.milliseconds(random(max(1, longestJitter(of: snapshot).milliseconds)))
        guard state.adopt(adopted, stored: stored, jitter: jitter) else { return false }
        states[snapshot.resource] = state
        if isDrawn { memory.adopted(snapshot.token) }
        if snapshot.resource == settings.pivot, isStoreReachable != nil { hasTriedToLoad = true }
        notePublications(snapshot)
        noteNews()
        tell(RefreshNews(resource: snapshot.resource, view: state.view, isOwnFetch: isOwnFetch))
        if snapshot.resource.isYear { trimYears(for: snapshot.resource) }
        postStatus()
        return true
    }

    /// A twentieth of the interval, and never so much that a punctual refresh would show "stale".
    private func longestJitter(of snapshot: RateSnapshot) -> Duration {
        min(snapshot.interval / 20, settings.policy.upstreamTimeout / 4)
    }

    /// An answer came to a question sent at `sent`: the store is there, and this is what its control says.
    ///
    /// A store that is full still answers what it needn't write for, and one that denies an errand answers others.
    func storeAnswered(_ shadow: Shadow?, to errand: StoreErrand, sent: ContinuousClock.Instant) {
        if let shadow {
            let before = memory.shadow
            memory.remember(shadow, sent: sent, at: time.now())
            wakeLifted(by: shadow)
            if let before, shadow.plan > before.plan || shadow.month > before.month {
                hurryPaced(by: shadow)
            }
            dropPurged(by: shadow)
            tellMarks(shadow)
            tellClocks(shadow, sent: sent)
        }
        if deniedErrand == errand { deniedErrand = nil }
        guard isStoreReachable != true, errand.isWrite || !isStoreFull, deniedErrand == nil else { return }
        isStoreReachable = true
        isStoreFull = false
        offline.missedSince = nil
        logger.log(.notice, "the store answers")
        for (resource, state) in states where flights[resource] == nil {
            if case .storeAway = state.condition { set(resource, .idle) }
        }
    }

    /// Lets those ask again whose pause is no longer on record: an operator has lifted it, or a probe for
    /// another resource has cleared it.
    private func wakeLifted(by shadow: Shadow) {
        for (resource, state) in states where flights[resource] == nil {
            let isLifted =
                switch state.obstacle {
                case .cooldown(let scope): !memory.isOnRecord(scope, key: key)
                case .refusal: memory.refusal(of: resource, key: key, at: time.now()) == .zero
                case .plan: shadow.left > 0
                case .slot, nil: false
                }
            if isLifted { set(resource, .idle) }
        }
        // Nobody's call is open: the event that told so may have been lost.
        if shadow.reserved == 0 { wake { _, _ in true } }
    }

    /// The plan has grown, or a new month begins: has those ask again whose fetch was paced by a budget much smaller than the present one.
    ///
    /// The store decides whether it is time; who is told that it isn't waits for the present pace.
    private func hurryPaced(by shadow: Shadow) {
        let now = time.now()
        let storeNow = memory.storeNow(at: now, wall: time.wall())
        for (resource, state) in states where flights[resource] == nil && resource.isLatest {
            guard state.isInDemand(at: now, kept: settings.demandKept),
                let snapshot = state.adopted?.snapshot,
                let pace = Pace.interval(
                    at: storeNow, left: shadow.left,
                    permille: plan(for: resource, now: now).targetPermille)
            else { continue }
            // A daily fix isn't due before the next one, however large the plan is.
            let tier = leastInterval(of: resource, held: snapshot.table, now: snapshot.fetchedAt)
            guard snapshot.interval > max(pace, tier) * 2 else { continue }
            set(resource, .idle)
            states[resource]?.hurry()
        }
    }

    /// No answer came; told once for each outage.
    ///
    /// Which command is denied, the way to the store has told.
    func storeFailed(_ error: StoreError, to errand: StoreErrand) {
        counters.storeFailures.add()
        if error == .writesRefused { isStoreFull = true }
        // An order is given once: nothing would show that it is allowed by now.
        if error.isDenial, errand != .order { deniedErrand = errand }
        guard isStoreReachable != false else { return }
        isStoreReachable = false
        offline.missedSince = time.now()
        logger.log(
            .warning, "the store can't be asked",
            [.error: error.isDenial ? "forbidden" : String(describing: error)])
        postStatus()
    }

    private func interests() -> [LookRequest.Interest] {
        let now = time.now()
        var held = states.filter { resource, state in
            resource != .account
                && (state.adopted != nil || state.isInDemand(at: now, kept: settings.demandKept))
        }
        // Whoever fetches a table next rounds by the list, also where nobody has asked for it here: to look costs no call.
        held[.currencies] = states[.currencies, default: ResourceState()]
        return
            held.sorted { $0.key.name < $1.key.name }
            .map { LookRequest.Interest(resource: $0.key, held: $0.value.seen) }
    }

    /// Reads what is newer, and tells what the store hasn't.
    private func follow(_ seen: [LookReply.Seen]) async {
        var behind: [StoredSnapshot] = []
        let now = time.now()
        // There is nothing to read any more.
        if deniedErrand == .read, !seen.contains(where: { $0.standing == .newer }) { deniedErrand = nil }
        for one in seen {
            switch one.standing {
            case .newer:
                // What one read can't get the next one won't: the rest is for the next look.
                guard await read(one.resource) else { return }
            case .same: break
            case .behind:
                states[one.resource]?.forgetSeen()
                if let stored = states[one.resource]?.stored(at: now) { behind.append(stored) }
            }
        }
        // A flight that is under way tells its limit itself: as a strike, which a testimony isn't.
        let hasLimit = memory.hasUntold(at: time.now()) && flights.isEmpty
        if !behind.isEmpty || hasLimit || offline.calls.isUntold { await testify(with: behind) }
    }
}
