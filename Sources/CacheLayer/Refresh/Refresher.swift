package import Telemetry

/// Keeps the resources in demand fresh, together with all other instances of the fleet.
///
/// One per process. `run` looks at the store once a second, starts a flight for what is due and tells the event loops what
/// is new. At most one flight per resource; it belongs to nobody's request, so a client that leaves doesn't end it. An
/// actor: safe from any thread; the event loops never wait for it.
package actor Refresher {
    let store: any RateStore
    let settings: RefreshSettings
    let codec: SnapshotCodec
    let time: TimeSource
    let logger: Logger
    let fetch: @Sendable (FetchOrder) async -> FetchOutcome
    /// Takes news to the event loops; called from any thread, must not block.
    let tell: @Sendable (RefreshNews) -> Void
    /// Hears of each call that was made, before anybody hears what it brought; must not block.
    let made: @Sendable (MadeCall) -> Void
    /// A number in `0..<bound`, for jitter.
    let random: @Sendable (Int64) -> Int64
    package nonisolated let wants = Wants()
    package nonisolated let counters = RefreshCounters()
    package nonisolated let board = StatusBoard()

    /// Nil without a state file.
    let keeper: StateKeeper?
    /// What the state file said, until it is taken over.
    var saved: SavedState?
    /// When the state file is to be written next; nil while nothing is new.
    var saveDue: ContinuousClock.Instant?
    var isSaving = false
    var offline: OfflineDesk
    /// What upstream has denied this instance without saying why.
    var denials = DenialStreak()

    var memory = FleetMemory()
    var states: [Resource: ResourceState] = [:]
    /// The daily publications of each table that has some.
    var publications: [Resource: PublicationWatch] = [:]
    var flights: [Resource: Task<RefreshLanding, Never>] = [:]
    /// The attempts whose call may still be made or is under way: what a testimony brings back.
    var callable: [Resource: OpenCall] = [:]
    /// What the last look told of each resource's pace.
    var paces: [Resource: LookReply.Seen] = [:]
    /// Whether the last question to the store was answered; nil before the first.
    var isStoreReachable: Bool?
    /// Whether it was write commands that it refused.
    var isStoreFull = false
    /// What this instance lacks permission for: only an answer to that shows that it has it.
    var deniedErrand: StoreErrand?
    private var nextLook: ContinuousClock.Instant?
    /// With whose key this instance calls upstream.
    var key: KeyMark
    var marks = QuotaMarks()
    /// The pause of upstream calls that was told of last; nil once its end was.
    var toldPause: CooldownScope?
    var started: ContinuousClock.Instant?
    /// When this instance says again that it is there.
    var nextAttend: ContinuousClock.Instant?
    /// Whether the clocks were told to disagree.
    var hasToldClocks = false
    /// How far the store's clock was ahead of this instance's when it last answered.
    var clockDifference = Duration.zero
    private var alarm: Task<Void, Never>?
    var hasTriedToLoad = false
    var isStopping = false
    private var isWindingDown = false
    /// When a flight must have ended for good; nil while nothing stops.
    private(set) var stopsBy: ContinuousClock.Instant?
    /// How long a stop waits for a control that is being rebuilt.
    private static let longestStop = StoreTimings.grace + .milliseconds(250)

    struct OpenCall {
        let attempt: AttemptID
        let token: FencingToken
        let began: ContinuousClock.Instant
    }

    package init(
        store: any RateStore, settings: RefreshSettings, time: TimeSource = .system, logger: Logger,
        keeper: StateKeeper? = nil, saved: SavedState? = nil,
        random: @escaping @Sendable (Int64) -> Int64 = { Int64.random(in: 0..<max(1, $0)) },
        tell: @escaping @Sendable (RefreshNews) -> Void,
        made: @escaping @Sendable (MadeCall) -> Void = { _ in },
        fetch: @escaping @Sendable (FetchOrder) async -> FetchOutcome
    ) {
        self.store = store
        self.settings = settings
        codec = SnapshotCodec(policy: settings.policy)
        key = settings.key
        self.time = time
        self.logger = logger
        self.random = random
        self.tell = tell
        self.made = made
        self.fetch = fetch
        self.keeper = keeper
        self.saved = saved
        offline = OfflineDesk(
            budget: OfflineBudget(perHour: settings.offlineCallsPerHour, plan: settings.plan),
            witness: saved?.instance ?? AttemptID().text)
    }

    /// Takes part in the fleet until the task is cancelled or `stop` is called.
    package func run() async {
        resume()
        // At the start the pivot counts as in demand: a new instance is warm before its first client comes.
        states[settings.pivot, default: ResourceState()].ask(.asked, at: time.now())
        let listening = Task { [store] in
            for await event in store.events() { await self.hear(event) }
        }
        wants.ring()
        for await _ in wants.rings {
            if isStopping || Task.isCancelled { break }
            await step()
        }
        listening.cancel()
        alarm?.cancel()
    }

    /// Asks for a resource as an operator: joins its flight or starts one, and waits at most `limit`.
    ///
    /// With `force` the interval and a refusal are passed, never a pause of upstream calls or the plan. Another instance's
    /// fetch that comes in meanwhile is an answer too.
    package func refresh(_ resource: Resource, force: Bool, limit: Duration) async -> RefreshLanding {
        guard !isStopping else { return refused(resource) }
        let asked = time.now()
        let end = asked.advanced(by: limit)
        let before = states[resource]?.adopted?.snapshot.token ?? .none
        let askedByStore = memory.storeNow(at: asked, wall: time.wall())
        states[resource, default: ResourceState()].ask(.stale, at: asked)
        while true {
            let joined = flights[resource]
            let flight = joined ?? launch(resource, isForced: force)
            let rest = max(.zero, time.now().duration(to: end))
            guard let landing = await time.value(of: flight, within: rest) else { return refused(resource) }
            if let snapshot = fetched(resource, after: before, since: askedByStore) {
                if case .refused = landing { return .shared(snapshot) }
                return landing
            }
            guard case .refused(let condition) = landing else { return landing }
            if condition == .refreshing {
                await wait(for: resource, after: before, since: askedByStore, until: end)
                if let snapshot = fetched(resource, after: before, since: askedByStore) {
                    return .shared(snapshot)
                }
            } else if joined == nil || !force {
                return landing
            }
            guard !isStopping, !Task.isCancelled, time.now() < end else { return refused(resource) }
        }
    }

    /// What has come in since; the store's time is only an estimate, so what was held then doesn't count.
    private func fetched(
        _ resource: Resource, after token: FencingToken, since instant: UnixMilliseconds
    ) -> RateSnapshot? {
        guard let held = states[resource]?.adopted?.snapshot else { return nil }
        return held.token > token && held.fetchedAt >= instant ? held : nil
    }

    /// Waits while somebody else fetches a resource: until it is here, may be asked for again, or calls pause.
    private func wait(
        for resource: Resource, after token: FencingToken, since instant: UnixMilliseconds,
        until end: ContinuousClock.Instant
    ) async {
        repeat {
            guard (try? await time.sleep(.milliseconds(50))) != nil else { return }
        } while time.now() < end && !isStopping && fetched(resource, after: token, since: instant) == nil
            && flights[resource] == nil && states[resource]?.mayAsk(at: time.now()) == false
            && memory.runningCooldown(at: time.now(), key: key) == nil
    }

    /// Starts no new flight from now on, except for those who wait; those under way go on.
    package func startNothing() { isWindingDown = true }

    /// Ends the refreshing: no new flight, an open call is cancelled and settled, its lease freed.
    ///
    /// In under a second; a grace more where the control is just being rebuilt.
    package func stop() async {
        isStopping = true
        stopsBy = time.now().advanced(by: Self.longestStop)
        let open = Array(flights.values)
        for flight in open { flight.cancel() }
        for flight in open { _ = await flight.value }
        await save()
        await keeper?.close(within: Self.longestSave)
        try? await store.leave(settings.holder)
        wants.end()
    }

    /// One look around: takes what was asked for, looks at the store if it is time, starts what is due.
    func step() async {
        for (resource, demand) in wants.take() {
            states[resource, default: ResourceState()].ask(
                isYearHere(resource) ? .asked : demand, at: time.now())
        }
        if nextLook.map({ $0 <= time.now() }) ?? true {
            nextLook = time.now().advanced(by: lookDistance())
            await attendIfDue()
            await look()
            // What a state file had counts once the store was asked for something newer.
            if states[settings.pivot]?.adopted != nil { hasTriedToLoad = true }
        }
        saveIfDue()
        let now = time.now()
        wantAccount(at: now)
        for resource in dueResources(at: now) where mayLaunch(resource) { launch(resource, isForced: false) }
        tellStoreAway(at: now)
        tellPause(at: now)
        announceQueue(at: now)
        for (resource, state) in states where state.condition == .refreshing && flights[resource] == nil {
            // Who was fetching it has gone, or it was nothing to wait for.
            if state.mayAsk(at: now) { set(resource, .idle) }
        }
        postStatus()
        setAlarm()
    }

    @discardableResult
    private func launch(_ resource: Resource, isForced: Bool) -> Task<RefreshLanding, Never> {
        if let flight = flights[resource] { return flight }
        let held = states[resource]?.adopted?.snapshot.id
        // Outlives its first caller by design: the others still wait. `stop` awaits the open ones.
        let flight = Task {
            let landing = await self.fly(resource, isForced: isForced, holding: held)
            self.land(resource)
            return landing
        }
        flights[resource] = flight
        return flight
    }

    private func land(_ resource: Resource) {
        flights[resource] = nil
        callable[resource] = nil
        if resource == settings.pivot, states[resource]?.condition.isDefinite ?? false {
            hasTriedToLoad = true
        }
        wants.ring()
    }

    private func dueResources(at now: ContinuousClock.Instant) -> [Resource] {
        dues(at: now)
            .filter { $0.1 <= now }
            .sorted { precedes($0, $1) }
            .map(\.0)
    }

    /// When each resource is to be asked for; none that must not be or that is in flight.
    private func dues(at now: ContinuousClock.Instant) -> [(Resource, ContinuousClock.Instant)] {
        guard !isStopping else { return [] }
        let others = states.compactMap { resource, state in
            resource.goesBehindLatest ? nil : due(resource, state, at: now).map { (resource, $0) }
        }
        return others + [listDue(at: now), nextYear(at: now)].compactMap { $0 }
    }

    /// When one resource is to be asked for; nil if it must not be, or is in flight.
    func due(
        _ resource: Resource, _ state: ResourceState, at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        guard flights[resource] == nil, !isWindingDown || state.isAwaited else { return nil }
        return state.due(at: now, settings: settings)
    }

    /// Latest tables go before the list, the list before history, the pivot before all; then whoever is due longest; then
    /// by name, so that the order never depends on chance.
    private func precedes(
        _ left: (Resource, ContinuousClock.Instant), _ right: (Resource, ContinuousClock.Instant)
    ) -> Bool {
        let isAccountFirst = accountNeed == .first
        func rank(_ resource: Resource) -> Int {
            if resource == settings.pivot { return 0 }
            return switch resource {
            case .latest: 1
            case .currencies: 2
            case .year: 3
            case .account: isAccountFirst ? -1 : 4
            }
        }
        return (rank(left.0), left.1, left.0.name) < (rank(right.0), right.1, right.0.name)
    }

    /// The next look's distance: the configured one, ten percent more or less, so that instances don't march in
    /// step.
    func lookDistance() -> Duration {
        let look = settings.look.milliseconds
        return .milliseconds(look * 9 / 10 + random(look / 5 + 1))
    }

    /// Rings the bell at the next instant at which anything is to be done.
    private func setAlarm() {
        alarm?.cancel()
        let now = time.now()
        guard
            let next = (dues(at: now).map(\.1) + [nextLook, isSaving ? nil : saveDue].compactMap { $0 }).min()
        else { return }
        // Never a busy loop: what is due and didn't start waits for a change, or for this.
        let wait = max(now.duration(to: next), .milliseconds(5))
        alarm = Task { [time, wants] in
            do { try await time.sleep(wait) } catch { return }
            wants.ring()
        }
    }

    /// Sets how a resource's refreshing stands and tells the loops if that is news.
    func set(
        _ resource: Resource, _ condition: RefreshCondition, notBefore: ContinuousClock.Instant? = nil,
        spread: Duration = .zero, obstacle: ResourceState.Obstacle? = nil
    ) {
        var state = states[resource, default: ResourceState()]
        let isNews = state.condition != condition
        state.set(condition, notBefore: notBefore, spread: spread, obstacle: obstacle)
        states[resource] = state
        if isNews { tell(RefreshNews(resource: resource, view: state.view, isOwnFetch: false)) }
    }

    /// The wall-clock instant so long from now, for people.
    func wallTime(in wait: Duration) -> UnixMilliseconds { time.wall() + wait }

    func postStatus() {
        let now = time.now()
        let month = Month(containing: memory.storeNow(at: now, wall: time.wall()))
        board.post(
            RefreshStatus(
                shadow: memory.shadow, shadowAge: memory.asked.map { $0.duration(to: now) },
                instances: memory.instances, key: key, isStoreReachable: isStoreReachable ?? false,
                resources: states.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value.view) },
                flights: flights.keys.sorted { $0.name < $1.name }, hasTriedToLoad: hasTriedToLoad,
                offlineCalls: offline.calls.calls(in: month),
                offlineLastHour: offline.calls.lastHour(at: now),
                offlineRefusal: isStoreReachable == false ? offline.refusal : nil,
                missedPublications: publications.mapValues(\.missed), outlooks: outlooks(at: now),
                members: memory.members(at: now), clockDifference: clockDifference))
    }
}
