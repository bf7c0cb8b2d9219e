/// The list of currencies: fetched only where somebody asks for it, behind the latest tables, and known to every instance.
extension Refresher {
    /// Upstream's decimals where they aren't ISO 4217's; none while no list is held.
    var minorUnits: [Currency: Int] { states[.currencies]?.adopted?.snapshot.list?.minorUnits ?? [:] }

    /// When the list may be asked for; nil while nobody wants it, and while this instance has a latest table under way.
    func listDue(at now: ContinuousClock.Instant) -> (Resource, ContinuousClock.Instant)? {
        guard let state = states[.currencies], let due = due(.currencies, state, at: now),
            !flights.keys.contains(where: \.isLatest)
        else { return nil }
        return (.currencies, max(due, turnBehindLatest(at: now)))
    }
}
