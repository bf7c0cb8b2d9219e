/// What each variable is for, for `--help` and the manual page.
extension ConfigurationName {
    /// In a line; the README's table says more.
    var summary: String {
        switch self {
        case .listen: "address and port, [address]:port or unix:/path"
        case .threads: "event loops, each with a listener of its own; 1 to 256"
        case .key: "upstream's key; without one upstream is asked anonymously"
        case .keyFile: "a file with the key instead, read again on SIGHUP"
        case .upstreamURL: "upstream's base URL"
        case .upstreamTimeout: "deadline of one call, 1s to 60s"
        case .upstreamInsecure: "on lets a key go out over plain http"
        case .redisURL: "where the fleet's shared state is; without it the process is a fleet of one"
        case .redisPasswordFile: "a file with Redis's password"
        case .redisConnectTimeout: "10ms to 10s"
        case .redisCommandTimeout: "10ms to 5s; a command that passes it closes the link"
        case .fleet: "part of every key in Redis: who shares it shares rates, lease and budget"
        case .offlineCallsPerHour: "calls of an instance in an hour while Redis is down; needs FXGW_STATE_DIR"
        case .bases: "tables that are fetched, with commas; the first is the pivot of all other bases"
        case .liveTTL: "shortest interval between fetches of live rates"
        case .liveMaxStale: "how long live rates are served after their lifetime"
        case .dailyMaxStale: "the same for daily fixes"
        case .unknownTTL: "interval for sources that this version doesn't know"
        case .quotaMonthly: "the plan: calls in a calendar month; while instances differ the smallest holds"
        case .quotaPerMinute: "calls in a minute"
        case .quotaTarget: "share of what is left that the pace spreads over the rest of the month"
        case .leaseTTL: "length of the fetch lease; at least the upstream timeout and 3s"
        case .waitLimit: "longest wait of a request for rates that aren't held"
        case .maxInFlight: "upstream calls at a time in the whole fleet"
        case .quarantineBand: "the jump of a rate that is passed on unasked, or off"
        case .clientsFile: "a file that says who may ask, read again on SIGHUP"
        case .adminToken: "opens the admin routes; without one they don't exist"
        case .adminTokenFile: "a file with it instead, read again on SIGHUP"
        case .maxConnections: "client connections of the process"
        case .idleTimeout: "longest silence of a client connection"
        case .cacheVisibility: "private or public: what Cache-Control tells caches on the way"
        case .corsOrigins: "origins whose pages may call, with commas, or *"
        case .trustedProxies: "whose Forwarded or X-Forwarded-For the access log believes"
        case .ratelimitFields: "on tells a client what is left of its allowance"
        case .stateDirectory: "an existing directory of this instance's own for its state file"
        case .archiveBytes: "room for past snapshots, of the whole fleet"
        case .logLevel: "trace, debug, info, notice, warning or error"
        case .logFormat: "json or text"
        case .accessLog: "off, on, or 1/n for every n-th request of a loop"
        case .drainTimeout: "longest drain after SIGTERM"
        }
    }

    /// What holds where it isn't set, in words; nil where nothing does.
    var standard: String? {
        switch self {
        case .threads: "the number of cores"
        case .maxConnections: "the descriptor limit less 64"
        default:
            try? Configuration(environment: [:], cores: 1, readFile: { _ in nil }).lines
                .first { $0.hasPrefix("\(rawValue)=") }.map { String($0.dropFirst(rawValue.utf8.count + 1)) }
        }
    }
}
