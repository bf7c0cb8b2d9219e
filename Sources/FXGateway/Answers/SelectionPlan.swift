import CacheLayer

/// What an answer will say: the rates of one snapshot that are served, and how the whole stands.
struct SelectionPlan {
    let resource: Resource
    let snapshot: RateSnapshot
    /// The currency whose table is asked for; another one than the snapshot's if it is derived.
    let base: Currency
    /// In the order of their codes; never empty, never an expired one.
    let served: [QuoteStanding]
    /// Asked for by name, but the snapshot doesn't have them; sorted.
    let unknown: [Currency]
    /// In the snapshot, but beyond their stale windows; sorted.
    let expired: [Currency]
    /// The worst of what was asked for.
    let state: Freshness
    /// Why it isn't fresh; nil if it is.
    let reason: StaleReason?
    /// Why time has made what isn't fresh stale: how its refreshing stands.
    let timeReason: StaleReason
    /// The first end of a lifetime among what makes the state, by the store's clock.
    let freshUntil: UnixMilliseconds
    /// The first end of a stale window among the same.
    let servedUntil: UnixMilliseconds
    /// When any rate's state changes next.
    let changesAt: UnixMilliseconds
    /// When its snapshot is due for a refresh.
    let nextRefresh: UnixMilliseconds
    /// Whether it is of a past day that can't change any more.
    let isSettled: Bool

    /// Whether the snapshot was asked for by name: no clock moves what is said of it.
    let isPinned: Bool

    /// What `served`, which isn't empty, says as a whole at an age in milliseconds.
    ///
    /// Where the symbols were named (`isByName`), the worst of them counts. A whole table isn't made stale by the values
    /// that were kept from an earlier one, since a retired currency would then do so for days: those are listed.
    init(
        holding: Holding, base: Currency, served: [QuoteStanding], unknown: [Currency], expired: [Currency],
        isByName: Bool, age: Int64, policy: TierPolicy
    ) {
        let counted = Self.counted(served, isByName: isByName)
        let worst = counted.map(\.state).max() ?? .stale
        resource = holding.snapshot.resource
        snapshot = holding.snapshot
        isPinned = false
        self.base = base
        self.served = served
        self.unknown = unknown
        self.expired = expired
        state = worst
        let now = holding.snapshot.fetchedAt + .milliseconds(age)
        timeReason = holding.view.condition.staleReason(of: holding.snapshot, at: now, policy)
        reason = worst == .fresh ? nil : Self.reason(counted, worst, timeReason)
        freshUntil = counted.map(\.freshUntil).min() ?? holding.snapshot.fetchedAt
        servedUntil = counted.map(\.servedUntil).min() ?? holding.snapshot.fetchedAt
        isSettled =
            holding.snapshot.year.map {
                policy.isSettled($0, in: holding.snapshot) && holding.snapshot.day != nil
            }
            ?? false
        // Of a past day that isn't settled: which day is today has a say in it.
        let midnight = holding.snapshot.day == nil || isSettled ? [] : [now.nextMidnight]
        let turns = timeReason == .refreshing ? [] : [holding.nextRefresh, Month(containing: now).next.start]
        changesAt =
            (served.flatMap { [$0.freshUntil, $0.servedUntil] } + midnight + turns).filter { $0 > now }.min()
            ?? now + .milliseconds(1)
        nextRefresh = holding.nextRefresh
    }

    /// The row of its year that a past day stands on; nil for the latest rates.
    var row: YearTable.Row? {
        snapshot.day.flatMap { day in snapshot.year?.row(onOrBefore: day) }
    }

    /// Whether a past day has no rates of its own, but those of an earlier one.
    var isForwardFilled: Bool { row.map { $0.isForwardFilled || $0.date != snapshot.day } ?? false }

    /// Whether its data time tells it from all other answers to the same question.
    ///
    /// Not so one that isn't fresh, nor one with a value that was kept from an earlier snapshot: the next answer may say
    /// something else and have the same data time.
    var isToldByTime: Bool { isSettled || isPinned || state == .fresh && !served.contains(where: \.isKept) }

    /// Whether the rates were computed from another base's table.
    var isDerived: Bool { base != snapshot.table.base }

    /// What is listed as not available: unknown and expired ones, sorted.
    var unavailable: [Currency] { (unknown + expired).sorted() }

    /// The rates that aren't fresh on their own, sorted: none where all aren't, since the state says that already.
    var staleSymbols: [Currency] {
        let stale = served.filter { $0.state != .fresh }
        return stale.count == served.count ? [] : stale.map(\.quote.quote)
    }

    /// What makes state and labels: not the base in itself unless it is alone, nor kept values of a whole table.
    private static func counted(_ served: [QuoteStanding], isByName: Bool) -> [QuoteStanding] {
        let rates = served.filter { !$0.isIdentity }
        let named = rates.isEmpty ? served : rates
        guard !isByName else { return named }
        let current = named.filter { !$0.isKept }
        return current.isEmpty ? named : current
    }

    /// How the refreshing stands if time has made it stale, else what the rates say of themselves.
    static func reason(
        _ counted: [QuoteStanding], _ worst: Freshness, _ timeReason: StaleReason
    ) -> StaleReason {
        let guilty = counted.filter { $0.state == worst }
        let own = guilty.compactMap(\.ownReason)
        guard own.count == guilty.count, let first = own.first else { return timeReason }
        return own.contains(.quarantine) ? .quarantine : first
    }
}
