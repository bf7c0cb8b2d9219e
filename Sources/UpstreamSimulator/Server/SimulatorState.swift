/// The whole simulated upstream without a socket: a request and the real clock's reading in, a planned answer out.
struct SimulatorState: Sendable {
    private(set) var configuration: SimulatorConfiguration
    let series: ReplaySeries
    let drift: LiveDrift
    private(set) var clock: SimulatedClock
    private(set) var quota: UpstreamQuota
    var script = FaultScript()
    private(set) var log = CallLog()

    /// The state at the start; `reading` is the real clock, milliseconds since 1970.
    init(configuration: SimulatorConfiguration, rates: ECBRates = .embedded, reading: Int64) {
        self.configuration = configuration
        clock = SimulatedClock(
            start: configuration.clock, reading: reading, isFrozen: configuration.isFrozen)
        series = ReplaySeries(
            rates: rates, shift: configuration.shift, startingAt: clock.now(reading: reading))
        drift = LiveDrift(
            seed: configuration.seed,
            intervalMilliseconds: max(1, configuration.liveInterval.wholeMilliseconds))
        quota = UpstreamQuota(limits: configuration.limits)
    }

    /// From now on only these keys are good; none: all that have the form.
    mutating func accept(keys: [String]) { configuration.keys = keys }

    // MARK: - Calls

    /// Takes one `/v1` request and decides its answer; `end` must follow once it is out.
    mutating func receive(
        _ request: UpstreamRequest, reading: Int64
    ) -> (ticket: CallLog.Ticket, answer: PlannedAnswer) {
        let now = clock.now(reading: reading)
        let ticket = log.begin(request, at: now, reading: reading)
        let fault = script.take(for: request.target)
        var (answer, isAuthorized) = plan(request, fault: fault, now: now)
        if let fault { answer.apply(fault, authorization: request.authorization ?? request.apiKey) }
        answer.delay += configuration.latency
        answer.omitsBody = request.method == "HEAD"
        log.plan(ticket, answer, isAuthorized: isAuthorized)
        return (ticket, answer)
    }

    /// The answer's last byte is out, or the client has left.
    mutating func end(_ ticket: CallLog.Ticket) { log.end(ticket) }

    private mutating func plan(
        _ request: UpstreamRequest, fault: Fault?, now: SimulatedTime
    ) -> (answer: PlannedAnswer, isAuthorized: Bool) {
        let body = UpstreamBody(overrides: fault?.overrides ?? .none)
        let caller: Caller
        do {
            caller = try Caller(of: request, accepted: configuration.keys)
        } catch {
            return (PlannedAnswer(status: error.status, body: body.error(error)), false)
        }
        var answer: PlannedAnswer
        let allowance: UpstreamQuota.Allowance?
        switch quota.admit(caller.identity, at: now) {
        case .refused(let error, let left, let wait):
            answer = PlannedAnswer(status: error.status, body: body.error(error))
            answer.setHeader("Retry-After", String(wait))
            allowance = left
        case .admitted(let left):
            answer = self.answer(request, caller, overrides: fault?.overrides ?? .none, now: now)
            allowance = left
        }
        if let allowance {
            answer.setHeader("X-RateLimit-Remaining", String(allowance.remaining))
            answer.setHeader("X-RateLimit-Reset", String(allowance.resetsAt))
        }
        return (answer, caller.key != nil)
    }

    private func answer(
        _ request: UpstreamRequest, _ caller: Caller, overrides: AnswerOverrides, now: SimulatedTime
    ) -> PlannedAnswer {
        let routes = UpstreamRoutes(
            series: series, mode: configuration.mode, drift: drift, now: now, overrides: overrides)
        let usage = (
            calls: quota.callsThisMonth(of: caller.identity, at: now), limit: configuration.limits.monthly
        )
        do {
            let content = try routes.content(for: request, caller: caller, usage: usage)
            var answer = PlannedAnswer(status: 200, body: content.body)
            answer.setHeader("Content-Type", content.type)
            return answer
        } catch {
            return PlannedAnswer(status: error.status, body: UpstreamBody(overrides: overrides).error(error))
        }
    }

    // MARK: - Control

    func now(reading: Int64) -> SimulatedTime { clock.now(reading: reading) }

    mutating func setClock(_ time: SimulatedTime, reading: Int64) { clock.set(time, reading: reading) }

    mutating func advanceClock(by milliseconds: Int64, reading: Int64) {
        clock.advance(by: milliseconds, reading: reading)
    }

    /// Forgets all calls: log, totals and what the quotas have counted.
    ///
    /// Script and clock stay.
    mutating func reset() {
        log.reset()
        quota.reset()
    }

    /// The fix that is the latest now, for the start-up line.
    func latestFix(reading: Int64) -> ReplayFix? { series.latestFix(at: now(reading: reading)) }
}

extension Duration {
    /// Rounded down.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
