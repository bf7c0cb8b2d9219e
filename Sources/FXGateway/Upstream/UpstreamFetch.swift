import CacheLayer
import EventLoop
import Telemetry

/// One call to upstream for the refresher: asks, reads what the answer says of limits, lets the table in
/// or not.
///
/// Safe from any thread. Never logs a body, a header or a URL: only the status, known codes and words of our own.
struct UpstreamFetch: Sendable {
    let transport: UpstreamTransport
    let policy: TierPolicy
    /// How far a rate may jump unasked; nil lets everything pass.
    let band: QuarantineBand?
    let time: TimeSource
    let logger: Logger
    let counters: UpstreamCounters
    /// Where the last call of each resource is kept, for explanations.
    let calls: LastCalls
    /// Whether upstream has refused a request for currencies that it lists no more.
    private let refusesRetired = Locked(false)

    init(
        transport: UpstreamTransport, policy: TierPolicy, band: QuarantineBand?, time: TimeSource,
        logger: Logger, counters: UpstreamCounters, calls: LastCalls = LastCalls()
    ) {
        self.transport = transport
        self.policy = policy
        self.band = band
        self.time = time
        self.logger = logger
        self.counters = counters
        self.calls = calls
    }

    func callAsFunction(_ order: FetchOrder) async -> FetchOutcome {
        switch order.resource {
        case .latest(let base):
            await call("/v1/latest/\(base.code)", order) { read($0, base: base, order: order) }
        case .account: await call("/v1/account", order) { readAccount($0, order: order) }
        case .year(let base, let year): await fetch(year: year, of: base, order)
        case .currencies: await call("/v1/currencies", order) { readList($0, order: order) }
        }
    }

    /// Asks for a page of a year's rows: one call, whatever comes after it.
    ///
    /// A page holds 366 rows and a year has no more days, so that one is all unless upstream cuts its pages smaller: the rest
    /// is then asked for by another order. Currencies that upstream lists no more are asked for in the years that had them;
    /// where it refuses that, they are left out from then on.
    private func fetch(year: Int, of base: Currency, _ order: FetchOrder) async -> FetchOutcome {
        guard let span = YearSpan(year: year, held: order.heldYear, today: order.storeNow().date) else {
            // Nobody was asked: the reservation goes back.
            return .unsent
        }
        let retired = refusesRetired.withLock { $0 } ? [] : RetiredCurrencies.carried(into: year)
        let listed = Set(order.listed).subtracting([base])
        let extra = Set(retired).subtracting(listed).subtracting([base])
        let symbols = listed.union(extra).sorted().map(\.code).joined(separator: ",")
        let path =
            "/v1/range?base=\(base)&symbols=\(symbols)&start_date=\(span.first.text)&end_date=\(span.last.text)"
        return await call(path, order) { answer in
            if !extra.isEmpty, !(200...299).contains(answer.status), Self.isCodeRefused(answer.body) {
                refusesRetired.withLock { $0 = true }
            }
            return read(answer, order: order) { body throws(IngestError) in
                try Ingest.year(
                    year, of: base, from: body, status: answer.status,
                    contentType: answer[field: "Content-Type"], span: span, held: order.heldYear,
                    minorUnits: order.minorUnits)
            }
        }
    }

    /// Whether it was a currency that upstream didn't want: any other refusal says nothing of those.
    private static func isCodeRefused(_ body: [UInt8]) -> Bool {
        switch UpstreamProblem.read(body) {
        case .invalidPair, .unsupportedBase, .invalidRequest: true
        default: false
        }
    }

    private func call(
        _ path: String, _ order: FetchOrder, read: (UpstreamAnswer) -> FetchOutcome
    ) async -> FetchOutcome {
        let began = time.now()
        do throws(UpstreamError) {
            let answer = try await transport.get(path: path, deadline: order.limit, gate: order.mayStart)
            let outcome = read(answer)
            note(outcome, of: order.resource, since: began, answer: answer)
            return outcome
        } catch {
            let outcome = outcome(of: error)
            note(outcome, of: order.resource, since: began, reason: error.reason)
            logger.log(
                .warning, "upstream could not be asked",
                [.resource: order.resource.name, .reason: error.reason])
            return outcome
        }
    }

