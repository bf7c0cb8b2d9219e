/// One accepted upstream answer for a resource: immutable, with an id.
package final class RateSnapshot: Sendable {
    package let id: SnapshotID
    package let resource: Resource
    /// The fencing token of the lease under which it was fetched.
    package let token: FencingToken
    /// When the answer had arrived, by the store's clock, so that all instances compute the same age.
    package let fetchedAt: UnixMilliseconds
    /// The interval until the next fetch that the store granted with the lease: what a live lifetime is
    /// built on.
    package let interval: Duration
    /// What it says; for a year of history, its newest row; for the list of currencies, nothing but when it came.
    package let table: RateTable
    /// The rows of a year of history; nil for any other resource.
    package let year: YearTable?
    /// The list of currencies; nil for any other resource.
    package let list: CurrencyList?
    /// The day of a year of history that `table` is the table of; nil for the whole.
    package let day: CivilDate?

    package init(
        id: SnapshotID, resource: Resource, token: FencingToken, fetchedAt: UnixMilliseconds,
        interval: Duration,
        table: RateTable, year: YearTable? = nil, list: CurrencyList? = nil, day: CivilDate? = nil
    ) {
        self.id = id
        self.resource = resource
        self.token = token
        self.fetchedAt = fetchedAt
        self.interval = interval
        self.table = table
        self.year = year
        self.list = list
        self.day = day
    }

    /// One day of a year of history, with the table that holds for it.
    package func on(_ day: CivilDate, _ table: RateTable) -> RateSnapshot {
        RateSnapshot(
            id: id, resource: resource, token: token, fetchedAt: fetchedAt, interval: interval, table: table,
            year: year, day: day)
    }

    /// What decides which of two snapshots of a resource is newer.
    package var order: SnapshotOrder {
        SnapshotOrder(token: token, dataTime: table.dataTime.instant, source: table.source)
    }
}
