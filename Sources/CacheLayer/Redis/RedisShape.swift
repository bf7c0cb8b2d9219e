/// How the servers behind an endpoint belong together: it decides what an error or a lost link asks for.
enum RedisShape: Hashable, Sendable {
    /// One server, by address, name or socket.
    case single
    /// The master that sentinels name.
    case sentinel
    /// The node of a cluster that serves our slot.
    case cluster
}
