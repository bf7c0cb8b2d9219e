import CacheLayer
import EventLoop
import HTTPEngine
import Telemetry
import TestSupport

@testable import FXGateway

/// A gateway's request path on a real socket, with clocks that stand still and nothing behind it.
final class GatewayRig: Sendable {
    let time = ManualTime(wall: SampleTable.fetchedAt)
    /// Uses that were told of: the resource and the client's number.
    let uses = Locked<[(resource: Resource, client: Int)]>([])
    let names: ClientNames
    let told = Locked<[(resource: Resource, demand: Demand)]>([])
    let refreshes = Locked<
        [(resource: Resource, force: Bool, completion: @Sendable (RefreshLanding) -> Void)]
    >([])
    /// What operators wanted, and what each is told.
    let orders = Locked<[AdminOrder]>([])
    let outcome = Locked(AdminOutcome.purged)
    let readiness = Locked(Readiness(isReady: true, isDraining: false, degraded: []))
    let lines = Locked<[String]>([])
    /// What the refresher says of the fleet.
    let status = Locked(RefreshStatus.empty)
    /// What explanations say of the fleet.
    let fleet = Locked(FleetView.empty)
    /// What the dashboard says without its scripts.
    let plainFacts = Locked(PlainFacts.none)
    /// Where past snapshots come from.
    let archive: ArchiveBench
    /// Work that is to be done beside the loops: kept here while `holdsAside` is set, else done at once.
    let asides = Locked<[@Sendable () -> Void]>([])
    let holdsAside = Locked(false)
    let streams: StreamCounters
    /// How many events had been given to streams at each answer of `/v1/status`.
    let toldAtStatus = Locked<[Int]>([])
    private let loops: [EventLoop]
    private let applications: [GatewayApplication]
    private let server: HTTPServer

    private init(
        loops count: Int, token: String?, clients: [ClientEntry]?, streamLimit: Int, settings: AnswerSettings
    ) throws {
        archive = ArchiveBench(policy: settings.policy, clock: time.source.wall)
        let loops = try (0..<count).map { try EventLoop(name: "gateway-\($0)") }
        let links = Links()
        let names = ClientNames()
        self.names = names
        var seams = GatewaySeams(
            clock: GatewayClock(time.source),
            logger: Logger(level: .info, format: .json, sink: { links.log($0) }),
            wanted: { links.rig?.note($0, $1) },
            asked: { resource, client, _ in links.rig?.uses.withLock { $0.append((resource, client)) } },
            refresh: { links.rig?.note($0, $1, $2) },
            operate: { order, completion in
                links.rig?.orders.withLock { $0.append(order) }
                completion(links.rig?.outcome.withLock { $0 } ?? .storeAway)
            },
            readiness: {
                links.rig?.readiness.withLock { $0 }
                    ?? Readiness(isReady: false, isDraining: true, degraded: [])
            },
            metrics: { links.rig?.metrics() ?? [] },
            account: {
                Result { () throws(Problem) in
                    try AccountPage.body(of: links.rig?.status.withLock { $0 } ?? .empty)
                }
            },
            status: {
                if let rig = links.rig {
                    rig.toldAtStatus.withLock { $0.append(rig.streams.events.value(.snapshot)) }
                }
                return Array("{}".utf8)
            },
            sources: { Array("{}".utf8) },
            quota: { Array("{}".utf8) },
            events: { Array("{}".utf8) },
            plainFacts: { links.rig?.plainFacts.withLock { $0 } ?? .none },
            fleet: { links.rig?.fleet.withLock { $0 } ?? .empty },
            adminToken: { token.map { Secret($0) } },
            archive: ArchiveReader(policy: settings.policy, now: time.source.now) {
                [archive] question throws(StoreError) in try await archive.answer(question)
            },
            clients: clients.map { ClientSet($0, names: names) }, names: names)
        seams.places = ConnectionGauge(limit: streamLimit)
        seams.aside = { work in
            guard let rig = links.rig, rig.holdsAside.withLock({ $0 }) else { return work() }
            rig.asides.withLock { $0.append(work) }
        }
        streams = seams.streams
        let applications = loops.map { GatewayApplication(settings: settings, seams: seams, loop: $0) }
        var configuration = HTTPServerConfiguration(address: try SocketAddress(parsing: "127.0.0.1:0"))
        StreamLimits.hold(in: &configuration)
        self.loops = loops
        self.applications = applications
        server = HTTPServer(configuration: configuration, loops: loops) { applications[$0] }
        links.set(self)
        try server.start()
        for loop in loops { try loop.start() }
    }

