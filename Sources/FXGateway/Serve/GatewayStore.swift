import CacheLayer
import EventLoop
import Telemetry

/// The store that the configuration asks for: Redis on an event loop of its own, or this process's
/// memory.
final class GatewayStore: Sendable {
    let rates: any RateStore
    /// Nil without Redis.
    let redis: RedisClient?
    /// Where it is, for logs; `memory` without Redis.
    let address: String
    /// How long nothing is granted on a control that has to be made: a memory without a past has forgotten nothing.
    let grace: Duration
    private let loop: EventLoop?

    /// Whether other instances share it.
    var isShared: Bool { redis != nil }

    init(
        _ configuration: Configuration, state: GatewayState?, holder: String, logger: Logger, time: TimeSource
    ) throws(GatewayError) {
        guard let url = configuration.redisURL else {
            let memory = InMemoryRateStore(
                archiveBytes: configuration.archiveBytes,
                resuming: state?.saved.map { ($0, configuration.quotaPlan) }, clock: time.wall)
            state?.keeper.keepLedger(of: memory)
            rates = memory
            redis = nil
            address = "memory"
            grace = state?.hasPast ?? false ? StoreTimings.grace : .zero
            loop = nil
            return
        }
        let loop = try Self.makeLoop()
        do throws(RedisURLError) {
            let endpoint = try RedisEndpoint(
                url: url.reveal(), password: configuration.redisPassword?.reveal())
            let keys = RedisKeys(fleet: configuration.fleet, upstream: configuration.upstream.hostAndPort)
            let client = try RedisClient(
                endpoint: endpoint,
                timeouts: RedisTimeouts(
                    connect: configuration.redisConnectTimeout, command: configuration.redisCommandTimeout),
                loop: loop, logger: logger, name: "fxgateway", anchor: keys.control, wall: time.wall)
            redis = client
            rates = RedisRateStore(
                client: client, keys: keys, archiveBytes: configuration.archiveBytes, wall: time.wall)
            address = endpoint.description
        } catch {
            throw .redisURL(error)
        }
        grace = StoreTimings.grace
        self.loop = loop
    }

    /// Begins to connect, and waits for the first link no longer than connecting may take.
    ///
    /// A store that isn't there is no reason not to start: the link comes later by itself.
    func open(within limit: Duration) async throws(EventLoopError) {
        guard let loop, let redis else { return }
        try loop.start()
        redis.connect()
        _ = await redis.waitForLink(within: limit)
    }

    /// Ends links and thread.
    func close() async {
        await rates.close()
        loop?.stop()
        loop?.join()
    }

    private static func makeLoop() throws(GatewayError) -> EventLoop {
        do throws(EventLoopError) {
            return try EventLoop(name: "redis")
        } catch {
            throw .eventLoop(error)
        }
    }
}
