/// What this instance remembers of the control, with the age of that memory.
///
/// A pure value.
///
/// It is both the evidence for a control that lost data and the memory of cooldowns while the store is away.
struct FleetMemory: Sendable {
    private(set) var birth: String?
    /// The highest version of this life that was ever told: one below it has lost data.
    private(set) var version: Int64 = 0
    /// The highest token ever adopted.
    private(set) var floor = FencingToken.none
    private(set) var shadow: Shadow?
    /// When the question was sent whose answer the shadow came with: its age counts from there.
    ///
    /// The answer may have lain unread for long, in a process that stood still.
    private(set) var asked: ContinuousClock.Instant?
    /// How many instances the store has last seen; nil if never told.
    private(set) var instances: Int64?
    /// The instances that had looked last when one was told of them, and when that was asked for.
    private var lookedLast: (told: [Shadow.Member], asked: ContinuousClock.Instant)?
    /// Whether the shadow is a state file's: no answer has come in this life.
    private(set) var isFromFile = false
    private var cooldowns: [CooldownScope: Remembered] = [:]

    private struct Remembered {
        var end: ContinuousClock.Instant
        var strikes: Int64
        var reason: String
        /// When it was noted: answers to earlier questions know nothing of it.
        var noted: ContinuousClock.Instant
        /// The attempts that met it and that the store could not be told of yet: an answer without it doesn't clear it.
        var untold: Set<AttemptID> = []
        /// As in `Shadow.Cooldown`.
        var keys: [KeyMark] = []

        func holds(for key: KeyMark) -> Bool { keys.isEmpty || keys.contains(key) }
    }

    /// Nothing.
    init() {}

    /// What a state file says, `elapsed` after it was written; nil where that can't be known.
    ///
    /// A ledger of unknown age is no evidence. Cooldowns are cut to their longest, and last in full where it isn't known how
    /// much of them has passed. `own` is the control that goes on from the same file, where there is one: what it counts
    /// needs no evidence.
    init(_ saved: SavedState, own: ControlRecord?, elapsed: Duration?, now: ContinuousClock.Instant) {
        floor = saved.floor
        birth = own?.birth ?? saved.ledger?.birth
        for cooldown in saved.cooldowns {
            let longest = StoreTimings.longestCooldown(cooldown.scope)
            let rest = min(cooldown.end - saved.written.wall, longest) - (elapsed ?? .zero)
            cooldowns[cooldown.scope] = Remembered(
                end: now.advanced(by: max(.zero, rest)), strikes: max(1, cooldown.strikes),
                reason: cooldown.reason, noted: now, keys: cooldown.keys)
        }
        guard let ledger = saved.ledger, let elapsed else { return }
        let age = ledger.age + elapsed
        isFromFile = true
        instances = ledger.instances
        asked = now.advanced(by: .zero - age)
        shadow = Shadow(
            now: ledger.toldAt, birth: ledger.birth, epoch: ledger.epoch, month: ledger.month.description,
            counted: ledger.counted, assumed: ledger.assumed, external: ledger.external, reserved: 0,
            plan: ledger.plan,
            // As they were when the rest was told, which is what a shadow's age is subtracted from.
            cooldowns: cooldowns(at: now).map { cooldown in
                Shadow.Cooldown(
                    scope: cooldown.scope, rest: cooldown.rest > .zero ? cooldown.rest + age : .zero,
                    strikes: cooldown.strikes, reason: cooldown.reason, keys: cooldown.keys)
            }, nextAt: nil, instances: ledger.instances)
        lookedLast = (
            ledger.members.map { Shadow.Member(name: $0, idle: .zero) }, now.advanced(by: .zero - age)
        )
    }

