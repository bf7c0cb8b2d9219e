#if canImport(CHiredisTLS)
import CHiredis
import CHiredisTLS
import Glibc

/// What all TLS links of one client share: whom it trusts and what it shows.
///
/// A link's certificate must be trusted and bear the host's name or address. TLS 1.2 at least. Sendable: OpenSSL counts
/// the references to it by itself, and nothing is changed after `init`.
final class RedisTLS: @unchecked Sendable {
    /// Whether this build has TLS.
    static let isBuiltIn = true

    /// One link's side of it; OpenSSL's object lives at least as long.
    ///
    /// Only on the loop's own thread.
    final class Session {
        private let session: OpaquePointer

        fileprivate init(_ session: OpaquePointer) { self.session = session }

        deinit { fxgw_tls_end(session) }

        /// Whether the link has ended because of what the server has shown, or before TLS was agreed on.
        var isRefused: Bool {
            fxgw_tls_is_refused(session) != 0 || fxgw_tls_is_established(session) == 0
        }
    }

    private let shared: OpaquePointer

    /// Reads the files.
    ///
    /// - Throws: `badFile`, `tlsUnavailable`.
    init(_ extras: RedisEndpointExtras) throws(RedisURLError) {
        var problem: Int32 = 0
        let made = Self.withText(extras.authorities) { authorities in
            Self.withText(extras.certificate) { certificate in
                Self.withText(extras.key) { key in fxgw_tls_make(authorities, certificate, key, &problem) }
            }
        }
        guard let made else {
            switch Int(problem) {
            case FXGW_TLS_BAD_CA: throw .badFile(.authorities)
            case FXGW_TLS_BAD_CERTIFICATE: throw .badFile(.certificate)
            case FXGW_TLS_BAD_KEY: throw .badFile(.key)
            default: throw .tlsUnavailable(hiredisMajor: RedisLibrary.major)
            }
        }
        shared = made
    }

    deinit { fxgw_tls_free(shared) }

    /// Begins TLS on a context that has begun to connect.
    ///
    /// - Throws: why it fails at once: `tlsRefused`, or `unreachable`.
    func begin(
        on context: UnsafeMutablePointer<redisContext>, host: String
    ) throws(RedisLinkEnd) -> Session {
        let name = String(host.prefix { $0 != "%" })
        let isNumeric: Int32 = RedisResolver.isNumeric(host) ? 1 : 0
        var isRefused: Int32 = 0
        guard let session = fxgw_tls_begin(shared, context, name, isNumeric, &isRefused) else {
            throw isRefused != 0 ? .tlsRefused : .unreachable
        }
        return Session(session)
    }

    private static func withText<T>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> T) -> T {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}
#else
import CHiredis

/// Stands where this build has no TLS: there is never one.
final class RedisTLS: Sendable {
    static let isBuiltIn = false

    final class Session {
        let isRefused = false

        private init() {}
    }

    init(_ extras: RedisEndpointExtras) throws(RedisURLError) {
        throw .tlsUnavailable(hiredisMajor: RedisLibrary.major)
    }

    func begin(
        on context: UnsafeMutablePointer<redisContext>, host: String
    ) throws(RedisLinkEnd) -> Session {
        throw .tlsRefused
    }
}
#endif
