/// What is wrong with a Redis URL.
///
/// Says which part and how to write it; never holds a piece of the URL itself, as any piece may be the password.
package enum RedisURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part of the URL, named in messages.
    package enum Part: String, Sendable {
        case user
        case password
        case path
        case service
    }

    /// A way to reach Redis that is understood but can't be connected to.
    package enum Kind: String, Sendable {
        case sentinel = "redis+sentinel"
        case cluster = "redis+cluster"
    }

    case unsupportedScheme
    /// `%` without two hexadecimal digits, or bytes that are no UTF-8.
    case badEncoding(Part)
    /// An `@`, `/`, `?` or `#` that should be percent-encoded.
    case strayCharacter
    case userWithoutPassword
    case emptyPassword
    case missingHost
    case badHost
    case badPort
    case badDatabase
    case unknownParameter
    /// Sentinel without the name of the master, or a standalone URL with more than one host.
    case missingService
    case severalHosts
    case missingPath
    /// A socket's path has at most 107 bytes.
    case pathTooLong
    /// The hiredis at hand has no TLS; its major version.
    case tlsUnavailable(hiredisMajor: Int)
    case notYetSupported(Kind)

    package var description: String {
        switch self {
        case .unsupportedScheme:
            "the scheme must be redis, rediss, unix, redis+unix, redis+sentinel or redis+cluster"
        case .badEncoding(let part):
            "the \(part.rawValue) is not well percent-encoded: write % as %25, other bytes as UTF-8"
        case .strayCharacter:
            "a character stands where it can't: in user and password write @ as %40, / as %2F, ? as %3F, # as %23"
        case .userWithoutPassword: "there is a user but no password"
        case .emptyPassword: "the password is empty"
        case .missingHost: "the host is missing"
        case .badHost: "the host is neither a name nor an address; IPv6 addresses stand in [ ]"
        case .badPort: "the port must be a number from 1 to 65535"
        case .badDatabase: "the database must be a number from 0 to 65535"
        case .unknownParameter: "the only parameter is db"
        case .missingService: "redis+sentinel needs the master's name as its path: redis+sentinel://host/name"
        case .severalHosts: "only redis+sentinel and redis+cluster take several hosts"
        case .missingPath: "unix needs the socket's absolute path: unix:///run/redis/redis.sock"
        case .pathTooLong: "the socket's path has more than 107 bytes"
        case .tlsUnavailable(let major):
            major == 0
                ? "TLS needs hiredis 1.x, this program is built on 0.14: use redis:// or a TLS tunnel"
                : "TLS is not built in: use redis:// or a TLS tunnel"
        case .notYetSupported(let kind): "\(kind.rawValue) is not supported yet: name one server by redis://"
        }
    }
}
