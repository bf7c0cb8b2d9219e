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
    package let table: RateTable

    package init(
        id: SnapshotID, resource: Resource, token: FencingToken, fetchedAt: UnixMilliseconds,
        interval: Duration,
        table: RateTable
    ) {
        self.id = id
        self.resource = resource
        self.token = token
        self.fetchedAt = fetchedAt
        self.interval = interval
        self.table = table
    }

    /// What decides which of two snapshots of a resource is newer.
    package var order: SnapshotOrder {
        SnapshotOrder(token: token, dataTime: table.dataTime.instant, source: table.source)
    }
}
