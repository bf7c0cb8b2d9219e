/// What Redis answered.
///
/// An error inside an array stays a value there. Bounded while it is read: 8 MiB a string, 16 MiB in all, 65,536
/// elements an array, eight arrays within each other; anything beyond closes the link.
package enum RedisReply: Sendable, Hashable {
    case string([UInt8])
    case integer(Int64)
    case array([RedisReply])
    /// No such key or no value; never data.
    case null
    /// A short word of the server such as `OK`.
    case status(String)
    /// The first word of an error, and what follows it.
    case error(prefix: String, message: String)
}
