/// What this instance remembers of the control, with the age of that memory.
///
/// A pure value.
///
/// It is both the evidence for a control that lost data and the memory of cooldowns while the store is away.
struct FleetMemory: Sendable {
    private(set) var birth: String?
    /// The highest token ever adopted.
    private(set) var floor = FencingToken.none
    private(set) var shadow: Shadow?
    private(set) var told: ContinuousClock.Instant?
    private var cooldowns: [CooldownScope: Remembered] = [:]

    private struct Remembered {
        var end: ContinuousClock.Instant
        var strikes: Int64
        var reason: String
        /// Met here and not yet in the store: an answer without it doesn't clear it.
        var isUntold: Bool
    }

    /// Takes over what an answer told about the control.
    mutating func remember(_ shadow: Shadow, at now: ContinuousClock.Instant) {
        birth = shadow.birth
        self.shadow = shadow
        told = now
        var kept = cooldowns.filter { $0.value.isUntold }
        for cooldown in shadow.cooldowns {
            let end = now.advanced(by: cooldown.rest)
            guard let mine = kept[cooldown.scope], mine.end > end else {
                kept[cooldown.scope] = Remembered(
                    end: end, strikes: cooldown.strikes, reason: cooldown.reason, isUntold: false)
                continue
            }
        }
        cooldowns = kept
    }

    /// Notes a limit met by this instance, before the store is told of it.
    mutating func limit(
        _ scope: CooldownScope, wait: Duration, reason: String, at now: ContinuousClock.Instant
    ) {
        let end = now.advanced(by: wait)
        let known = cooldowns[scope]
        cooldowns[scope] = Remembered(
            end: max(end, known?.end ?? end), strikes: (known?.strikes ?? 0) + 1, reason: reason,
            isUntold: true)
    }

    /// Notes a cooldown that another instance has announced.
    mutating func hear(_ scope: CooldownScope, rest: Duration, at now: ContinuousClock.Instant) {
        let end = now.advanced(by: rest)
        let known = cooldowns[scope]
        guard known.map({ $0.end < end }) ?? true else { return }
        cooldowns[scope] = Remembered(
            end: end, strikes: known?.strikes ?? 1, reason: known?.reason ?? "announced",
            isUntold: known?.isUntold ?? false)
    }

    /// The store knows the limits met here from now on.
    mutating func limitsTold() {
        for scope in cooldowns.keys { cooldowns[scope]?.isUntold = false }
    }

    /// An operator lifts a cooldown: it is as if there had been none.
    mutating func forget(_ scope: CooldownScope) { cooldowns[scope] = nil }

    /// Whether there is a cooldown of this scope on record, running or ended.
    func isOnRecord(_ scope: CooldownScope) -> Bool { cooldowns[scope] != nil }

    mutating func adopted(_ token: FencingToken) { floor = max(floor, token) }

    /// What remains of the longest running cooldown that holds for this kind of call; nil if none runs.
    func runningCooldown(at now: ContinuousClock.Instant, isForced: Bool) -> (CooldownScope, Duration)? {
        cooldowns
            .filter { !(isForced && $0.key == .short) && $0.value.end > now }
            .max { $0.value.end < $1.value.end }
            .map { ($0.key, now.duration(to: $0.value.end)) }
    }

    /// The store's time, as well as it is known: from the last answer on by the monotonic clock, else the
    /// wall clock.
    func storeNow(at now: ContinuousClock.Instant, wall: UnixMilliseconds) -> UnixMilliseconds {
        guard let shadow, let told else { return wall }
        return shadow.now + told.duration(to: now)
    }

    /// The evidence of this instance for a control that lost data.
    func testimony(
        at now: ContinuousClock.Instant, settings: RefreshSettings, flight: Testimony.Flight?,
        snapshots: [StoredSnapshot]
    ) -> Testimony {
        let ledger: Testimony.Ledger? =
            if let shadow, let told {
                Testimony.Ledger(month: shadow.month, used: shadow.used, age: told.duration(to: now))
            } else {
                nil
            }
        return Testimony(
            holder: settings.holder, floor: floor, birth: birth, ledger: ledger,
            cooldowns: cooldowns.sorted { $0.key.rawValue < $1.key.rawValue }.map { scope, remembered in
                Shadow.Cooldown(
                    scope: scope, rest: max(.zero, now.duration(to: remembered.end)),
                    strikes: remembered.strikes, reason: remembered.reason)
            },
            flight: flight, snapshots: snapshots, plan: settings.plan, lease: settings.times.lease,
            grace: StoreTimings.grace)
    }
}
