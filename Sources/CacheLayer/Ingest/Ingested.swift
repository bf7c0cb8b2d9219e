/// An upstream answer that was let in.
package struct Ingested: Hashable, Sendable {
    package let table: RateTable
    /// The rows of a year of history, those of earlier pages among them; nil for any other resource.
    package let year: YearTable?
    /// The list of currencies; nil for any other resource.
    package let list: CurrencyList?
    /// Of the body as it came.
    package let digest: ContentDigest
    package let notes: IngestNotes

    package init(
        table: RateTable, year: YearTable? = nil, list: CurrencyList? = nil, digest: ContentDigest,
        notes: IngestNotes
    ) {
        self.table = table
        self.year = year
        self.list = list
        self.digest = digest
        self.notes = notes
    }

    /// The snapshot of this answer.
    ///
    /// `fetchedAt` is when it had arrived, by the store's clock; `token` and `interval` come with the lease.
    package func snapshot(
        of resource: Resource, token: FencingToken, fetchedAt: UnixMilliseconds, interval: Duration
    ) -> RateSnapshot {
        RateSnapshot(
            id: SnapshotID(fetchedAt: fetchedAt, digest: digest.bytes), resource: resource, token: token,
            fetchedAt: fetchedAt, interval: interval, table: table, year: year, list: list)
    }
}
