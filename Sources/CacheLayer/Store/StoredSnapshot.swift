/// A snapshot as the store keeps it: what the order needs, in the open, and the encoded rest.
package struct StoredSnapshot: Hashable, Sendable {
    package let resource: Resource
    package let id: SnapshotID
    package let token: FencingToken
    package let fetchedAt: UnixMilliseconds
    package let dataTime: UnixMilliseconds
    package let source: Source
    /// What `SnapshotCodec` wrote: opaque here.
    package let body: [UInt8]
    /// How long the store keeps it from now on: lifetime + stale window, in whole milliseconds, at least
    /// one.
    package let keepFor: Duration

    package init(
        resource: Resource, id: SnapshotID, token: FencingToken, fetchedAt: UnixMilliseconds,
        dataTime: UnixMilliseconds, source: Source, body: [UInt8], keepFor: Duration
    ) {
        self.resource = resource
        self.id = id
        self.token = token
        self.fetchedAt = fetchedAt
        self.dataTime = dataTime
        self.source = source
        self.body = body
        self.keepFor = keepFor
    }

    /// The same one with another rest of its life in the store.
    package func kept(for rest: Duration) -> StoredSnapshot {
        StoredSnapshot(
            resource: resource, id: id, token: token, fetchedAt: fetchedAt, dataTime: dataTime,
            source: source, body: body, keepFor: rest)
    }

    package var order: SnapshotOrder { SnapshotOrder(token: token, dataTime: dataTime, source: source) }
}
