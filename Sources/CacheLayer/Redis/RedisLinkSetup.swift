import EventLoop
import Telemetry

/// What all links of one client have in common.
struct RedisLinkSetup: Sendable {
    let endpoint: RedisEndpoint
    let timeouts: RedisTimeouts
    let loop: EventLoop
    let logger: Logger
    /// Shown in `CLIENT LIST`: printable ASCII without blanks.
    let name: String
    /// The slot of a cluster that the links lead to; nil if any node will do.
    let slot: Int?
    let resolver: RedisResolver
    let tls: RedisTLS?

    /// - Throws: what this build can't connect to, and files for TLS that can't be used.
    init(
        endpoint: RedisEndpoint, timeouts: RedisTimeouts, loop: EventLoop, logger: Logger, name: String,
        anchor: String?, lookUp: @escaping RedisResolver.LookUp
    ) throws(RedisURLError) {
        try endpoint.checkSupported()
        self.endpoint = endpoint
        self.timeouts = timeouts
        self.loop = loop
        self.logger = logger
        self.name = Self.plain(name)
        slot = anchor.map(RedisSlot.of)
        resolver = RedisResolver(loop: loop, lookUp: lookUp)
        tls = endpoint.usesTLS ? try RedisTLS(endpoint.extras) : nil
    }

    /// The same for links of another purpose.
    func named(_ suffix: String) -> RedisLinkSetup { RedisLinkSetup(self, name: name + suffix) }

    private init(_ other: RedisLinkSetup, name: String) {
        endpoint = other.endpoint
        timeouts = other.timeouts
        loop = other.loop
        logger = other.logger
        self.name = name
        slot = other.slot
        resolver = other.resolver
        tls = other.tls
    }

    private static func plain(_ name: String) -> String {
        String(name.map { ("!"..."~").contains($0) ? $0 : "-" })
    }
}