    /// Lets closures reach the rig that is made after them.
    private final class Links: Sendable {
        private struct Weak: Sendable { weak var rig: GatewayRig? }
        private let held = Locked(Weak())
        var rig: GatewayRig? { held.withLock { $0.rig } }
        func set(_ rig: GatewayRig) { held.withLock { $0.rig = rig } }
        func log(_ line: [UInt8]) { rig?.lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    }

    private func note(_ resource: Resource, _ demand: Demand) {
        told.withLock { $0.append((resource, demand)) }
    }

    private func note(
        _ resource: Resource, _ force: Bool, _ completion: @escaping @Sendable (RefreshLanding) -> Void
    ) {
        refreshes.withLock { $0.append((resource, force, completion)) }
    }

    /// Runs `body` with a gateway and ends it, whatever happens.
    static func run(
        loops: Int = 1, token: String? = nil, clients: [ClientEntry]? = nil, bases: [Currency] = [.usd],
        visibility: CacheVisibility = .private, waitingLimit: Int = 10_000,
        accessLog: AccessLogRate = .off, trustedProxies: TrustedProxies = .none, corsOrigins: [String] = [],
        hasRatelimitFields: Bool = false, streamLimit: Int = 100, _ body: (GatewayRig) async throws -> Void
    ) async throws {
        let settings = AnswerSettings(
            bases: bases, policy: TierPolicy(), visibility: visibility, waitingLimit: waitingLimit,
            accessLog: accessLog, trustedProxies: trustedProxies, corsOrigins: corsOrigins,
            hasRatelimitFields: hasRatelimitFields)
        let rig = try GatewayRig(
            loops: loops, token: token, clients: clients, streamLimit: streamLimit, settings: settings)
        do {
            try await body(rig)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
    }

    private func stop() async {
        _ = await server.drain(limit: .milliseconds(10))
        for loop in loops {
            loop.stop()
            loop.join()
        }
        time.end()
    }

    // MARK: - What it holds

    /// Has all loops adopt a table that was fetched when the clocks began to stand still.
    func hold(
        _ table: RateTable, condition: RefreshCondition = .idle, isOwnFetch: Bool = false, token: Int64 = 1,
        fetchedAt: UnixMilliseconds? = nil, interval: Duration = .seconds(60)
    ) async {
        let snapshot = SampleTable.snapshot(
            table, token: token, fetchedAt: fetchedAt ?? SampleTable.fetchedAt, interval: interval)
        let adopted = Adopted(snapshot, storeNow: time.wall, arrived: time.source.now())
        await show(
            .latest(base: table.base), ResourceView(adopted: adopted, condition: condition),
            isOwnFetch: isOwnFetch)
    }

    /// Has the first loop adopt a table and, before anything else comes to its turn, meet these clients' requests.
    func hold(
        _ table: RateTable, fetchedAt: UnixMilliseconds,
        meeting requests: [(client: RawHTTPClient, text: String)]
    ) async {
        let snapshot = SampleTable.snapshot(table, token: 9, fetchedAt: fetchedAt)
        let adopted = Adopted(snapshot, storeNow: time.wall, arrived: time.source.now())
        let view = ResourceView(adopted: adopted, condition: .idle)
        let (application, held) = (applications[0], Held(requests))
        await loops[0].perform {
            application.update(.latest(base: table.base), view, isOwnFetch: false)
            for (client, text) in held.requests { try? client.send(text) }
        }
    }

    /// Sendable: used by the loop's thread alone while the test waits for it.
    private final class Held: @unchecked Sendable {
        let requests: [(client: RawHTTPClient, text: String)]
        init(_ requests: [(client: RawHTTPClient, text: String)]) { self.requests = requests }
    }

    /// Has all loops take a view.
    func show(_ resource: Resource, _ view: ResourceView, isOwnFetch: Bool = false) async {
        for (loop, application) in zip(loops, applications) {
            await loop.perform { application.update(resource, view, isOwnFetch: isOwnFetch) }
        }
    }

    /// Ends the service as a stop signal does; streams are told.
    func drain() async -> DrainResult { await server.drain(limit: .seconds(5)) }

    /// Tells the loops alone that the service stops, as those meet it who ask on a connection that is still open.
    func tellOfDraining() async {
        for (loop, application) in zip(loops, applications) { await loop.perform { application.draining() } }
    }

    /// How many streams are open.
    func openStreams() async -> Int {
        var count = 0
        for (loop, application) in zip(loops, applications) {
            count += await loop.perform { application.streams.book.count } ?? 0
        }
        return count
    }

    /// Whether it has begun to drain.
    var isDraining: Bool { server.isDraining }

    /// How many requests wait.
    func waiting() async -> Int {
        var count = 0
        for (loop, application) in zip(loops, applications) {
            count += await loop.perform { application.waiting.count } ?? 0
        }
        return count
    }

    /// How many requests wait for past snapshots.
    func replaying() async -> Int {
        var count = 0
        for (loop, application) in zip(loops, applications) {
            count += await loop.perform { application.replays.count } ?? 0
        }
        return count
    }

    /// How many requests wait for pages of ranges.
    func drafting() async -> Int {
        var count = 0
        for (loop, application) in zip(loops, applications) {
            count += await loop.perform { application.ranges.waiting.count } ?? 0
        }
        return count
    }

    /// Does the work that was held back, the oldest first.
    func doAsides() {
        let held = asides.withLock { asides in
            defer { asides = [] }
            return asides
        }
        for work in held { work() }
    }

    /// How many rendered answers of latest rates are kept.
    func latestAnswers() async -> Int {
        var count = 0
        for (loop, application) in zip(loops, applications) {
            count += await loop.perform { application.answers.count } ?? 0
        }
        return count
    }

    /// How many answers, notes of demand and waiting requests its loops keep, of all kinds.
    func kept() async -> (answers: Int, demands: Int, waiting: Int) {
        var kept = (answers: 0, demands: 0, waiting: 0)
        for (loop, application) in zip(loops, applications) {
            let counts = await loop.perform {
                (
                    application.answers.count + application.conversions.count + application.history.count,
                    application.demands.count,
                    application.waiting.count + application.replays.count + application.lookups.count
                        + application.ranges.waiting.count
                )
            }
            kept.answers += counts?.0 ?? 0
            kept.demands += counts?.1 ?? 0
            kept.waiting += counts?.2 ?? 0
        }
        return kept
    }

    /// How often what a request said of its way was not believed.
    func waysIgnored(_ reason: ClientAddress.Ignored) -> Int {
        applications.reduce(0) { $0 + $1.waysIgnored.value(reason) }
    }

    /// Waits until so many requests wait, at most two seconds.
    func waiting(atLeast count: Int) async {
        for _ in 0..<1_000 {
            if await waiting() >= count { return }
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    func metrics() -> [UInt8] {
        var text = PrometheusText()
        RequestCounters.add(applications.map(\.counters), to: &text)
        return text.bytes
    }

    // MARK: - What it tells

    /// What the refresher was told, in order.
    var wants: [(resource: Resource, demand: Demand)] { told.withLock { $0 } }
    var demands: [Demand] { wants.map(\.demand) }

    /// The lines that were logged.
    var logged: [String] { lines.withLock { $0 } }

    /// Where it listens.
    var port: UInt16 { server.boundPort }

    /// The names of the clients whose uses were told of, in order.
    var users: [String] { uses.withLock { $0 }.map { names.name(of: $0.client) } }

    /// Has all loops take other clients, as a reload does.
    func use(_ clients: [ClientEntry], after earlier: ClientSet? = nil) async {
        let set = ClientSet(clients, names: names, after: earlier)
        for (loop, application) in zip(loops, applications) {
            await loop.perform { application.use(set) }
        }
    }

    /// How often a client has asked, and how often it was over its allowance, on all loops.
    func counts(of name: String) -> (requests: Int, limited: Int) {
        let number = names.number(of: name)
        return (
            applications.reduce(0) { $0 + $1.clientCounters.requests(of: number) },
            applications.reduce(0) { $0 + $1.clientCounters.limited(of: number) }
        )
    }

    func setReadiness(_ value: Readiness) { readiness.withLock { $0 = value } }

    // MARK: - Asking

    func client() throws -> RawHTTPClient { try RawHTTPClient(port: server.boundPort) }

    /// One request on a connection of its own.
    func ask(
        _ target: String, method: String = "GET", fields: [String] = [], body: String? = nil
    ) throws -> RawHTTPClient.Answer {
        try client().exchange(Self.request(target, method: method, fields: fields, body: body))
    }

    static func request(
        _ target: String, method: String = "GET", fields: [String] = [], body: String? = nil
    ) -> String {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: gateway.test\r\n"
        for field in fields { text += field + "\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        return text + "\r\n" + (body ?? "")
    }
}
