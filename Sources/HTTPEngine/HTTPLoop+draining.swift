/// The end of a loop's service.
extension HTTPLoop {
    /// Closes the listener, and idle connections after the grace; answers everything else with `Connection: close`;
    /// cuts the rest after `limit`.
    func beginDrain(limit: Duration, completion: @escaping (DrainResult) -> Void) {
        acceptor?.end()
        acceptor = nil
        isDraining = true
        application.draining()
        let connections = table.all
        for connection in connections where connection.isIdle {
            // A request may be on its way already: it is answered rather than cut off.
            readable(connection)
            if connection.isIdle { startDeadline(connection, after: ticks.grace) }
        }
        let drain = Drain(total: connections.count, completion: completion)
        self.drain = drain
        drain.start(limit: limit, in: self)
    }
}
