/// One resource as its refresher sees it: what is held, how its refreshing stands, who wants it.
///
/// A pure value.
struct ResourceState: Sendable {
    private(set) var adopted: Adopted?
    /// The adopted snapshot as the store keeps it: told again to a store that has lost it.
    private(set) var stored: StoredSnapshot?
    /// The order of the newest one seen in the store, also where its body could not be read.
    private(set) var seen: SnapshotOrder?
    private(set) var condition = RefreshCondition.idle
    /// Not to be asked for before that; nil means now.
    private var notBefore: ContinuousClock.Instant?
    private var lastDemand: ContinuousClock.Instant?
    /// Whether clients wait for the first snapshot.
    private(set) var isAwaited = false
    /// The wait until the due instant has passed, spread over the instances.
    private var jitter = Duration.zero

    var view: ResourceView { ResourceView(adopted: adopted, condition: condition) }

    /// Whether anybody has asked for it within `kept`.
    func isInDemand(at now: ContinuousClock.Instant, kept: Duration) -> Bool {
        guard let lastDemand else { return false }
        return lastDemand.duration(to: now) < kept
    }

    mutating func ask(_ demand: Demand, at now: ContinuousClock.Instant) {
        lastDemand = now
        if demand == .cold { isAwaited = true }
    }

    /// Takes a snapshot into memory if it beats what is held.
    ///
    /// - Returns: whether it did.
    mutating func adopt(_ newer: Adopted, stored: StoredSnapshot, jitter: Duration) -> Bool {
        guard newer.snapshot.order.beats(adopted?.snapshot.order) else { return false }
        adopted = newer
        self.stored = stored
        seen = newer.snapshot.order
        self.jitter = jitter
        isAwaited = false
        condition = .idle
        notBefore = nil
        return true
    }

    /// Notes one whose body can't be read: it is a miss, and the next fetch must beat it.
    mutating func skip(_ order: SnapshotOrder) {
        if order.beats(seen) { seen = order }
    }

    mutating func set(_ condition: RefreshCondition, notBefore: ContinuousClock.Instant?) {
        self.condition = condition
        self.notBefore = notBefore
    }

    /// Forgets what is held: as if it had never come.
    mutating func drop() {
        adopted = nil
        stored = nil
        seen = nil
    }

    /// Lets it be asked for at once again.
    mutating func wake() { notBefore = nil }

    /// When it should be asked for next; nil while nobody wants it.
    func due(
        at now: ContinuousClock.Instant, storeNow: UnixMilliseconds, settings: RefreshSettings
    ) -> ContinuousClock.Instant? {
        guard isInDemand(at: now, kept: settings.demandKept) else { return nil }
        let wanted: ContinuousClock.Instant =
            if let adopted, !isAwaited {
                now.advanced(
                    by: settings.policy.nextRefresh(of: adopted.snapshot) - storeNow
                        + jitter)
            } else {
                now
            }
        return max(wanted, notBefore ?? wanted)
    }
}
