import CacheLayer
import HTTPEngine

/// What a client asks of `/v1/stream`.
struct StreamQuery: Hashable, Sendable {
    let filter: StreamFilter
    /// The last event that the client has seen, as the query says.
    let lastEventID: SnapshotID?

    /// The last event that a client has seen, by all that it says.
    enum LastEvent: Hashable {
        /// It begins.
        case none
        /// It comes back with an id that is none of ours: of another service at the same address, for example.
        case foreign
        case snapshot(SnapshotID)
    }

    /// By `Last-Event-ID`, else by the query: a browser that comes back asks the address that it began with.
    func lastEvent(_ request: HTTPRequest) -> LastEvent {
        if let field = request.header(named: "last-event-id"), !field.isEmpty {
            return SnapshotID(parsing: String(decoding: field, as: UTF8.self)).map { .snapshot($0) }
                ?? .foreign
        }
        return lastEventID.map { .snapshot($0) } ?? .none
    }
}
