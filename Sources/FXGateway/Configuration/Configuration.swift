import CacheLayer
import Telemetry

/// All that an operator decides: a value, read once.
///
/// The names, defaults and units are those of `ConfigurationName`.
struct Configuration: Sendable {
    var listen = ListenAddress.tcp(host: "127.0.0.1", port: 8080)
    /// Event loops: from 1 to 256.
    var threads = 1
    /// The upstream key; nil is anonymous use.
    var key: Secret?
    /// The file that the key came from, read again on SIGHUP.
    var keyFile: String?
    var upstream: UpstreamAddress
    /// The deadline of one upstream call: from 1 s to 60 s, in whole milliseconds.
    var upstreamTimeout = Duration.seconds(10)
    var isUpstreamInsecureAllowed = false
    /// As given, passwords included, to be parsed by whoever connects; nil is the in-memory store.
    var redisURL: Secret?
    var redisPassword: Secret?
    var redisPasswordFile: String?
    var redisConnectTimeout = Duration.milliseconds(250)
    var redisCommandTimeout = Duration.milliseconds(150)
    var fleet = "default"
    /// Calls of this instance in an hour while Redis is away.
    var offlineCallsPerHour = 0
    /// Direct bases, the first is the pivot; never empty, all different.
    var bases: [Currency]
    var liveTTL = Duration.seconds(60)
    var liveMaxStale = Duration.seconds(900)
    var dailyMaxStale = Duration.seconds(4 * 86_400)
    var unknownTTL = Duration.seconds(300)
    var quotaMonthly = 10_000
    var quotaPerMinute = 12
    /// The share of the budget that the pace spreads, in parts of a thousand.
    var quotaTargetPermille = 950
    var leaseTTL = Duration.seconds(15)
    /// The longest wait of a cold request.
    var waitLimit = Duration.seconds(5)
    var maxInFlight = 1
    /// The jump that is passed on without a question, in basis points; nil lets everything pass.
    var quarantineBand: Int? = 1_000
    var clientsFile: String?
    /// Who may ask, as the file has it; nil without a file: everybody may.
    var clients: [ClientEntry]?
    /// Nil switches the admin routes off.
    var adminToken: Secret?
    var adminTokenFile: String?
    /// Nil leaves it to the descriptor limit.
    var maxConnections: Int?
    var idleTimeout = Duration.seconds(75)
    var cacheVisibility = CacheVisibility.private
    /// Origins that a browser's page may call from; empty switches CORS off, `*` allows all.
    var corsOrigins: [String] = []
    /// Peers that are believed when they say for whom they ask.
    var trustedProxies = TrustedProxies.none
    var hasRatelimitFields = false
    var stateDirectory: String?
    var archiveBytes = 256 << 20
    var logLevel = LogLevel.info
    var logFormat = Logger.Format.json
    var accessLog = AccessLogRate.off
    var drainTimeout = Duration.seconds(20)
    /// What is odd but no reason not to start: one sentence each.
    var warnings: [String] = []

    /// The anonymous limit of the upstream, by address.
    private static let anonymousCallsPerHour = 100
    /// The anonymous limit in a minute; a configured one above it would only earn refusals.
    private static let anonymousCallsPerMinute = 12

    /// What the fleet may spend.
    var quotaPlan: QuotaPlan {
        let isAnonymous = key == nil
        return QuotaPlan(
            monthly: Int64(quotaMonthly),
            perMinute: Int64(
                isAnonymous ? min(quotaPerMinute, Self.anonymousCallsPerMinute) : quotaPerMinute),
            perHour: isAnonymous ? Int64(Self.anonymousCallsPerHour) : nil,
            targetPermille: Int64(quotaTargetPermille), maxInFlight: Int64(maxInFlight))
    }

    /// The lifetimes of the tiers.
    var tierPolicy: TierPolicy {
        TierPolicy(
            liveTTL: liveTTL, liveMaxStale: liveMaxStale, dailyMaxStale: dailyMaxStale,
            unknownTTL: unknownTTL,
            upstreamTimeout: upstreamTimeout)
    }
}
