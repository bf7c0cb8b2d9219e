/// What the parameters of a Redis URL name.
struct RedisEndpointExtras: Hashable, Sendable {
    var database: Int?
    /// The sentinels' own account; without a password they are asked without a login.
    var sentinelUser: String?
    var sentinelPassword: String?
    /// PEM files: whom to trust instead of the system's authorities, and what to show the server.
    var authorities: String?
    var certificate: String?
    var key: String?

    var isAboutSentinels: Bool { sentinelUser != nil || sentinelPassword != nil }
    var isAboutTLS: Bool { authorities != nil || certificate != nil || key != nil }

    init() {}

    /// Reads what stands behind the `?`; values are percent-decoded, each name may stand there once.
    init(query: Substring) throws(RedisURLError) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = RedisURLError.Part(rawValue: String(parts[0])) else {
                throw .unknownParameter
            }
            if name == .database {
                guard database == nil else { throw .unknownParameter }
                database = try RedisEndpoint.database(parts[1])
                continue
            }
            let value = try RedisEndpoint.decoded(parts[1], name)
            guard !value.isEmpty, !value.utf8.contains(0) else { throw .emptyParameter(name) }
            try set(name, value)
        }
        if sentinelUser != nil && sentinelPassword == nil { throw .userWithoutPassword }
        if (certificate == nil) != (key == nil) { throw .certificateWithoutKey }
    }

    private mutating func set(_ name: RedisURLError.Part, _ value: String) throws(RedisURLError) {
        let place: WritableKeyPath<Self, String?>
        switch name {
        case .sentinelUser: place = \.sentinelUser
        case .sentinelPassword: place = \.sentinelPassword
        case .authorities: place = \.authorities
        case .certificate: place = \.certificate
        case .key: place = \.key
        case .user, .password, .path, .service, .database: throw .unknownParameter
        }
        guard self[keyPath: place] == nil else { throw .unknownParameter }
        self[keyPath: place] = value
    }
}
