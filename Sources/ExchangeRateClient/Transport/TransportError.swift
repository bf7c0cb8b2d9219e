/// Why there is no HTTP answer.
///
/// Holds neither URL, key nor text of the other side, so every case may be logged. An answer with a status of
/// 300 and above is an answer, not an error.
public enum TransportError: Error, Sendable, Hashable {
    /// The gate said no; nothing was sent.
    case notStarted
    /// The deadline passed before the last byte; the connection was dropped.
    case timedOut
    /// The decoded body went over the limit; the rest was not read.
    case bodyTooLarge
    /// No trusted TLS connection; the request was not sent.
    case tls(TLSFailure)
    /// The host's name has no address.
    case dns
    /// Nobody listens at the address, or it can't be reached; the request was not sent.
    case refused
    /// The connection broke before the last byte; the request may have been served.
    case connectionLost
    /// The calling task was cancelled; the request may have been served.
    case cancelled
    /// The base URL, path or query can't form a URL; nothing was sent.
    case invalidURL
    /// The key is empty or holds something other than visible ASCII characters; it is not shown.
    case invalidKey
    /// Anything else, with URLSession's error code; the request may have been served.
    case other(code: Int)
}
