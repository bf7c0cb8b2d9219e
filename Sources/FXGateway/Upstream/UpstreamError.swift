import CCurl

/// Why upstream gave no HTTP answer.
///
/// Holds neither URL, key nor text of the other side, so every case may be logged. An answer with a status of 300 and
/// above is an answer, not an error.
enum UpstreamError: Error, Sendable, Hashable {
    /// The gate said no; nothing was sent.
    case notStarted
    /// The deadline passed before the last byte; the connection was dropped.
    case timedOut
    /// The calling task was cancelled; the request may have been served.
    case cancelled
    /// Head or body went over its limit; the rest was not read.
    case tooLarge
    /// No authority we know vouches for the certificate; the request was not sent.
    case untrustedCertificate
    /// The certificate is past its end or not valid yet; the request was not sent.
    case expiredCertificate
    /// The certificate is for another host; the request was not sent.
    case wrongHost
    /// No common TLS, or the other side doesn't speak it; the request was not sent.
    case handshake
    /// The host's name has no address.
    case dns
    /// Nobody listens at the address, or it can't be reached; the request was not sent.
    case refused
    /// The connection ended before the answer did; the request may have been served.
    case connectionLost
    /// What came is no HTTP, or names two lengths.
    case notHTTP
    /// The key is empty or holds something other than visible ASCII characters; it is not shown.
    case invalidKey
    /// Anything else, with libcurl's code; the request may have been served.
    case other(code: UInt32)

    /// Reads libcurl's verdict on a call that brought no answer; `certificate` is OpenSSL's on its certificate.
    init(_ code: CURLcode, certificate: Int) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY: self = .tooLarge
        case CURLE_PEER_FAILED_VERIFICATION: self = Self.refusal(of: certificate)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: self = .handshake
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .dns
        case CURLE_COULDNT_CONNECT: self = .refused
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: self = .connectionLost
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: self = .notHTTP
        default: self = .other(code: code.rawValue)
        }
    }

    /// X509_V_ERR_CERT_NOT_YET_VALID and _HAS_EXPIRED are 9 and 10.
    ///
    /// The host is libcurl's own check, made once the chain has passed in the handshake and before libcurl reads OpenSSL's verdict:
    /// that is then still 1, as libcurl sets it at first; other versions leave 0.
    private static func refusal(of certificate: Int) -> Self {
        switch certificate {
        case 0, 1: .wrongHost
        case 9, 10: .expiredCertificate
        default: .untrustedCertificate
        }
    }

    /// The stable word for metrics and logs.
    var reason: String {
        switch self {
        case .notStarted: "not_started"
        case .timedOut: "timed_out"
        case .cancelled: "cancelled"
        case .tooLarge: "too_large"
        case .untrustedCertificate: "tls_untrusted"
        case .expiredCertificate: "tls_expired"
        case .wrongHost: "tls_wrong_host"
        case .handshake: "tls_handshake"
        case .dns: "dns"
        case .refused: "refused"
        case .connectionLost: "connection_lost"
        case .notHTTP: "not_http"
        case .invalidKey: "invalid_key"
        case .other: "other"
        }
    }
}
