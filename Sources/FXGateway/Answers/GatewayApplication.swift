import CacheLayer
import EventLoop
import HTTPEngine
import Telemetry

/// Answers the requests of one event loop.
///
/// The hot path, for a target that was understood before: target bytes -> rendered answer -> prepared lines, Age and
/// Cache-Status from integers, body. No allocation, no lock, no await.
///
/// Sendable: made anywhere, then touched by its loop's thread alone; what other threads have for it they post to the loop.
final class GatewayApplication: HTTPApplication, @unchecked Sendable {
    let settings: AnswerSettings
    let seams: GatewaySeams
    let loop: EventLoop
    /// Readable from any thread.
    let counters = RequestCounters()
    /// Readable from any thread.
    let clientCounters = ClientCounters()
    let log: AccessLog
    /// What requests said of their way and was not believed; readable from any thread.
    let waysIgnored = LabelledCounter<ClientAddress.Ignored>()

    var table: SnapshotTable
    var aliases = TargetAliases(count: 1_024)
    var answers = AnswerCache(entryLimit: 1_024, byteLimit: 4 << 20)
    /// Apart, since amounts are endless: they must not push out what everybody asks for.
    var conversionAliases = TargetAliases(count: 256)
    var conversions = AnswerCache(entryLimit: 1_024, byteLimit: 2 << 20)
    /// Past days and ranges, without a short cut by target: they are many, and each is asked for rarely.
    var history = AnswerCache(entryLimit: 512, byteLimit: 4 << 20)
    /// The list of currencies by kind, nil for all of it; without a short cut either.
    var lists: [String?: RenderedAnswer] = [:]
    var waiting: WaitingList<Resource>
    /// Requests that wait for a past snapshot, and what the store is being asked for them.
    var replays: WaitingList<ArchiveQuestion>
    var lookups: Set<ArchiveQuestion> = []
    var ranges: RangeDesk
    /// What the store has just said, while those who waited for it are answered.
    var found: (question: ArchiveQuestion, finding: ArchiveFinding)?
    /// Runs while somebody waits for a past snapshot.
    var replayTick: EventWatch?
    /// Operators' requests that wait for the end of their refresh, with the instant at which they came.
    var refreshes: [ConnectionID: Int64] = [:]
    var demands: [Resource: DemandNote] = [:]
    var streams = StreamDesk()
    var gate: ClientGate
    /// Who asks in the request that is being answered.
    var caller = Caller.nobody
    /// Runs while somebody waits.
    var tick: EventWatch?
    private(set) unowned(unsafe) var server: HTTPServer?

    init(settings: AnswerSettings, seams: GatewaySeams, loop: EventLoop) {
        self.settings = settings
        self.seams = seams
        self.loop = loop
        table = SnapshotTable(bases: settings.bases, policy: settings.policy)
        waiting = WaitingList(limit: settings.waitingLimit)
        replays = WaitingList(limit: settings.waitingLimit)
        ranges = RangeDesk(limit: settings.waitingLimit)
        gate = ClientGate(clients: seams.clients, names: seams.names, counters: clientCounters)
        log = AccessLog(
            settings.accessLog, proxies: settings.trustedProxies, ignored: waysIgnored, names: seams.names,
            logger: seams.logger)
    }

    func attached(to server: HTTPServer, loop: Int) { self.server = server }

    func takesBody(_ request: HTTPRequest) -> Bool {
        guard request.method == .post, let path = try? RoutePath(request.path) else { return false }
        return path.name == .convertBatch || path.name == .adminRefresh || path.name == .adminQuarantine
    }

    func respond(to request: HTTPRequest, writer: ResponseWriter) -> HTTPDisposition {
        let now = seams.clock.milliseconds()
        if request.method == .get || request.method == .head {
            let target = request.target
            let isConversion = Self.isConversion(target)
            let answer =
                isConversion ? conversionAliases.find(target, at: now) : aliases.find(target, at: now)
            if let answer { return deliverKnown(answer, to: request, writer, at: now) }
        }
        return understand(request, writer, at: now, arrival: nil)
    }

    /// Whether a target is one of `/v1/convert`, by the one letter that tells it from all that has an alias.
    @inline(__always)
    static func isConversion(_ target: UnsafeRawBufferPointer) -> Bool {
        target.count > 4 && target[4] == UInt8(ascii: "c")
    }

    func respond(toFault fault: HTTPFault, writer: ResponseWriter) {
        refuse(Problem(fault), on: .none, nil, writer)
    }

    func abandoned(_ id: ConnectionID, _ why: Abandonment) {
        forget(id, StreamEnd(why))
        waiting.remove(id)
        replays.remove(id)
        ranges.remove(id)
        refreshes[id] = nil
    }

    // MARK: - Answers with rates

