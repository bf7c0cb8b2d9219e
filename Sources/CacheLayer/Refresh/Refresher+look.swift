import Telemetry

/// What comes from the store without being fetched: looks, events, testimonies, adoption.
extension Refresher {
    /// Asks what is newer and what the control says; adopts the one, remembers the other.
    func look() async {
        if isKeyRenewed { await liftKeyRefusal() }
        let interests = interests()
        do {
            let answer = try await store.look(
                LookRequest(
                    holder: settings.holder, birth: memory.birth, floor: memory.floor, interests: interests,
                    plan: settings.plan))
            storeAnswered(answer.shadow)
            switch answer.reply {
            case .lost: await testify()
            case .seen(let seen): await follow(seen)
            }
        } catch {
            storeFailed(error)
        }
    }

    /// Closes the circuit of the key; tried again with each look until the store has taken it.
    private func liftKeyRefusal() async {
        memory.forget(.key)
        do {
            let answer = try await store.lift(
                LiftRequest(
                    scope: .key, holder: settings.holder, birth: memory.birth, floor: memory.floor,
                    plan: settings.plan))
            // Lost: the look that follows tells what is remembered.
            guard answer.reply == .lifted else { return }
            isKeyRenewed = false
            storeAnswered(answer.shadow)
            logger.log(.notice, "the refusal of the old key is forgotten")
        } catch {
            storeFailed(error)
        }
    }

    /// Takes an event for what it is: a hint where to look.
    func hear(_ event: StoreEvent) async {
        switch event {
        case .published(let resource, _, let token):
            guard let state = states[resource], token > state.seen?.token ?? .none else { return }
            await read(resource)
        case .failed(let resource, let next):
            let now = time.now()
            let wait = max(.zero, next - memory.storeNow(at: now, wall: time.wall()))
            guard flights[resource] == nil, states[resource] != nil else { return }
            set(resource, .failing(until: wallTime(in: wait)), notBefore: now.advanced(by: wait))
        case .slotFree: wakeRefreshing()
        case .cooldown(let scope, let rest):
            memory.hear(scope, rest: rest, at: time.now())
            // The call that met the limit has ended: whoever waits for it asks how things stand now.
            wakeRefreshing()
        case .purged: break
        case .linkUp: await look()
        case .linkDown: break
        }
        wants.ring()
    }

    /// Lets those ask again that wait for another one's call, or for a slot.
    func wakeRefreshing() {
        for (resource, state) in states where state.condition == .refreshing && flights[resource] == nil {
            states[resource]?.wake()
        }
    }

    /// Tells the store all that this instance knows: after a loss, and whenever it holds something the
    /// store hasn't.
    func testify(with snapshots: [StoredSnapshot]? = nil) async {
        let now = time.now()
        var rest = snapshots ?? states.values.compactMap(\.stored)
        let running = callable.min { $0.value.began < $1.value.began }
        let flight = running.map { resource, call in
            Testimony.Flight(
                attempt: call.attempt, token: call.token, resource: resource,
                age: call.began.duration(to: now))
        }
        counters.testimonies.add()
        repeat {
            let testimony = memory.testimony(
                at: time.now(), settings: settings, flight: flight, snapshots: Array(rest.prefix(16)))
            do {
                let answer = try await store.restore(testimony)
                memory.limitsTold()
                storeAnswered(answer.shadow)
                logger.log(
                    .notice, "told the store what this instance remembers",
                    [.birth: answer.shadow?.birth ?? "", .count: String(testimony.snapshots.count)])
            } catch {
                storeFailed(error)
                return
            }
            rest = Array(rest.dropFirst(16))
        } while !rest.isEmpty
    }

    /// Reads a resource's snapshot and adopts it if it beats what is held.
    func read(_ resource: Resource) async {
        do {
            guard let stored = try await store.snapshot(of: resource) else { return }
            adopt(stored)
        } catch {
            storeFailed(error)
        }
    }

    /// Takes a snapshot out of the store into memory.
    ///
    /// - Returns: the snapshot if it was newer and could be read.
    @discardableResult
    func adopt(_ stored: StoredSnapshot) -> RateSnapshot? {
        let resource = stored.resource
        guard stored.order.beats(states[resource]?.adopted?.snapshot.order) else { return nil }
        do {
            let snapshot = try codec.decode(stored)
            guard adopt(snapshot, stored: stored, isOwnFetch: false) else { return nil }
            counters.adoptedShared.add()
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
    func adopt(_ snapshot: RateSnapshot, stored: StoredSnapshot, isOwnFetch: Bool) -> Bool {
        let now = time.now()
        let adopted = Adopted(
            snapshot, storeNow: memory.storeNow(at: now, wall: time.wall()), arrived: now)
        var state = states[snapshot.resource, default: ResourceState()]
        let jitter = Duration.milliseconds(random(max(1, snapshot.interval.milliseconds / 20)))
        guard state.adopt(adopted, stored: stored, jitter: jitter) else { return false }
        states[snapshot.resource] = state
        memory.adopted(snapshot.token)
        if snapshot.resource == settings.pivot { hasTriedToLoad = true }
        tell(RefreshNews(resource: snapshot.resource, view: state.view, isOwnFetch: isOwnFetch))
        postStatus()
        return true
    }

    /// An answer came: the store is there, and this is what its control says.
    func storeAnswered(_ shadow: Shadow?) {
        if let shadow {
            memory.remember(shadow, at: time.now())
            wakeLifted(by: shadow)
            // Nobody's call is open: the event that told so may have been lost.
            if shadow.reserved == 0 { wakeRefreshing() }
        }
        guard isStoreReachable != true else { return }
        isStoreReachable = true
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
                switch state.condition {
                case .cooldown: !memory.isOnRecord(.short)
                case .keyRejected: !memory.isOnRecord(.key)
                case .quotaSpent: !memory.isOnRecord(.month) && shadow.used < shadow.plan
                case .idle, .refreshing, .warmingUp, .failing, .paced, .storeAway: false
                }
            if isLifted { set(resource, .idle) }
        }
    }

    /// No answer came; told once for each outage.
    func storeFailed(_ error: StoreError) {
        counters.storeFailures.add()
        guard isStoreReachable != false else { return }
        isStoreReachable = false
        logger.log(.warning, "the store can't be asked", [.error: String(describing: error)])
        postStatus()
    }

    private func interests() -> [LookRequest.Interest] {
        let now = time.now()
        return
            states
            .filter { $0.value.adopted != nil || $0.value.isInDemand(at: now, kept: settings.demandKept) }
            .sorted { $0.key.name < $1.key.name }
            .map { LookRequest.Interest(resource: $0.key, held: $0.value.seen) }
    }

    private func follow(_ seen: [LookReply.Seen]) async {
        var behind: [StoredSnapshot] = []
        for one in seen {
            switch one.standing {
            case .newer: await read(one.resource)
            case .same: break
            case .behind:
                if let stored = states[one.resource]?.stored { behind.append(stored) }
            }
        }
        if !behind.isEmpty { await testify(with: behind) }
    }
}
