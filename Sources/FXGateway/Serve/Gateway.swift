import CacheLayer
import EventLoop
import Foundation
import HTTPEngine
import Telemetry

/// One gateway instance: the composition root, the only place that names the parts together.
///
/// Made from a configuration, `run` once. Safe from any thread.
final class Gateway: Sendable {
    let configuration: Configuration
    let logger: Logger
    let store: GatewayStore
    /// Nil without a state file.
    let state: GatewayState?
    let transport: UpstreamTransport
    let upstreamCounters = UpstreamCounters()
    let lastCalls = LastCalls()
    let refresher: Refresher
    let archive: ArchiveReader
    let applications: [GatewayApplication]
    let server: HTTPServer
    let secrets: ReloadableSecrets
    let names = ClientNames()
    let attribution: Attribution
    let streamCounters: StreamCounters
    let events: EventRing
    private let loops: [EventLoop]
    private let started = ContinuousClock.now
    let startedAt = UnixMilliseconds.now

    /// However long the first load takes, after this the instance takes traffic.
    private static let longestWarmUp = Duration.seconds(10)

    /// Puts the parts together; nothing runs or listens yet.
    init(_ configuration: Configuration, logger: Logger) throws(GatewayError) {
        self.configuration = configuration
        self.logger = logger
        let time = TimeSource.system
        let events = EventRing(wall: time.wall)
        self.events = events
        // Of requests, secrets and files nothing is kept.
        let noted = logger.observed { events.note($0, $1, $2) }
        let holder = Self.instanceName()
        let secrets = ReloadableSecrets(configuration, names: names)
        self.secrets = secrets
        let attribution = Attribution(clock: .system)
        self.attribution = attribution
        let state = GatewayState(configuration, logger: logger)
        self.state = state
        store = try GatewayStore(configuration, state: state, holder: holder, logger: noted, time: time)
        transport = try Self.transport(configuration)
        loops = try Self.loops(configuration.threads)

        let mailboxes = LoopMailboxes()
        let fetch = UpstreamFetch(
            transport: transport, policy: configuration.tierPolicy,
            band: configuration.quarantineBand.map { QuarantineBand(basisPoints: $0) }, time: time,
            logger: noted, counters: upstreamCounters, calls: lastCalls)
        let refresher = Refresher(
            store: store.rates,
            settings: RefreshSettings(
                holder: holder, bases: configuration.bases, policy: configuration.tierPolicy,
                plan: configuration.quotaPlan,
                times: LeaseTimes(lease: configuration.leaseTTL, deadline: configuration.upstreamTimeout),
                commandTimeout: configuration.redisCommandTimeout,
                offlineCallsPerHour: Int64(configuration.offlineCallsPerHour),
                hasAccount: configuration.key != nil, key: Self.mark(of: configuration.key, configuration),
                grace: store.grace),
            time: time, logger: noted, keeper: state?.keeper, saved: state?.saved,
            tell: { news in
                attribution.hear(news)
                mailboxes.deliver(news)
            }, made: { attribution.made($0) }, fetch: { await fetch($0) })
        self.refresher = refresher

        let archive = ArchiveReader(policy: configuration.tierPolicy, now: time.now) {
            [rates = store.rates] question throws(StoreError) in try await question.answer(from: rates)
        }
        self.archive = archive
        let pages = GatewayPages()
        var seams = GatewaySeams(
            logger: logger,
            wanted: { refresher.wants.add($0, $1) },
            asked: { attribution.asked($0, by: $1, at: $2) },
            refresh: { [limit = configuration.waitLimit] resource, force, completion in
                Task { completion(await refresher.refresh(resource, force: force, limit: limit)) }
            },
            operate: { order, completion in
                Task { completion(await order.carryOut(on: refresher)) }
            },
            readiness: { pages.readiness() }, metrics: { pages.metrics() },
            account: {
                Result { () throws(Problem) in try AccountPage.body(of: refresher.board.status) }
            },
            status: { pages.status() },
            sources: { pages.sources() }, quota: { pages.quota() }, events: { pages.events() },
            plainFacts: { pages.plainFacts() }, fleet: { pages.fleet() },
            adminToken: { secrets.adminToken },
            archive: archive, clients: secrets.clients, names: names)
        let settings = AnswerSettings(configuration)
        var serving = try Self.serving(configuration, logger: logger)
        serving.maxParkedPerLoop = settings.waitingLimit
        streamCounters = seams.streams
        seams.places = ConnectionGauge(limit: serving.maxConnections / StreamLimits.share)
        let applications = loops.map { GatewayApplication(settings: settings, seams: seams, loop: $0) }
        self.applications = applications
        mailboxes.open(Array(zip(loops, applications)))
        server = HTTPServer(configuration: serving, loops: loops, application: { applications[$0] })
        pages.open(self)
    }

