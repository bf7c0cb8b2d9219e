import CacheLayer
import HTTPEngine
import Telemetry

/// `/v1/stream`: the beginning of a stream.
extension GatewayApplication {
    /// Begins a stream, or refuses or parks the request as one for the table itself.
    func answerStream(
        _ query: StreamQuery, _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64
    ) throws(Problem) -> HTTPDisposition {
        switch table.plan(query.filter.selection, at: now, today: today(at: now)) {
        case .answer(let plan, let holding, let wanted):
            return try begin(query, plan, holding, wanted, request, writer, at: now)
        case .cold(let resource):
            return try park(request, writer, for: resource, as: .stream, isTooOld: false, at: now)
        case .tooOld(let resource):
            return try park(request, writer, for: resource, as: .stream, isTooOld: true, at: now)
        case .unknown(let problem): throw problem
        }
    }

    private func begin(
        _ query: StreamQuery, _ plan: SelectionPlan, _ holding: Holding, _ wanted: Resource,
        _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64
    ) throws(Problem) -> HTTPDisposition {
        if streams.isClosed {
            throw Problem(
                .overloaded, "The instance is stopping: ask another one.",
                retryAfter: Int.random(in: Self.refusedWait))
        }
        try gate.confirm(request)
        let isRead = request.method != .head
        if isRead, !seams.places.enter() {
            seams.streams.refused.add()
            throw Problem(
                .overloaded, "Too many streams are open.",
                retryAfter: Int.random(in: Self.refusedWait))
        }
        let since = waiting.entry(request.connection)?.since
        waiting.remove(request.connection)
        writer.begin(status: 200)
        writer.field("Content-Type", "text/event-stream")
        writer.field("Cache-Control", "no-store")
        // nginx holds answers back otherwise.
        writer.field("X-Accel-Buffering", "no")
        addBalance(caller.balance, writer)
        if !settings.corsOrigins.isEmpty { CORS.addFields(settings.corsOrigins, request, writer) }
        writer.stream()
        counters.count(.stream, status: 200, RequestCounters.State(plan.state))
        noteWish(of: wanted, isWanting: plan.state != .fresh || wanted != plan.resource, at: now)
        noteUse(of: wanted, demand(for: wanted), at: now)
        guard isRead else {
            log.note(request, .stream, 200, since.map { now - $0 } ?? 0, client: caller.number)
            return .answered
        }
        open(query, plan, holding, request, writer, at: now)
        return .answered
    }

    /// Seconds after which a client that found no place may come again.
    private static let refusedWait = 2...10

    private func open(
        _ query: StreamQuery, _ plan: SelectionPlan, _ holding: Holding, _ request: HTTPRequest,
        _ writer: ResponseWriter, at now: Int64
    ) {
        let topic = streams.book.topic(of: query.filter)
        topic.staleFrom = plan.state == .fresh ? holding.local(plan.freshUntil) : .min
        writer.write(StreamPiece(EventText.retry(Int.random(in: StreamRetry.usual))))
        var known: SnapshotID?
        var events: [StreamEvent] = []
        if query.filter.kinds.contains(.snapshot) {
            (events, known) = firstEvents(query, plan, holding, request, at: now)
        }
        if query.filter.kinds.contains(.cooldown), let pause = StreamPause(holding.view.condition) {
            events.append(StreamEvent(pause, of: plan.resource))
        }
        for event in events {
            writer.write(event.piece)
            seams.streams.events.add(event.kind)
        }
        streams.book.add(
            OpenStream(
                request.connection, topic: topic, seen: streams.published, known: known,
                client: caller.number,
                token: gate.isGuarded ? ClientToken.of(request).map { TokenDigest(of: $0) } : nil,
                since: now, mark: log.mark(of: request)))
        seams.streams.opened.add()
        startBeats()
    }

    // MARK: - What has been missed

    /// What a stream is told at its beginning, and a snapshot that it knows though it hasn't come here yet.
    private func firstEvents(
        _ query: StreamQuery, _ plan: SelectionPlan, _ holding: Holding, _ request: HTTPRequest,
        at now: Int64
    ) -> (events: [StreamEvent], known: SnapshotID?) {
        let resumption: SnapshotRing.Resumption
        switch query.lastEvent(request) {
        case .none: return ([event(plan, holding, query.filter, isGap: false, at: now)], nil)
        case .foreign: resumption = .gap
        case .snapshot(let id):
            resumption = streams.rings[plan.resource]?.after(id, at: seams.clock.wall()) ?? .gap
        }
        switch resumption {
        case .known(let missed):
            seams.streams.resumed.add()
            return (replay(missed, query.filter, at: now), nil)
        case .ahead(let id):
            seams.streams.resumed.add()
            return ([], id)
        case .gap:
            seams.streams.gaps.add()
            return ([event(plan, holding, query.filter, isGap: true, at: now)], nil)
        }
    }

    /// The events of publications that were missed: as many of the newest as are told at once and may be served still.
    private func replay(_ missed: [Holding], _ filter: StreamFilter, at now: Int64) -> [StreamEvent] {
        var told: [(plan: SelectionPlan, holding: Holding, event: StreamEvent)] = []
        var bytes = 0
        for holding in missed.reversed() {
            guard let plan = plan(of: holding, filter, at: now) else { break }
            let event = event(plan, holding, filter, isGap: false, at: now)
            bytes += event.piece.count
            guard told.isEmpty || bytes <= StreamLimits.replay else { break }
            told.append((plan, holding, event))
        }
        var events = Array(told.reversed().map(\.event))
        if told.count < missed.count, let oldest = told.last {
            seams.streams.gaps.add()
            events[0] = event(oldest.plan, oldest.holding, filter, isGap: true, at: now)
        }
        return events
    }

    /// What a publication says of what a filter asks for; nil for nothing that may be served any more.
    func plan(of holding: Holding, _ filter: StreamFilter, at now: Int64) -> SelectionPlan? {
        let judgement = SnapshotTable.judge(
            holding, base: filter.base, wish: SnapshotTable.Wish(filter.selection), policy: settings.policy,
            at: now)
        return if case .served(let plan) = judgement { plan } else { nil }
    }

    /// The event of a plan, from the shelf if it was rendered before.
    func event(
        _ plan: SelectionPlan, _ holding: Holding, _ filter: StreamFilter, isGap: Bool, at now: Int64
    ) -> StreamEvent {
        let key = EventShelf.Key(selection: filter.selection, snapshot: plan.snapshot.id, isGap: isGap)
        if let known = streams.shelf.find(key, at: now) { return known }
        let event = StreamEvent(plan, of: holding, in: filter.numbers, isGap: isGap)
        streams.shelf.insert(event, for: key)
        return event
    }
}
