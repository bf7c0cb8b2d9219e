import CacheLayer
import EventLoop
import HTTPEngine
import Telemetry

/// From news to the streams that wait for them, and the ends of streams.
///
/// A loop with thousands of streams tells them bit by bit, and answers requests in between.
extension GatewayApplication {
    /// Streams that are written to before requests have their turn: some tenths of a millisecond's work.
    private static let turn = 16
    /// What rendering an event counts as, in writes.
    private static let renderingCost = 4
    /// More than this many things to be told at once are told without a pause: the queue has an end.
    private static let mostDeliveries = 64
    /// How often the streams that are due for a heartbeat are looked for.
    private static let tickLength = Duration.milliseconds(250)

    /// Has the streams told of a snapshot that was adopted.
    func publish(_ holding: Holding) {
        let resource = holding.snapshot.resource
        guard case .latest(let base) = resource else { return }
        streams.rings[resource, default: SnapshotRing()].append(holding)
        streams.published += 1
        tell(.publication(holding, number: streams.published), of: .snapshot, base)
    }

    /// Has the streams told that the calls for a resource pause, or go on.
    func tellPause(of resource: Resource, _ condition: RefreshCondition, after earlier: RefreshCondition) {
        guard case .latest(let base) = resource, StreamPause.isNews(from: earlier, to: condition) else {
            return
        }
        tell(.cooldown(StreamEvent(StreamPause(condition), of: resource)), of: .cooldown, base)
    }

    private func tell(_ content: Delivery.Content, of kind: StreamKind, _ base: Currency) {
        let topics = streams.book.topics.filter { topic in
            topic.filter.kinds.contains(kind) && table.candidates(for: topic.filter.base).contains(base)
        }
        guard !topics.isEmpty else { return }
        add(Delivery(content, to: topics))
    }

    private func add(_ delivery: Delivery) {
        streams.deliveries.append(delivery)
        guard !streams.isDelivering else { return }
        streams.isDelivering = true
        loop.post { [self] in deliver() }
    }

    // MARK: - Turns

    /// Tells some streams, and goes on after the requests that came meanwhile.
    private func deliver() {
        var left = streams.deliveries.count > Self.mostDeliveries ? Int.max : Self.turn
        while left > 0, !streams.deliveries.isEmpty {
            guard let step = streams.deliveries[0].next() else {
                streams.deliveries.removeFirst()
                continue
            }
            switch (step, streams.deliveries[0].content) {
            case (.topic(let topic), let content):
                left -= Self.renderingCost
                guard let event = event(for: topic, content) else { continue }
                streams.deliveries[0].tell(event, to: topic)
            case (.stream(let stream, let event), .publication(_, let number)):
                left -= 1
                guard stream.seen < number else { continue }
                stream.seen = number
                guard let event, event.snapshot != stream.known else { continue }
                write(event, to: stream)
            case (.stream(let stream, let event), .cooldown):
                left -= 1
                if let event { write(event, to: stream) }
            case (.stream(let stream, _), .end(let reason)):
                left -= 1
                end(stream, reason)
            }
        }
        streams.isDelivering = !streams.deliveries.isEmpty
        if streams.isDelivering { loop.post { [self] in deliver() } }
    }

    /// What the streams of a topic are told; nil for nothing.
    private func event(for topic: StreamTopic, _ content: Delivery.Content) -> StreamEvent? {
        let holding: Holding
        switch content {
        case .publication(let published, _):
            // Refreshing may stand otherwise since it was published.
            holding = published.under(table.condition(of: published.snapshot.resource))
        case .cooldown(let event): return event
        case .end: return nil
        }
        let now = seams.clock.milliseconds()
        let filter = topic.filter
        // A direct base's own table goes before the pivot's.
        let own = Resource.latest(base: table.candidates(for: filter.base)[0])
        if own != holding.snapshot.resource, let first = table.holding(of: own),
            plan(of: first, filter, at: now) != nil
        {
            return nil
        }
        guard let plan = plan(of: holding, filter, at: now) else {
            if case .unknown = table.plan(filter.selection, at: now, today: today(at: now)) {
                endUnsupported(topic.streams)
            }
            return nil
        }
        let event = event(plan, holding, filter, isGap: false, at: now)
        topic.staleFrom = event.staleFrom
        return event
    }

