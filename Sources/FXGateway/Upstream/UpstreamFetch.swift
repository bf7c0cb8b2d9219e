import CacheLayer
import ExchangeRateClient
import Foundation
import Telemetry

/// One call to upstream for the refresher: asks, reads what the answer says of limits, lets the table in
/// or not.
///
/// Safe from any thread. Never logs a body, a header or a URL: only the status, known codes and words of our own.
struct UpstreamFetch: Sendable {
    let transport: RawTransport
    let policy: TierPolicy
    /// The month's calls by the plan: what upstream says is left is taken from it.
    let monthly: Int64
    let time: TimeSource
    let logger: Logger
    let counters: UpstreamCounters

    func callAsFunction(_ order: FetchOrder) async -> FetchOutcome {
        guard case .latest(let base) = order.resource else { return .failed(reason: "unsupported_resource") }
        do throws(TransportError) {
            let answer = try await transport.get(
                path: "/v1/latest/\(base.code)", deadline: order.limit, gate: order.mayStart)
            return read(answer, base: base, order: order)
        } catch {
            let outcome = outcome(of: error)
            logger.log(
                .warning, "upstream could not be asked",
                [.resource: order.resource.name, .reason: error.reason])
            return outcome
        }
    }

    private func read(_ answer: RawAnswer, base: Currency, order: FetchOrder) -> FetchOutcome {
        let body = Array(answer.body)
        let wall = time.wall()
        do throws(IngestError) {
            let ingested = try Ingest.table(
                from: body, status: answer.status, contentType: answer[field: "Content-Type"],
                expecting: base,
                held: order.held, storeNow: order.storeNow(), interval: order.interval, policy: policy)
            counters.accepted(ingested.notes)
            return .answered(ingested, upstreamUsed: used(by: limits(of: answer, code: nil), now: wall))
        } catch {
            counters.refused(error)
            logger.log(
                .warning, "an upstream answer was not let in",
                [
                    .resource: order.resource.name, .reason: error.reason,
                    .code: error.problem?.rawValue ?? "",
                    .upstreamStatus: String(answer.status), .count: String(body.count),
                ])
            let limits = limits(of: answer, code: error.problem?.rawValue)
            if let pause = CooldownReading(limits, now: wall) {
                return .limited(pause.scope, wait: pause.wait, reason: pause.reason.rawValue)
            }
            return error == .olderData ? .older : .failed(reason: error.reason)
        }
    }

    private func outcome(of error: TransportError) -> FetchOutcome {
        switch error {
        case .notStarted: .unsent
        case .timedOut, .cancelled: .cutOff
        case .bodyTooLarge, .tls, .dns, .refused, .connectionLost, .invalidURL, .invalidKey, .other:
            .failed(reason: error.reason)
        }
    }

    private func limits(of answer: RawAnswer, code: String?) -> LimitAnswer {
        LimitAnswer(
            status: answer.status, code: code, retryAfter: answer[field: "Retry-After"],
            reset: answer[field: "X-RateLimit-Reset"], draftReset: answer[field: "RateLimit-Reset"],
            remaining: answer[field: "X-RateLimit-Remaining"], date: answer[field: "Date"])
    }

    /// Upstream's own count of the month's calls, if the answer speaks of the month.
    private func used(by limits: LimitAnswer, now: UnixMilliseconds) -> Int64? {
        guard let remaining = RemainingReading(limits, now: now)?.monthly else { return nil }
        return max(0, monthly - remaining)
    }
}

extension TransportError {
    /// The stable word for metrics and logs.
    var reason: String {
        switch self {
        case .notStarted: "not_started"
        case .timedOut: "timed_out"
        case .bodyTooLarge: "too_large"
        case .tls: "tls"
        case .dns: "dns"
        case .refused: "refused"
        case .connectionLost: "connection_lost"
        case .cancelled: "cancelled"
        case .invalidURL: "invalid_url"
        case .invalidKey: "invalid_key"
        case .other: "other"
        }
    }
}