    /// Takes over what an answer told about the control, to a question that was sent at `sent`.
    mutating func remember(
        _ shadow: Shadow, sent: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) {
        // An answer that was overtaken by another one's.
        if let known = self.shadow, let asked, sent < asked, shadow.now < known.now { return }
        version = shadow.birth == birth ? max(version, shadow.version) : shadow.version
        birth = shadow.birth
        self.shadow = shadow
        asked = sent
        isFromFile = false
        instances = shadow.instances ?? instances
        if !shadow.members.isEmpty { lookedLast = (shadow.members, sent) }
        var kept = cooldowns.filter { _, one in
            one.end > now && (!one.untold.isEmpty || one.noted >= sent)
        }
        for cooldown in shadow.cooldowns {
            let end = now.advanced(by: cooldown.rest)
            let mine = kept[cooldown.scope]
            if let mine, mine.end > end { continue }
            kept[cooldown.scope] = Remembered(
                end: end, strikes: cooldown.strikes, reason: cooldown.reason, noted: now,
                untold: mine?.untold ?? [], keys: cooldown.keys)
        }
        cooldowns = kept
    }

    /// The instances that have looked last, each with how long ago that is now.
    func members(at now: ContinuousClock.Instant) -> [Shadow.Member] {
        guard let (told, asked) = lookedLast else { return [] }
        let since = max(.zero, asked.duration(to: now))
        return told.map { Shadow.Member(name: $0.name, idle: $0.idle + since) }
    }

    /// Notes a limit met by an attempt of this instance, before the store is told of it.
    mutating func limit(
        _ scope: CooldownScope, wait: Duration, reason: String, key: KeyMark, by attempt: AttemptID,
        at now: ContinuousClock.Instant
    ) {
        let end = now.advanced(by: min(wait, StoreTimings.longestCooldown(scope)))
        let known = cooldowns[scope]
        var keys: [KeyMark] = []
        if scope == .key {
            keys = known?.keys ?? [key]
            if !keys.isEmpty, !keys.contains(key) { keys.append(key) }
        }
        cooldowns[scope] = Remembered(
            end: max(end, known?.end ?? end), strikes: (known?.strikes ?? 0) + 1, reason: reason, noted: now,
            untold: (known?.untold ?? []).union([attempt]), keys: keys)
    }

    /// Notes a cooldown that another instance has announced.
    mutating func hear(_ scope: CooldownScope, rest: Duration, at now: ContinuousClock.Instant) {
        let end = now.advanced(by: rest)
        let known = cooldowns[scope]
        guard known.map({ $0.end < end }) ?? true else { return }
        cooldowns[scope] = Remembered(
            end: end, strikes: known?.strikes ?? 1, reason: known?.reason ?? "announced", noted: now,
            untold: known?.untold ?? [], keys: known?.keys ?? [])
    }

    /// The attempts whose limits the store doesn't know yet.
    var untold: Set<AttemptID> { cooldowns.values.reduce(into: []) { $0.formUnion($1.untold) } }

    /// Whether a limit still runs that the store doesn't know.
    func hasUntold(at now: ContinuousClock.Instant) -> Bool {
        cooldowns.values.contains { !$0.untold.isEmpty && $0.end > now }
    }

    /// The store knows the limits of these attempts from now on.
    mutating func told(_ attempts: Set<AttemptID>) {
        for scope in cooldowns.keys { cooldowns[scope]?.untold.subtract(attempts) }
    }

    /// An operator lifts a cooldown: it is as if there had been none.
    mutating func forget(_ scope: CooldownScope) { cooldowns[scope] = nil }

    /// Whether there is a cooldown of this scope on record that holds for this key, running or ended.
    func isOnRecord(_ scope: CooldownScope, key: KeyMark) -> Bool {
        cooldowns[scope]?.holds(for: key) ?? false
    }

    /// Whether a call that is granted now is the one probe after a pause.
    func isProbe(at now: ContinuousClock.Instant, key: KeyMark) -> Bool {
        cooldowns.values.contains { $0.holds(for: key) && $0.end <= now }
    }

    /// What is left of the pause of a refused kind for this key, as last told; zero if there is none.
    func refusal(of resource: Resource, key: KeyMark, at now: ContinuousClock.Instant) -> Duration {
        guard let shadow, let asked else { return .zero }
        let refusal = shadow.refusals.first { $0.kind == resource.refusalKind && $0.key == key }
        return max(.zero, (refusal?.rest ?? .zero) - asked.duration(to: now))
    }

    mutating func adopted(_ token: FencingToken) { floor = max(floor, token) }

