/// A snapshot as the fields of a hash.
///
/// One that is there and can't be read is garbage: a missing one, which a newer one replaces.
enum RedisSnapshotFields {
    enum Reading {
        case absent
        case garbage
        case snapshot(StoredSnapshot)
    }

    /// The names in the order in which they are asked for.
    static let names = ["schema", "id", "token", "fetched_at", "data_time", "source"]

    static func fields(_ snapshot: StoredSnapshot) -> [(String, String)] {
        [
            ("schema", "1"), ("id", snapshot.id.text), ("token", String(snapshot.token.value)),
            ("fetched_at", String(snapshot.fetchedAt.value)), ("data_time", String(snapshot.dataTime.value)),
            ("source", snapshot.source.name),
        ]
    }

    /// `values` are those of `names`; `keep` is what is left of its life in milliseconds, negative where there is no key.
    static func read(
        _ values: [String?]?, body: [UInt8]?, resource: Resource, keep: Int64
    ) -> Reading {
        guard let values, values.count >= names.count else { return .garbage }
        if keep == -2, values.allSatisfy({ $0 == nil }) { return .absent }
        guard values[0] == "1", let id = values[1].flatMap({ SnapshotID(parsing: $0) }),
            let token = values[2].flatMap({ ControlFieldReader.number($0) }),
            let fetchedAt = values[3].flatMap({ ControlFieldReader.number($0) }),
            let dataTime = values[4].flatMap({ ControlFieldReader.number($0) }), let source = values[5],
            let body
        else { return .garbage }
        return .snapshot(
            StoredSnapshot(
                resource: resource, id: id, token: FencingToken(token),
                fetchedAt: UnixMilliseconds(fetchedAt), dataTime: UnixMilliseconds(dataTime),
                source: Source(name: source), body: body, keepFor: .milliseconds(max(1, keep))))
    }
}
