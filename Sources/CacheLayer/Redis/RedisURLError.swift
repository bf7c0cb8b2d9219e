/// What is wrong with a Redis URL.
///
/// Says which part and how to write it; never holds a piece of the URL itself, as any piece may be the password.
package enum RedisURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part or a parameter of the URL, named in messages.
    package enum Part: String, Sendable {
        case user
        case password
        case path
        case service
        case database = "db"
        case sentinelUser = "sentinel_user"
        case sentinelPassword = "sentinel_password"
        case authorities = "ca"
        case certificate = "cert"
        case key
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
    /// A cluster has no other database than 0.
    case clusterDatabase
    case unknownParameter
    case emptyParameter(Part)
    /// A parameter that another scheme has.
    case foreignParameter
    case certificateWithoutKey
    /// Sentinel without the name of the master, or a standalone URL with more than one host.
    case missingService
    case severalHosts
    case missingPath
    /// A socket's path has at most 107 bytes.
    case pathTooLong
    /// The hiredis at hand has no TLS; its major version.
    case tlsUnavailable(hiredisMajor: Int)
    /// A file for TLS can't be read, or isn't what it should be.
    case badFile(Part)

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
        case .clusterDatabase: "a cluster has only database 0: leave the database out"
        case .unknownParameter:
            "the parameters are db, sentinel_user, sentinel_password, ca, cert and key, each at most once"
        case .emptyParameter(let part): "the parameter \(part.rawValue) is empty"
        case .foreignParameter:
            "sentinel_user and sentinel_password belong to redis+sentinel; ca, cert and key to rediss"
        case .certificateWithoutKey: "cert and key name two files that belong together"
        case .missingService: "redis+sentinel needs the master's name as its path: redis+sentinel://host/name"
        case .severalHosts: "only redis+sentinel and redis+cluster take several hosts"
        case .missingPath: "unix needs the socket's absolute path: unix:///run/redis/redis.sock"
        case .pathTooLong: "the socket's path has more than 107 bytes"
        case .tlsUnavailable(let major):
            major == 0
                ? "TLS needs hiredis 1.x, this program is built on 0.14: use redis:// or a TLS tunnel"
                : "TLS is not built in: use redis:// or a TLS tunnel"
        case .badFile(let part):
            "the file that the parameter \(part.rawValue) names can't be used: it must be PEM"
        }
    }
}
