/// One resource as its refresher sees it: what is held, how its refreshing stands, who wants it.
///
/// A pure value.
struct ResourceState: Sendable {
    private(set) var adopted: Adopted?
    /// The adopted snapshot as the store keeps it.
    private var stored: StoredSnapshot?
    /// The order of the newest one seen in the store, also where its body could not be read.
    private(set) var seen: SnapshotOrder?
    private(set) var condition = RefreshCondition.idle
    /// Not to be asked for before that; nil means now.
    private var notBefore: ContinuousClock.Instant?
    /// How much later it is asked for where no client waits, so that instances don't come back together.
    private var spread = Duration.zero
    private(set) var obstacle: Obstacle?
    /// When it was last asked for.
    private(set) var lastDemand: ContinuousClock.Instant?
    /// Since when clients wait for something usable; nil while none does.
    private(set) var awaitedSince: ContinuousClock.Instant?
    /// Whether it is to be asked for before the interval of what is held is over.
    private(set) var isHurried = false
    /// The wait until the due instant has passed, spread over the instances.
    private var jitter = Duration.zero

    /// What may be out of the way before its time, and is then watched for.
    enum Obstacle: Hashable, Sendable {
        /// All slots of the fleet are taken: any finish may free one.
        case slot
        /// The month's plan is used up: a new month begins another one.
        case plan
        /// A pause of upstream calls: a probe's success or an operator may end it.
        case cooldown(CooldownScope)
        /// Upstream refuses this kind of resource: a new key or an operator may end it.
        case refusal
    }

    /// Whether clients wait for something usable.
    var isAwaited: Bool { awaitedSince != nil }

    /// What it takes in memory: the table and its form for the store, about; zero for anything but a year.
    var yearBytes: Int {
        guard let year = adopted?.snapshot.year else { return 0 }
        return year.byteCount + (stored?.body.count ?? 0)
    }

    var view: ResourceView { ResourceView(adopted: adopted, condition: condition) }

    /// Whether anybody has asked for it within `kept`.
    func isInDemand(at now: ContinuousClock.Instant, kept: Duration) -> Bool {
        guard let lastDemand else { return false }
        return lastDemand.duration(to: now) < kept
    }

    mutating func ask(_ demand: Demand, at now: ContinuousClock.Instant) {
        lastDemand = now
        if demand == .cold, awaitedSince == nil { awaitedSince = now }
    }

    /// Takes a snapshot into memory if it beats what is held.
    ///
    /// - Returns: whether it did.
    mutating func adopt(_ newer: Adopted, stored: StoredSnapshot, jitter: Duration) -> Bool {
        guard newer.snapshot.order.beats(adopted?.snapshot.order) else { return false }
        adopted = newer
        self.stored = stored
        if newer.snapshot.token > seen?.token ?? .none { seen = newer.snapshot.order }
        self.jitter = jitter
        awaitedSince = nil
        isHurried = false
        set(.idle, notBefore: nil)
        return true
    }

    /// What is held, for a store that has lost it: with what is left of its life there; nil if that is over.
    func stored(at now: ContinuousClock.Instant) -> StoredSnapshot? {
        guard let stored, let adopted else { return nil }
        let rest = stored.keepFor - adopted.arrived.duration(to: now)
        return rest >= .milliseconds(1) ? stored.kept(for: rest) : nil
    }

    /// Notes one whose body can't be read: it is a miss, and the next fetch must beat it.
    mutating func skip(_ order: SnapshotOrder) {
        if order.beats(seen) { seen = order }
    }

    /// The store has less than was seen in it: only what is held counts any more.
    mutating func forgetSeen() { seen = adopted?.snapshot.order }

    mutating func set(
        _ condition: RefreshCondition, notBefore: ContinuousClock.Instant?, spread: Duration = .zero,
        obstacle: Obstacle? = nil
    ) {
        self.condition = condition
        self.notBefore = notBefore
        self.spread = spread
        self.obstacle = obstacle
    }

    /// Whether nothing speaks against asking.
    func mayAsk(at now: ContinuousClock.Instant) -> Bool { notBefore.map { $0 <= now } ?? true }

    /// Forgets what is held: as if it had never come.
    mutating func drop() {
        adopted = nil
        stored = nil
        seen = nil
    }

    /// Lets it be asked for at once again.
    mutating func wake() { notBefore = nil }

    /// Has it asked for as soon as nothing speaks against it, until something newer is held.
    mutating func hurry() { isHurried = true }

    /// When it should be asked for next; nil while nobody wants it.
    func due(at now: ContinuousClock.Instant, settings: RefreshSettings) -> ContinuousClock.Instant? {
        asking(at: now, settings: settings).at
    }

    /// When it should be asked for next, and what decides that.
    ///
    /// Counted from the age of what is held, so that a store whose clock jumps changes nothing.
    func asking(at now: ContinuousClock.Instant, settings: RefreshSettings) -> Asking {
        guard isInDemand(at: now, kept: settings.demandKept) else { return Asking(at: nil, cause: .unwanted) }
        let byTier = isAwaited ? nil : refreshDue(at: now, settings.policy)
        // Of several, the one that was asked for first is due longest.
        let byInterval = isHurried ? now : byTier?.advanced(by: jitter)
        let wanted = byInterval ?? awaitedSince ?? now
        let spread = isAwaited ? .zero : spread
        if let allowed = notBefore?.advanced(by: spread), allowed > wanted {
            return Asking(at: allowed, cause: .heldBack, jitter: spread)
        }
        guard byTier == nil else {
            return Asking(at: wanted, cause: .tier, jitter: isHurried ? .zero : jitter)
        }
        return Asking(at: wanted, cause: isAwaited ? .awaited : .nothingHeld)
    }
}
