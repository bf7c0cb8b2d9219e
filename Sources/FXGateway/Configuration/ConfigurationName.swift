/// The environment variables that the gateway knows: a contract with its operators.
enum ConfigurationName: String, CaseIterable, Sendable {
    case listen = "FXGW_LISTEN"
    case threads = "FXGW_THREADS"
    case key = "EXCHANGERATE_API_KEY"
    case keyFile = "EXCHANGERATE_API_KEY_FILE"
    case upstreamURL = "FXGW_UPSTREAM_URL"
    case upstreamTimeout = "FXGW_UPSTREAM_TIMEOUT"
    case upstreamInsecure = "FXGW_UPSTREAM_INSECURE"
    case redisURL = "FXGW_REDIS_URL"
    case redisPasswordFile = "FXGW_REDIS_PASSWORD_FILE"
    case redisConnectTimeout = "FXGW_REDIS_CONNECT_TIMEOUT"
    case redisCommandTimeout = "FXGW_REDIS_COMMAND_TIMEOUT"
    case fleet = "FXGW_FLEET"
    case offlineCallsPerHour = "FXGW_OFFLINE_CALLS_PER_HOUR"
    case bases = "FXGW_BASES"
    case liveTTL = "FXGW_LIVE_TTL"
    case liveMaxStale = "FXGW_LIVE_MAX_STALE"
    case dailyMaxStale = "FXGW_DAILY_MAX_STALE"
    case unknownTTL = "FXGW_UNKNOWN_TTL"
    case quotaMonthly = "FXGW_QUOTA_MONTHLY"
    case quotaPerMinute = "FXGW_QUOTA_PER_MINUTE"
    case quotaTarget = "FXGW_QUOTA_TARGET"
    case leaseTTL = "FXGW_LEASE_TTL"
    case waitLimit = "FXGW_WAIT_LIMIT"
    case maxInFlight = "FXGW_MAX_IN_FLIGHT"
    case quarantineBand = "FXGW_QUARANTINE_BAND"
    case clientsFile = "FXGW_CLIENTS_FILE"
    case adminToken = "FXGW_ADMIN_TOKEN"
    case adminTokenFile = "FXGW_ADMIN_TOKEN_FILE"
    case maxConnections = "FXGW_MAX_CONNECTIONS"
    case idleTimeout = "FXGW_IDLE_TIMEOUT"
    case cacheVisibility = "FXGW_CACHE_VISIBILITY"
    case corsOrigins = "FXGW_CORS_ORIGINS"
    case trustedProxies = "FXGW_TRUSTED_PROXIES"
    case ratelimitFields = "FXGW_RATELIMIT_FIELDS"
    case stateDirectory = "FXGW_STATE_DIR"
    case archiveBytes = "FXGW_ARCHIVE_BYTES"
    case logLevel = "FXGW_LOG_LEVEL"
    case logFormat = "FXGW_LOG_FORMAT"
    case accessLog = "FXGW_ACCESS_LOG"
    case drainTimeout = "FXGW_DRAIN_TIMEOUT"

    /// What a variable that isn't in the contract is.
    enum Stranger: Equatable {
        /// Not ours, or injected by a container platform.
        case ignored
        /// So near to a name of ours that it must be a slip.
        case misspelled(ConfigurationName)
        /// Ours by its prefix, but of no version that is known here.
        case unknown
    }

    /// Judges the name of a variable that isn't in the contract.
    static func judge(_ name: String) -> Stranger {
        let isOurs = name.hasPrefix("FXGW_")
        // Kubernetes and Docker links inject FXGW_SERVICE_HOST, FXGW_PORT_8080_TCP and so on for a service "fxgw".
        if isOurs, name.contains("_SERVICE_") || name.contains("_PORT") { return .ignored }
        if let near = allCases.first(where: { EditDistance.between(name, $0.rawValue, isAtMost: 2) }) {
            return .misspelled(near)
        }
        return isOurs ? .unknown : .ignored
    }
}