    /// Serves until a stop signal comes, then drains.
    func run(signals: AsyncStream<StopSignal>) async -> ExitCode {
        do {
            for loop in loops { try loop.start() }
            try await store.open(within: configuration.redisConnectTimeout)
            try server.start()
        } catch {
            logger.log(.error, "cannot start", [.error: "\(error)"])
            logger.tellAll()
            return .unavailable
        }
        logger.log(
            .info, "serving",
            [
                .listen: listening, .upstream: configuration.upstream.description, .store: store.address,
                .fleet: configuration.fleet, .base: configuration.bases.map(\.code).joined(separator: ","),
                .instance: Self.instanceName(), .version: GatewayVersion.text,
            ])
        let refreshing = Task { await refresher.run() }
        let telling = Task { await tellStorms() }
        for await signal in signals {
            if signal == .stop { break }
            await reload()
        }
        await drain()
        await refreshing.value
        await store.close()
        for loop in loops { loop.stop() }
        for loop in loops { loop.join() }
        telling.cancel()
        logger.tellAll()
        logger.log(.info, "stopped")
        return .success
    }

    /// Whether traffic should come here; asked by load balancers.
    var readiness: Readiness {
        let status = refresher.board.status
        let isWarm = status.hasTriedToLoad || started.duration(to: .now) > Self.longestWarmUp
        return Readiness(
            isReady: isWarm, isDraining: server.isDraining,
            degraded: GatewayPages.degraded(
                status, isShared: store.isShared, hasStateFault: state?.keeper.health.fault != nil))
    }

    /// Where it listens, with the port that the system chose.
    private var listening: String {
        if case .tcp(let host, 0) = configuration.listen {
            return ListenAddress.tcp(host: host, port: server.boundPort).description
        }
        return configuration.listen.description
    }

    /// Takes no more work, answers those who wait, frees the lease.
    private func drain() async {
        logger.log(.notice, "draining", [.seconds: String(configuration.drainTimeout.components.seconds)])
        await refresher.startNothing()
        // Those who wait are answered by the flight that is under way: it ends after them.
        let result = await server.drain(limit: configuration.drainTimeout)
        await refresher.stop()
        logger.log(.notice, "drained", [.count: String(result.drained), .limit: String(result.cut)])
    }

    /// Tells once a second which frequent events were only counted, until it is cancelled.
    private func tellStorms() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { logger.tellEnded() }
    }

    private func reload() async {
        let (problems, warnings) = secrets.reload(configuration)
        if let clients = secrets.clients {
            for (loop, application) in zip(loops, applications) {
                loop.post { application.use(clients) }
            }
        }
        do throws(UpstreamError) {
            try transport.replaceKey(secrets.key)
            await refresher.use(Self.mark(of: secrets.key, configuration))
        } catch {
            logger.log(
                .error, "the new upstream key can't be used: the old one stays", [.reason: error.reason])
        }
        for problem in problems {
            logger.logEach(.error, "a file can't be used: what was read before stays", [(.error, problem)])
        }
        for warning in warnings { logger.log(.warning, "configuration", [.reason: warning]) }
        logger.log(.notice, "secrets read again")
    }

    /// What stands for the key where fleet members have to know whose was refused.
    private static func mark(of key: Secret?, _ configuration: Configuration) -> KeyMark {
        guard let key else { return .anonymous }
        let keys = RedisKeys(fleet: configuration.fleet, upstream: configuration.upstream.hostAndPort)
        return KeyMark(of: key.reveal(), salt: keys.prefix)
    }

    private static func transport(
        _ configuration: Configuration
    ) throws(GatewayError) -> UpstreamTransport {
        do throws(UpstreamError) {
            return try UpstreamTransport(
                configuration.upstream, key: configuration.key,
                userAgent: "fxgateway/\(GatewayVersion.text)")
        } catch {
            throw .upstreamKey
        }
    }

    private static func loops(_ count: Int) throws(GatewayError) -> [EventLoop] {
        var loops: [EventLoop] = []
        do throws(EventLoopError) {
            for index in 0..<count { loops.append(try EventLoop(name: "http-\(index)")) }
        } catch {
            throw .eventLoop(error)
        }
        return loops
    }

    private static func serving(
        _ configuration: Configuration, logger: Logger
    ) throws(GatewayError) -> HTTPServerConfiguration {
        do throws(HTTPServerError) {
            var serving = HTTPServerConfiguration(
                address: try SocketAddress(parsing: configuration.listen.description))
            serving.idleTimeout = configuration.idleTimeout
            StreamLimits.hold(in: &serving)
            let room = DescriptorLimit.connections()
            serving.maxConnections = min(configuration.maxConnections ?? room, room)
            if let wanted = configuration.maxConnections, wanted > room {
                logger.log(
                    .warning, "the descriptor limit allows fewer connections than configured",
                    [.value: String(wanted), .limit: String(room)])
            }
            return serving
        } catch {
            throw .listen(error)
        }
    }

    /// Host, process and start: told apart from an earlier process of the same number.
    static func instanceName() -> String {
        "\(ProcessInfo.processInfo.hostName):\(ProcessInfo.processInfo.processIdentifier)"
    }
}