    /// Ends streams of what upstream no longer has, together with others that wait for the same.
    private func endUnsupported(_ ended: [OpenStream]) {
        let place = streams.deliveries.lastIndex { delivery in
            if case .end(.unsupported) = delivery.content { true } else { false }
        }
        guard let place else { return add(Delivery(.end(.unsupported), to: ended)) }
        streams.deliveries[place].join(ended)
    }

    private func write(_ event: StreamEvent, to stream: OpenStream) {
        guard streams.book.has(stream.id) else { return }
        if server?.write(stream.id, event.piece) == true {
            seams.streams.events.add(event.kind)
        } else {
            // Whoever has left was told of already.
            forget(stream.id, .behind)
        }
    }

    // MARK: - Heartbeats and demand

    /// Begins to look for streams that are due for a heartbeat.
    func startBeats() {
        guard streams.tick == nil else { return }
        // Without a timer a stream is as silent as the rates are.
        streams.tick = try? loop.every(Self.tickLength) { [unowned self] in beat() }
    }

    private func beat() {
        let now = seams.clock.milliseconds()
        var left = Self.turn
        while let stream = streams.book.nextBeat(at: now) {
            if server?.write(stream.id, Self.heartbeat) != true { forget(stream.id, .behind) }
            noteDemand(of: stream, at: now)
            left -= 1
            if left == 0 {
                loop.post { [self] in beat() }
                return
            }
        }
    }

    private static let heartbeat = StreamPiece(EventText.heartbeat)

    /// An open stream is a use that goes on.
    private func noteDemand(of stream: OpenStream, at now: Int64) {
        let wanted = Resource.latest(base: table.candidates(for: stream.topic.filter.base)[0])
        let topic = stream.topic
        let isWanting = topic.filter.kinds.contains(.snapshot) && now >= topic.staleFrom
        noteWish(of: wanted, isWanting: isWanting, at: now)
        if demand(for: wanted).isNews(of: stream.client, at: now) {
            seams.asked(wanted, stream.client, now)
        }
    }

    /// Tells the refresher of a use, if it wasn't told a moment ago.
    func noteWish(of wanted: Resource, isWanting: Bool, at now: Int64) {
        if let demand = demand(for: wanted).use(at: now, isWanting: isWanting) {
            seams.wanted(wanted, demand)
        }
    }

    // MARK: - Ends

    /// Takes the clients of a new file; streams whose token it doesn't have end.
    func use(_ clients: ClientSet) {
        gate.use(clients)
        guard gate.isGuarded else { return }
        let revoked = streams.book.all.filter { stream in
            stream.token.map { clients.client(of: $0) == nil } ?? true
        }
        if !revoked.isEmpty { add(Delivery(.end(.revoked), to: revoked)) }
    }

    func draining() {
        streams.isClosed = true
        let all = streams.book.all
        if !all.isEmpty { add(Delivery(.end(.draining), to: all)) }
    }

    /// Ends a stream with a last event that says why and when to come back.
    private func end(_ stream: OpenStream, _ reason: StreamEnd) {
        guard streams.book.has(stream.id) else { return }
        let waits = StreamRetry.afterEnd
        streams.ended += 1
        let last = EventText.end(reason, retry: waits[streams.ended % waits.count])
        let isThere = server?.write(stream.id, last) == true
        forget(stream.id, isThere ? reason : .behind)
        server?.finish(stream.id)
    }

    /// Takes a stream out of the book; nothing happens if it isn't there any more.
    func forget(_ id: ConnectionID, _ end: StreamEnd) {
        guard let stream = streams.book.remove(id) else { return }
        seams.places.leave()
        seams.streams.ends.add(end)
        log.noteEnd(
            ofStream: stream.mark, end, seams.clock.milliseconds() - stream.since, client: stream.client)
        if streams.book.isEmpty { streams.tick = nil }
    }
}
