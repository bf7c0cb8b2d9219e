/// What the proxy does to the bytes.
package enum TCPProxyFault: Sendable, Hashable {
    /// Passes all on.
    case none
    /// Accepts, keeps everything open and swallows all bytes of both sides.
    case hang
    /// Closes the server's side and swallows what the client sends; the client isn't told.
    case halfOpen
    /// Resets each new connection at once.
    case refuse
    /// Resets all connections and closes the port: the system itself refuses new ones.
    case closed
}

/// The way of bytes through the proxy.
package enum TCPProxyDirection: Sendable, Hashable, CaseIterable {
    case toServer
    case toClient
}
