/// What happened on the way to the store.
///
/// Never holds a password or a value.
package enum StoreFault: Hashable, Sendable {
    /// No link at present; the next try comes by itself.
    case notConnected
    /// The breaker is open after failures in a row.
    case breakerOpen
    case timedOut
    /// The link was closed or reset.
    case linkLost
    /// The server answered with an error: its first word (`READONLY`, `LOADING`, `NOAUTH`, `NOPERM`, …).
    case serverError(String)
    /// The server's user lacks permission for a command, where the server named it, or for a key or channel.
    case forbidden(command: String?)
    /// The answer was not of the form that was asked for.
    case badReply
    /// Others changed the control at each of several tries.
    case contended
    /// The store is being closed.
    case closed
}