    /// Sends what stands for a target that was understood before, if its client may ask and can use it.
    @inline(__always)
    private func deliverKnown(
        _ answer: RenderedAnswer, to request: HTTPRequest, _ writer: ResponseWriter, at now: Int64
    ) -> HTTPDisposition {
        do throws(Problem) {
            caller = .nobody
            caller = try gate.admit(request, at: now)
            if gate.isGuarded { try check(answer, caller.wish, at: now) }
            return deliver(answer, to: request, writer, at: now)
        } catch {
            refuse(error, on: answer.route, request, writer)
            return .answered
        }
    }

    /// Sends a rendered answer, or 304 if the client has it.
    ///
    /// For a request that had waited: `arrival` is how what it waited for came, `since` when it came itself.
    func deliver(
        _ answer: RenderedAnswer, to request: HTTPRequest, _ writer: ResponseWriter, at now: Int64,
        arrival: Arrival? = nil, since: Int64? = nil
    ) -> HTTPDisposition {
        let isKnown = Precondition.isNotModified(
            request, etag: answer.etag, lastModified: answer.lastModified, wall: seams.clock.wall)
        let status = isKnown ? 304 : 200
        writer.begin(status: status)
        writer.raw(answer.lines)
        if !isKnown { writer.field("Content-Type", answer.contentType) }
        addMovingFields(of: answer, at: now, arrival, writer)
        if !settings.corsOrigins.isEmpty { CORS.addFields(settings.corsOrigins, request, writer) }
        if isKnown { writer.end() } else { writer.end(body: answer.body) }
        counters.count(answer.route, status: status, RequestCounters.State(answer.state))
        noteUse(of: answer, at: now)
        log.note(request, answer.route, status, since.map { now - $0 } ?? 0, client: caller.number)
        return .answered
    }

    /// Tells the refresher, and who keeps account, that an answer was of use: without it its resource might never be
    /// refreshed.
    @inline(__always)
    func noteUse(of answer: RenderedAnswer, at now: Int64) {
        if let demand = answer.demand.use(at: now, isWanting: answer.isWanting) {
            seams.wanted(answer.wanted, demand)
        }
        noteUse(of: answer.wanted, answer.demand, at: now)
    }

    /// Tells who keeps account that the caller was told of a resource.
    @inline(__always)
    func noteUse(of resource: Resource, _ demand: DemandNote, at now: Int64) {
        guard !caller.isNoted, demand.isNews(of: caller.number, at: now) else { return }
        seams.asked(resource, caller.number, now)
    }

    /// Tells who keeps account that the caller waits for a resource, of each that its answer needs.
    func noteWait(for resource: Resource, at now: Int64) {
        guard demand(for: resource).isNews(of: caller.number, at: now) else { return }
        seams.asked(resource, caller.number, now)
    }

    /// Writes Age and Cache-Status, and what is left of an allowance: the fields that move with the clock.
    func addMovingFields(
        of answer: RenderedAnswer, at now: Int64, _ arrival: Arrival?, _ writer: ResponseWriter
    ) {
        let age = Int(answer.age(at: now))
        writer.field("Age", age)
        writer.raw("Cache-Status: fxgateway; ")
        if arrival == .fetched {
            writer.raw("fwd=uri-miss; fwd-status=200; stored")
            if !seams.firstAnswers.claim(answer.snapshot) { writer.raw("; collapsed") }
        } else {
            writer.raw("hit")
        }
        writer.raw("; ttl=")
        writer.raw(decimal: Int(answer.lifetime) - age)
        switch arrival {
        case .fetched: break
        case .shared where answer.state == .fresh: writer.raw("; detail=shared")
        case .shared, .nothing, nil: writer.raw(answer.statusTail)
        }
        writer.raw("\r\n")
        addBalance(caller.balance, writer)
    }

    // MARK: - Refusals

    /// Sends a problem.
    ///
    /// `route` is for the counters; `request` is nil for faults met before there was one.
    func refuse(
        _ problem: Problem, on route: RouteName, _ request: HTTPRequest?, _ writer: ResponseWriter,
        since: Int64? = nil
    ) {
        let status = problem.kind.status
        writer.begin(status: status)
        writer.field("Content-Type", "application/problem+json")
        writer.field("Cache-Control", "no-store")
        if let seconds = problem.retryAfter { writer.field("Retry-After", seconds) }
        if problem.kind == .methodNotAllowed { writer.field("Allow", route.allow) }
        if problem.kind == .unauthorized { writer.field("WWW-Authenticate", "Bearer") }
        if request != nil { addBalance(problem.balance ?? caller.balance, writer) }
        if let request, !settings.corsOrigins.isEmpty {
            CORS.addFields(settings.corsOrigins, request, writer)
        }
        writer.end(body: problem.body)
        counters.count(route, status: status, problem.kind == .freshnessUnavailable ? .unmet : .none)
        if let request {
            log.note(
                request, route, status, since.map { seams.clock.milliseconds() - $0 } ?? 0,
                client: problem.client ?? caller.number)
        }
    }

    /// Adds what is left of an allowance to an answer that is made anew each time.
    func addBalance(_ balance: Caller.Balance?, _ writer: ResponseWriter) {
        guard settings.hasRatelimitFields, let balance else { return }
        RateLimitFields.add(balance, to: writer)
    }
}