    /// What remains of the longest running cooldown that holds for this key; nil if none runs.
    func runningCooldown(at now: ContinuousClock.Instant, key: KeyMark) -> (CooldownScope, Duration)? {
        cooldowns
            .filter { $0.value.holds(for: key) && $0.value.end > now }
            .max { $0.value.end < $1.value.end }
            .map { ($0.key, now.duration(to: $0.value.end)) }
    }

    /// The store's time, as well as it is known: from the last answer's question on by the monotonic clock, else the
    /// wall clock.
    func storeNow(at now: ContinuousClock.Instant, wall: UnixMilliseconds) -> UnixMilliseconds {
        guard let shadow, let asked else { return wall }
        return shadow.now + asked.duration(to: now)
    }

    /// All cooldowns as they are told, also those that have ended and await their probe.
    func cooldowns(at now: ContinuousClock.Instant) -> [Shadow.Cooldown] {
        cooldowns.sorted { $0.key.rawValue < $1.key.rawValue }.map { scope, remembered in
            Shadow.Cooldown(
                scope: scope, rest: max(.zero, now.duration(to: remembered.end)),
                strikes: remembered.strikes, reason: remembered.reason, keys: remembered.keys)
        }
    }

    /// The evidence of this instance for a control that lost data.
    func testimony(
        at now: ContinuousClock.Instant, wall: UnixMilliseconds, settings: RefreshSettings,
        flight: Testimony.Flight?, offline: Testimony.Offline? = nil, by witness: String? = nil,
        snapshots: [StoredSnapshot]
    ) -> Testimony {
        let ledger: Testimony.Ledger? =
            if let shadow, let asked, !isPoison(age: asked.duration(to: now), plan: settings.plan) {
                Testimony.Ledger(
                    month: shadow.month, counted: shadow.counted, assumed: shadow.assumed,
                    external: shadow.external, members: othersPresent(but: settings.holder),
                    age: asked.duration(to: now))
            } else {
                nil
            }
        return Testimony(
            holder: witness ?? settings.holder, member: settings.holder, floor: floor, birth: birth,
            version: version, wall: wall, ledger: ledger, cooldowns: cooldowns(at: now), flight: flight,
            offline: offline, snapshots: snapshots, plan: settings.plan, lease: settings.times.lease,
            grace: settings.grace)
    }

    /// The other members that were there when the store last told.
    private func othersPresent(but holder: String) -> [String] {
        guard let (told, _) = lookedLast else { return [] }
        return told.filter { $0.name != holder && $0.idle < StoreTimings.presenceKept }.map(\.name)
    }

    /// Whether what a state file remembers of the ledger is too old to be told.
    ///
    /// The store adds one call for each gap that has passed since: an hour can be a whole plan. Up to a minute, or up to a
    /// hundredth of the plan, that is a fair price for what is known; beyond it the store's own guess is the better one.
    private func isPoison(age: Duration, plan: QuotaPlan) -> Bool {
        isFromFile && age > Self.longestEvidence(plan)
    }

    /// How old a state file's ledger may be and still be told.
    static func longestEvidence(_ plan: QuotaPlan) -> Duration {
        let numbers = PlanNumbers(plan)
        return min(.seconds(3_600), max(.seconds(60), .milliseconds(numbers.gap * (numbers.monthly / 100))))
    }

    /// The control as last told, for the state file; nil if it never was.
    func savedLedger(at now: ContinuousClock.Instant, by holder: String) -> SavedState.Ledger? {
        guard let shadow, let asked, let month = Month(text: shadow.month) else { return nil }
        return SavedState.Ledger(
            birth: shadow.birth, month: month, counted: shadow.counted, assumed: shadow.assumed,
            external: shadow.external, plan: shadow.plan, epoch: shadow.epoch, instances: instances,
            members: othersPresent(but: holder), toldAt: shadow.now,
            age: max(.zero, asked.duration(to: now)))
    }

    /// The same for the budget of calls without the store.
    func offlineLedger(at now: ContinuousClock.Instant) -> OfflineBudget.Ledger? {
        savedLedger(at: now, by: "").map { ledger in
            OfflineBudget.Ledger(
                month: ledger.month, used: ledger.counted + ledger.assumed + ledger.external,
                plan: ledger.plan, age: ledger.age,
                instances: ledger.instances ?? 1)
        }
    }
}
