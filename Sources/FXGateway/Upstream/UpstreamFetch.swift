import CacheLayer
import Foundation
import Telemetry

/// One call to upstream for the refresher: asks, reads what the answer says of limits, lets the table in
/// or not.
///
/// Safe from any thread. Never logs a body, a header or a URL: only the status, known codes and words of our own.
struct UpstreamFetch: Sendable {
    let transport: UpstreamTransport
    let policy: TierPolicy
    let time: TimeSource
    let logger: Logger
    let counters: UpstreamCounters

    func callAsFunction(_ order: FetchOrder) async -> FetchOutcome {
        switch order.resource {
        case .latest(let base):
            await call("/v1/latest/\(base.code)", order) { read($0, base: base, order: order) }
        case .account: await call("/v1/account", order) { readAccount($0, order: order) }
        case .year, .currencies: .failed(reason: "unsupported_resource")
        }
    }

    private func call(
        _ path: String, _ order: FetchOrder, read: (UpstreamAnswer) -> FetchOutcome
    ) async -> FetchOutcome {
        do throws(UpstreamError) {
            return read(try await transport.get(path: path, deadline: order.limit, gate: order.mayStart))
        } catch {
            let outcome = outcome(of: error)
            logger.log(
                .warning, "upstream could not be asked",
                [.resource: order.resource.name, .reason: error.reason])
            return outcome
        }
    }

    private func read(_ answer: UpstreamAnswer, base: Currency, order: FetchOrder) -> FetchOutcome {
        let body = answer.body
        let wall = time.wall()
        do throws(IngestError) {
            let ingested = try Ingest.table(
                from: body, status: answer.status, contentType: answer[field: "Content-Type"],
                expecting: base,
                held: order.held, storeNow: order.storeNow(), interval: order.interval, policy: policy)
            counters.accepted(ingested.notes)
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
            if let refusal = refusal(of: answer, code: error.problem, wall: wall) { return refusal }
            return error == .olderData ? .older : .failed(reason: error.reason)
        }
    }

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
            if let refusal = refusal(of: answer, code: problem, wall: wall) { return refusal }
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

    /// What an answer that wasn't let in asks for beyond trying again: a pause, or to leave a kind of resource alone.
    private func refusal(
        of answer: UpstreamAnswer, code: UpstreamProblem?, wall: UnixMilliseconds
    ) -> FetchOutcome? {
        let limits = limits(of: answer, code: code?.rawValue)
        if let pause = CooldownReading(limits, now: wall) {
            return .limited(pause.scope, wait: pause.wait, reason: pause.reason.rawValue)
        }
        return limits.isRefusal ? .forbidden(isCertain: limits.hasRefusalCode) : nil
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

    private func limits(of answer: UpstreamAnswer, code: String?) -> LimitAnswer {
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
