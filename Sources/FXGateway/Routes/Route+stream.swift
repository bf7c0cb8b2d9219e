import CacheLayer

extension Route {
    /// What a stream is to tell of: a table as in `/v1/latest`.
    static func stream(_ query: QueryText) throws(Problem) -> StreamQuery {
        let (base, symbols) = try table(nil, query)
        return StreamQuery(
            filter: StreamFilter(
                base: base, symbols: symbols, numbers: try NumberForm(parsing: query.value(.numbers)),
                kinds: try query.value(.events).map { value throws(Problem) in
                    try StreamKind.parse(value)
                } ?? [.snapshot]),
            lastEventID: try query.value(.lastEventID).map { value throws(Problem) in
                try Pin.id(value, "last_event_id")
            })
    }
}
