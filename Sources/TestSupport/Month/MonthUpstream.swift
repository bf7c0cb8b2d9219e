import CacheLayer
import EventLoop
import UpstreamSimulator

/// The way of all instances to the simulated upstream: it counts each call and enforces the plan and the minute's limit.
///
/// Safe from any thread.
final class MonthUpstream: Sendable {
    static let key = "exr_live_month"
    static let keyMark = KeyMark(stored: "month")

    /// One call as it leaves, told before its answer comes.
    struct Call: Sendable {
        let slot: Int
        let resource: Resource
        /// The interval that was granted with it.
        let interval: Duration
        let status: Int
        /// The calls of the month that upstream has counted, this one among them.
        let counted: Int
        /// How long its answer takes.
        let latency: Duration
    }

    private let upstream: InProcessUpstream
    private let policy: TierPolicy
    private let fixedLatency: Duration?
    private let time: ManualTime
    private let numbers: Locked<SeededNumbers>
    private let told: @Sendable (Call) -> Void

    init(
        settings: MonthSettings, time: ManualTime, numbers: SeededNumbers,
        told: @escaping @Sendable (Call) -> Void
    ) {
        var configuration = SimulatorConfiguration()
        configuration.mode = .live
        configuration.limits = QuotaLimits(
            monthly: Int(settings.plan), perMinute: Int(settings.perMinute), perHour: nil)
        configuration.keys = [Self.key]
        configuration.seed = settings.seed
        upstream = InProcessUpstream(configuration: configuration) { time.wall.value }
        policy = settings.policy
        fixedLatency = settings.latency
        self.time = time
        self.numbers = Locked(numbers)
        self.told = told
    }

    /// All requests so far, those that were refused among them.
    var counts: CallCounts { upstream.counts }

    func fetch(_ order: FetchOrder, slot: Int) async -> FetchOutcome {
        guard order.mayStart() else { return .unsent }
        let path: String
        switch order.resource {
        case .latest(let base): path = "/v1/latest/\(base.code)"
        case .account: path = "/v1/account"
        case .year, .currencies: return .failed(reason: "unsupported_resource")
        }
        let answer = upstream.get(path, key: Self.key)
        defer { upstream.end(answer) }
        let latency = latency()
        told(
            Call(
                slot: slot, resource: order.resource, interval: order.interval, status: answer.status,
                counted: upstream.callsThisMonth(of: Self.key), latency: latency))
        do { try await time.source.sleep(latency) } catch { return .cutOff }
        return read(answer, order)
    }

    private func latency() -> Duration {
        if let fixedLatency { return fixedLatency }
        return numbers.withLock { numbers in
            let isSlow = Int.random(in: 0..<50, using: &numbers) == 0
            return .milliseconds(
                isSlow ? .random(in: 1_000..<8_000, using: &numbers) : .random(in: 60..<600, using: &numbers))
        }
    }

    private func read(_ answer: InProcessUpstream.Answer, _ order: FetchOrder) -> FetchOutcome {
        let wall = time.wall
        let isAnswered = (200...299).contains(answer.status)
        let limits = LimitAnswer(
            status: answer.status, code: isAnswered ? nil : UpstreamProblem.read(answer.body),
            retryAfter: answer[field: "Retry-After"], reset: answer[field: "X-RateLimit-Reset"],
            remaining: answer[field: "X-RateLimit-Remaining"], date: answer[field: "Date"])
        if case .pause(let pause) = UpstreamVerdict(limits, of: order.resource, now: wall) {
            return .limited(pause.scope, wait: pause.wait, reason: pause.reason.rawValue)
        }
        switch order.resource {
        case .latest(let base): return table(answer, base: base, order: order, limits: limits)
        case .account:
            guard let evidence = AccountUsage(body: answer.body)?.evidence(at: wall) else {
                return .failed(reason: "account_unreadable")
            }
            return .told(EvidenceReading.isSameMonth(wall, as: order.storeNow()) ? evidence : .none)
        case .year, .currencies: return .failed(reason: "unsupported_resource")
        }
    }

    private func table(
        _ answer: InProcessUpstream.Answer, base: Currency, order: FetchOrder, limits: LimitAnswer
    ) -> FetchOutcome {
        do throws(IngestError) {
            let ingested = try Ingest.table(
                from: answer.body, status: answer.status, contentType: answer[field: "Content-Type"],
                expecting: base, held: order.held, storeNow: order.storeNow(), interval: order.interval,
                policy: policy)
            guard
                case .evidence(let evidence) = EvidenceReading.read(
                    limits, wall: time.wall, store: order.storeNow())
            else { return .answered(ingested, .none) }
            return .answered(ingested, evidence)
        } catch {
            return error == .olderData ? .older : .failed(reason: error.reason)
        }
    }
}
