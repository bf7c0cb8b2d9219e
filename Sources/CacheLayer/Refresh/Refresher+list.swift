/// The list of currencies: fetched only where somebody asks for it, behind the latest tables, and known to every instance.
extension Refresher {
    /// The list that is held and may still be served; an expired one counts as none, so that all instances agree about it,
    /// those too that never had it in memory.
    private var usableList: RateSnapshot? {
        guard let adopted = states[.currencies]?.adopted,
            adopted.age(at: time.now()) < settings.policy.keepFor(adopted.snapshot)
        else { return nil }
        return adopted.snapshot
    }

    /// Upstream's decimals where they aren't ISO 4217's; none while no list is held.
    var minorUnits: [Currency: Int] { usableList?.list?.minorUnits ?? [:] }

    /// The shortest time from a fetch of the list to its next one.
    ///
    /// Where there is none, a call that brings nothing must not keep it from everybody for a day.
    var leastListInterval: Duration {
        usableList == nil ? TierPolicy.missingListInterval : TierPolicy.listInterval
    }

    /// When the list may be asked for; nil while nobody wants it, and while this instance has a latest table under way.
    func listDue(at now: ContinuousClock.Instant) -> (Resource, ContinuousClock.Instant)? {
        guard let state = states[.currencies], let due = due(.currencies, state, at: now),
            !flights.keys.contains(where: \.isLatest)
        else { return nil }
        return (.currencies, max(due, turnBehindLatest(at: now)))
    }
}
