/// What the refresher asks of the upstream side: one call for one resource.
package struct FetchOrder: Sendable {
    package let resource: Resource
    /// From now to the last byte.
    package let limit: Duration
    /// What is held: its good values stand in for those that the answer lacks.
    package let held: RateTable?
    /// The pages that are held of a year of history; nil for any other resource, or where none is.
    package let heldYear: YearTable?
    /// The currencies that the pivot's newest table has: what a year of history is asked for.
    package let listed: [Currency]
    /// Upstream's decimals where they aren't ISO 4217's, by the list that is held: what is fetched is rounded by them.
    package let minorUnits: [Currency: Int]
    /// The interval granted with the lease, on which the answer's lifetime is built.
    package let interval: Duration
    /// The store's time, for checks of the answer's own times.
    package let storeNow: @Sendable () -> UnixMilliseconds
    /// Asked directly before the first byte leaves; false means that the call must not be made any more.
    package let mayStart: @Sendable () -> Bool

    package init(
        resource: Resource, limit: Duration, held: RateTable?, heldYear: YearTable? = nil,
        listed: [Currency] = [], minorUnits: [Currency: Int] = [:], interval: Duration,
        storeNow: @escaping @Sendable () -> UnixMilliseconds,
        mayStart: @escaping @Sendable () -> Bool
    ) {
        self.resource = resource
        self.limit = limit
        self.held = held
        self.heldYear = heldYear
        self.listed = listed
        self.minorUnits = minorUnits
        self.interval = interval
        self.storeNow = storeNow
        self.mayStart = mayStart
    }
}
