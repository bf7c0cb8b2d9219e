/// What the simulation does at an instant.
enum MonthEvent: Sendable {
    /// A client asks this instance for a table.
    case request(slot: Int)
    /// An hour begins: one instance will be restarted in it.
    case hour
    /// A day begins: one failover will come in it.
    case day
    /// An instance ends: in order, or killed.
    case end(slot: Int, isKilled: Bool)
    /// The next instance that calls upstream ends in mid-call.
    case arm(isKilled: Bool)
    /// Another process takes the place.
    case start(slot: Int)
    /// The replica has got all that there is, and gets no more.
    case replicaStops
    /// The server is gone: all links drop.
    case failover
    case linkUp(slot: Int)
    case flush
    /// This instance looks at the store, as it does each second in life.
    case look(slot: Int)
}