    /// Keeps how a call ended; its code is of the closed list, its reason a word of our own.
    private func note(
        _ outcome: FetchOutcome, of resource: Resource, since began: ContinuousClock.Instant,
        answer: UpstreamAnswer? = nil, reason: String? = nil
    ) {
        guard let result = RefreshCounters.UpstreamResult(outcome) else { return }
        let isTaken = result == .ok
        calls.note(
            CallRecord(
                at: time.wall(), result: result, status: answer?.status,
                code: isTaken ? nil : answer.flatMap { UpstreamProblem.read($0.body) },
                reason: reason ?? outcome.reason, duration: began.duration(to: time.now())),
            of: resource)
    }

    private func read(_ answer: UpstreamAnswer, base: Currency, order: FetchOrder) -> FetchOutcome {
        read(answer, order: order) { body throws(IngestError) in
            try Ingest.table(
                from: body, status: answer.status, contentType: answer[field: "Content-Type"],
                expecting: base,
                held: order.held, storeNow: order.storeNow(), interval: order.interval, policy: policy,
                band: band, minorUnits: order.minorUnits)
        }
    }

    private func readList(_ answer: UpstreamAnswer, order: FetchOrder) -> FetchOutcome {
        read(answer, order: order) { body throws(IngestError) in
            try Ingest.currencies(
                from: body, status: answer.status, contentType: answer[field: "Content-Type"],
                storeNow: order.storeNow())
        }
    }

    /// Lets an answer in by what `ingest` says, or tells what came instead.
    private func read(
        _ answer: UpstreamAnswer, order: FetchOrder, ingest: ([UInt8]) throws(IngestError) -> Ingested
    ) -> FetchOutcome {
        let body = answer.body
        let wall = time.wall()
        do throws(IngestError) {
            let ingested = try ingest(body)
            counters.accepted(ingested.notes)
            tellQuarantine(of: order.resource, ingested.notes)
            tellClasses(of: order.resource, ingested.notes)
            return .answered(ingested, evidence(of: answer, wall: wall, store: order.storeNow()))
        } catch {
            counters.refused(error)
            logger.log(
                .warning, "an upstream answer was not let in",
                [
                    .resource: order.resource.name, .reason: error.reason,
                    .code: error.problem?.rawValue ?? "",
                    .upstreamStatus: String(answer.status), .count: String(body.count),
                ])
            if let refusal = refusal(of: answer, to: order.resource, code: error.problem, wall: wall) {
                return refusal
            }
            return error == .olderData ? .older : .failed(reason: error.reason)
        }
    }

    /// One line for what is held back from now on, one for what has been confirmed; codes only.
    private func tellQuarantine(of resource: Resource, _ notes: IngestNotes) {
        if !notes.quarantined.isEmpty {
            logger.log(
                .warning, "rates jumped and are held back",
                [
                    .resource: resource.name, .symbol: codes(notes.quarantined),
                    .count: String(notes.quarantined.count),
                    .limit: band.map { UnitText.text(basisPoints: $0.basisPoints) } ?? "",
                ])
        }
        if !notes.confirmed.isEmpty {
            logger.log(
                .notice, "rates that were held back have been confirmed",
                [
                    .resource: resource.name, .symbol: codes(notes.confirmed),
                    .count: String(notes.confirmed.count),
                ])
        }
    }

