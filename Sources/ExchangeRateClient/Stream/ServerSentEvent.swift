/// One event of a stream as it stood on the wire.
struct ServerSentEvent: Equatable, Sendable {
    /// `message` where the stream gives none.
    let name: String
    /// The last event id as it stood when the event came; empty before the first.
    let id: String
    let data: String

    /// Whether it brings a table: the only kind that can say that others before it are missing.
    var isTable: Bool { name == "snapshot" }
}
