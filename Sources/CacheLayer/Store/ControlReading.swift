/// The control as one read of the store found it.
enum ControlReading: Hashable, Sendable {
    /// There is none.
    case absent
    /// Something is there that is no control: another type, or fields that can't be read.
    case unreadable
    /// One of a later version of this program, by its schema: never overwritten.
    case later(schema: Int64)
    case record(ControlRecord)
}