    /// One line where symbols change their class, one for each class that isn't known.
    private func tellClasses(of resource: Resource, _ notes: IngestNotes) {
        if let first = notes.classChanges.first {
            logger.log(
                .notice, "symbols have changed their class",
                [
                    .resource: resource.name, .symbol: codes(notes.classChanges.map(\.currency)),
                    .count: String(notes.classChanges.count),
                    .value: "\(first.from.name) to \(first.to.name)",
                ])
        }
        for name in counters.newSources(notes.unknownSources) {
            logger.log(
                .notice, "upstream has a class of rates that isn't known here",
                [.resource: resource.name, .source: name])
        }
    }

    /// As many codes as a line bears.
    private func codes(_ list: [Currency]) -> String { list.prefix(16).map(\.code).joined(separator: ",") }

    /// Reads how much of the plan is used; nothing else of the body goes any further.
    private func readAccount(_ answer: UpstreamAnswer, order: FetchOrder) -> FetchOutcome {
        let wall = time.wall()
        let body = answer.body
        guard (200...299).contains(answer.status), let usage = AccountUsage(body: body) else {
            let problem = UpstreamProblem.read(body)
            logger.log(
                .warning, "upstream's account could not be read",
                [
                    .code: problem?.rawValue ?? "", .upstreamStatus: String(answer.status),
                    .count: String(body.count),
                ])
            if let refusal = refusal(of: answer, to: order.resource, code: problem, wall: wall) {
                return refusal
            }
            counters.evidenceIgnored.add(.unreadable)
            return .failed(reason: "account_unreadable")
        }
        let clock = limits(of: answer, code: nil).clock(now: wall)
        guard EvidenceReading.isSameMonth(clock, as: order.storeNow()),
            let evidence = usage.evidence(at: clock)
        else {
            counters.evidenceIgnored.add(.otherMonth)
            return .told(.none)
        }
        return .told(evidence)
    }

    /// What a rejected answer asks for beyond a retry; nil if nothing.
    private func refusal(
        of answer: UpstreamAnswer, to resource: Resource, code: UpstreamProblem?, wall: UnixMilliseconds
    ) -> FetchOutcome? {
        switch UpstreamVerdict(limits(of: answer, code: code), of: resource, now: wall) {
        case .pause(let pause): .limited(pause.scope, wait: pause.wait, reason: pause.reason.rawValue)
        case .refused: .forbidden
        case .denied(let denial): .denied(denial)
        case .ok, .failed: nil
        }
    }

    private func outcome(of error: UpstreamError) -> FetchOutcome {
        switch error {
        case .notStarted: .unsent
        case .timedOut, .cancelled: .cutOff
        case .tooLarge, .untrustedCertificate, .expiredCertificate, .wrongHost, .handshake, .dns, .refused,
            .connectionLost, .notHTTP, .invalidKey, .other:
            .failed(reason: error.reason)
        }
    }

    private func limits(of answer: UpstreamAnswer, code: UpstreamProblem?) -> LimitAnswer {
        LimitAnswer(
            status: answer.status, code: code, retryAfter: answer[field: "Retry-After"],
            reset: answer[field: "X-RateLimit-Reset"], draftReset: answer[field: "RateLimit-Reset"],
            remaining: answer[field: "X-RateLimit-Remaining"], date: answer[field: "Date"])
    }

    /// What the answer's fields say of the month's calls.
    private func evidence(
        of answer: UpstreamAnswer, wall: UnixMilliseconds, store: UnixMilliseconds
    ) -> UpstreamEvidence {
        switch EvidenceReading.read(limits(of: answer, code: nil), wall: wall, store: store) {
        case .evidence(let evidence): return evidence
        case .ignored(let why):
            counters.evidenceIgnored.add(why)
            return .none
        }
    }
}

extension FetchOutcome {
    /// The word for why there was nothing to take; nil where there is none.
    fileprivate var reason: String? {
        switch self {
        case .failed(let reason, _), .limited(_, _, let reason): reason
        case .denied: "access_denied"
        case .unsent, .answered, .told, .older, .cutOff, .forbidden: nil
        }
    }
}
