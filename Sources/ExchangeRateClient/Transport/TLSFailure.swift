/// Why no trusted TLS connection came about.
public enum TLSFailure: Sendable, Hashable {
    /// The certificate is self-signed or no known authority vouches for it.
    case untrusted
    /// The certificate is past its end or not valid yet.
    case expired
    /// The certificate is for another host.
    case wrongHost
    /// The two sides found no common protocol, the other side does not speak TLS, or the connection broke meanwhile.
    case handshake
}
