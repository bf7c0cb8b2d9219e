import CacheLayer
import EventLoop
import HTTPEngine

/// Answers from past snapshots: from memory where the snapshot is held, else the request waits for the store.
extension GatewayApplication {
    /// How often those whose time is up are looked for.
    private static let tickLength = Duration.milliseconds(25)
    /// Different questions of one loop that may be on their way to the store.
    static let mostLookups = 256
    /// So far the clocks of a client and of the store may be ahead of this one's.
    private static let clockTolerance = Duration.seconds(5)

    /// Answers, refuses or parks a request for a past snapshot.
    func answerPinned(
        _ order: PinnedOrder, _ pin: Pin, _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64
    ) -> HTTPDisposition {
        let since = replays.entry(request.connection)?.since
        do throws(Problem) {
            guard let snapshot = try find(pin, for: order.base ?? table.pivot, request, writer, at: now)
            else {
                return .parked
            }
            let answer = try render(order, from: snapshot, isNamed: pin.isNamed)
            replays.remove(request.connection)
            return deliver(answer, to: request, writer, since.map { now - $0 } ?? 0)
        } catch {
            replays.remove(request.connection)
            refuse(error, on: order.route, request, writer, since: since)
            return .answered
        }
    }

    // MARK: - Finding

    /// The snapshot; nil if the request now waits for it.
    private func find(
        _ pin: Pin, for base: Currency, _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64
    ) throws(Problem) -> RateSnapshot? {
        let question: ArchiveQuestion
        switch pin {
        case .snapshot(let id):
            if let snapshot = table.snapshot(id) ?? seams.archive.recent(id) { return snapshot }
            question = .id(id)
        case .asOf(let instant):
            guard instant <= seams.clock.wall() + Self.clockTolerance else {
                throw Problem(.badDate, "as_of: \(instant.rfc3339) is not over yet.")
            }
            question = .newest(table.resources(for: base), at: instant)
        }
        if let found, found.question == question { return try Self.snapshot(of: found.finding, pin) }
        try wait(for: question, request, writer, at: now)
        return nil
    }

    private static func snapshot(of finding: ArchiveFinding, _ pin: Pin) throws(Problem) -> RateSnapshot {
        switch (finding, pin) {
        case (.found(let snapshot), _): return snapshot
        case (.absent, .snapshot(let id)):
            throw Problem(.gone, "The snapshot \(id) is not kept, or no longer.")
        case (.absent, .asOf(let instant)):
            throw Problem(.gone, "What was the newest at \(instant.rfc3339) is not kept, or no longer.")
        case (.away, _): throw storeAway
        }
    }

    private static var storeAway: Problem {
        Problem(
            .storeUnavailable, "The shared store can't be asked for past snapshots now.", retryAfter: 1)
    }

    private func wait(
        for question: ArchiveQuestion, _ request: HTTPRequest, _ writer: ResponseWriter, at now: Int64
    ) throws(Problem) {
        if CacheControl.isOnlyIfCached(request) {
            throw Problem(.onlyIfCached, "The snapshot is not in memory, and the request asks for no more.")
        }
        if let known = replays.entry(request.connection) {
            guard now < known.deadline else { throw Self.storeAway }
            return
        }
        let isAsked = lookups.contains(question)
        guard writer.mayPark, !replays.isFull, isAsked || lookups.count < Self.mostLookups else {
            throw Problem(.overloaded, "Too many requests wait for past snapshots.", retryAfter: 1)
        }
        replays.add(
            request.connection,
            WaitingList.Entry(
                awaited: question, deadline: now + settings.waitLimit.milliseconds, since: now,
                caller: caller))
        if replayTick == nil {
            // Without a timer the wait ends with the store's own deadline.
            replayTick = try? loop.every(Self.tickLength) { [unowned self] in
                retryReplays(replays.expired(at: seams.clock.milliseconds()))
            }
        }
        guard !isAsked else { return }
        lookups.insert(question)
        seams.archive.find(question) { [self, loop] finding in
            loop.post { self.land(question, finding) }
        }
    }

    /// Answers those who waited for this.
    private func land(_ question: ArchiveQuestion, _ finding: ArchiveFinding) {
        lookups.remove(question)
        found = (question, finding)
        retryReplays(replays.waiting(for: question))
        found = nil
    }

    private func retryReplays(_ ids: [ConnectionID]) {
        for id in ids {
            server?.resumeNow(id) { [unowned self] request, writer in
                understand(request, writer, at: seams.clock.milliseconds(), arrival: .nothing)
            }
        }
        if replays.isEmpty { replayTick = nil }
    }

    // MARK: - Answering

    private func render(
        _ order: PinnedOrder, from snapshot: RateSnapshot, isNamed: Bool
    ) throws(Problem) -> PinnedAnswer {
        let plan: SelectionPlan
        let body: [UInt8]
        switch order {
        case .table(let symbols, let form):
            let selection = Selection.latest(base: snapshot.table.base, symbols: symbols, numbers: form)
            plan = try SnapshotTable.pinned(selection, to: snapshot)
            body = try self.body(of: selection, plan)
        case .selection(let selection):
            plan = try SnapshotTable.pinned(selection, to: snapshot)
            body = try self.body(of: selection, plan)
        case .batch(let order, let options):
            plan = try SnapshotTable.pinned(
                from: order.from, to: SymbolList(order.pairs.map(\.to)).codes, in: snapshot)
            body = BodyRenderer.conversions(plan, try convert(order, plan, options), options)
        }
        return PinnedAnswer(
            route: order.route, plan: plan, body: body, isNamed: isNamed, visibility: settings.visibility)
    }

    private func deliver(
        _ answer: PinnedAnswer, to request: HTTPRequest, _ writer: ResponseWriter, _ milliseconds: Int64
    ) -> HTTPDisposition {
        let isKnown = Precondition.isNotModified(
            request, etag: answer.etag, lastModified: answer.lastModified, wall: seams.clock.wall)
        let status = isKnown ? 304 : 200
        writer.begin(status: status)
        writer.raw(answer.lines)
        if !isKnown { writer.field("Content-Type", "application/json") }
        addBalance(caller.balance, writer)
        if !settings.corsOrigins.isEmpty { CORS.addFields(settings.corsOrigins, request, writer) }
        if isKnown { writer.end() } else { writer.end(body: answer.body) }
        counters.count(answer.route, status: status, .pinned)
        log.note(request, answer.route, status, milliseconds, client: caller.number)
        return .answered
    }
}

extension Pin {
    /// Whether it names the snapshot itself.
    fileprivate var isNamed: Bool { if case .snapshot = self { true } else { false } }
}
