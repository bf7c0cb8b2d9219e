import CacheLayer

/// What the request path needs of the configuration: the same on all loops, and immutable.
struct AnswerSettings: Sendable {
    /// The direct bases, the pivot first; never empty.
    let bases: [Currency]
    let policy: TierPolicy
    let visibility: CacheVisibility
    /// The longest wait of a cold request.
    let waitLimit: Duration
    /// Parked requests of one loop; more are told to come back.
    let waitingLimit: Int
    let accessLog: AccessLogRate
    /// Peers that the access log believes when they say for whom they ask.
    let trustedProxies: TrustedProxies
    /// Origins of pages that may call; empty is no CORS.
    let corsOrigins: [String]
    /// Whether a client with an allowance is told what is left of it.
    let hasRatelimitFields: Bool

    init(
        bases: [Currency], policy: TierPolicy, visibility: CacheVisibility = .private,
        waitLimit: Duration = .seconds(5), waitingLimit: Int = 10_000, accessLog: AccessLogRate = .off,
        trustedProxies: TrustedProxies = .none,
        corsOrigins: [String] = [], hasRatelimitFields: Bool = false
    ) {
        self.bases = bases
        self.policy = policy
        self.visibility = visibility
        self.waitLimit = waitLimit
        self.waitingLimit = waitingLimit
        self.accessLog = accessLog
        self.trustedProxies = trustedProxies
        self.corsOrigins = corsOrigins
        self.hasRatelimitFields = hasRatelimitFields
    }

    init(_ configuration: Configuration) {
        self.init(
            bases: configuration.bases, policy: configuration.tierPolicy,
            visibility: configuration.cacheVisibility, waitLimit: configuration.waitLimit,
            accessLog: configuration.accessLog, trustedProxies: configuration.trustedProxies,
            corsOrigins: configuration.corsOrigins,
            hasRatelimitFields: configuration.hasRatelimitFields)
    }
}
