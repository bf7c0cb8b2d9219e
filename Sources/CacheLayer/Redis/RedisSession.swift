import EventLoop
import Telemetry

/// The command side of a client on the loop: one link, the breaker, and what each reply means.
///
/// Sendable: everything is touched by the loop's thread alone.
final class RedisSession: @unchecked Sendable {
    /// A caller that waits for the link.
    private struct Hope {
        let timer: EventWatch
        let answer: (Bool) -> Void
    }

    private let loop: EventLoop
    private let health: RedisHealth
    private var breaker: RedisBreaker
    private var connector: RedisConnector?
    private var link: RedisLink?
    private var hopes: [Int: Hope] = [:]
    private var nextHope = 0
    private var hasConnected = false
    private var isClosed = false

    init(
        endpoint: RedisEndpoint, timeouts: RedisTimeouts, loop: EventLoop, logger: Logger, name: String,
        health: RedisHealth
    ) {
        self.loop = loop
        self.health = health
        breaker = RedisBreaker(first: timeouts.breakerFirst, longest: timeouts.breakerLongest)
        connector = RedisConnector(
            endpoint: endpoint, timeouts: timeouts, loop: loop, logger: logger, name: name,
            events: RedisConnector.Events(
                trying: { [unowned self] in
                    breaker.probing()
                    tellBreaker()
                },
                ready: { [unowned self] link in isUp(link) },
                ended: { [unowned self] reason in isDown(reason) }))
    }

    func connect() {
        if !isClosed { connector?.start() }
    }

    /// Sends a command; `finish` is called once, here on the loop.
    func issue(
        _ arguments: [[UInt8]], before deadline: ContinuousClock.Instant, _ finish: @escaping RedisLink.Finish
    ) {
        guard !isClosed else { return finish(.failure(.notExecuted(.closed))) }
        guard let link, !breaker.isRefusing else {
            health.refused.add()
            return finish(.failure(.notExecuted(breaker.isRefusing ? .breakerOpen : .notConnected)))
        }
        guard ContinuousClock.now < deadline else {
            health.refused.add()
            return finish(.failure(.notExecuted(.timedOut)))
        }
        health.commands.add()
        link.send(arguments, before: deadline) { [unowned self] result in finish(judge(result)) }
    }

    /// Answers true as soon as there is a link, false once `limit` has passed or the session is closed.
    func waitForLink(within limit: Duration, _ answer: @escaping (Bool) -> Void) {
        guard link == nil else { return answer(true) }
        let number = nextHope
        nextHope += 1
        let timer = try? loop.schedule(after: limit) { [unowned self] in
            hopes.removeValue(forKey: number)?.answer(false)
        }
        guard let timer, !isClosed else { return answer(false) }
        hopes[number] = Hope(timer: timer, answer: answer)
    }

    /// Ends the link; commands that wait get `closed`.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        connector?.stop()
        connector = nil
        link = nil
        answerHopes(false)
    }

    private func answerHopes(_ isConnected: Bool) {
        let all = hopes.values
        hopes = [:]
        for hope in all { hope.answer(isConnected) }
    }

    private func isUp(_ link: RedisLink) {
        self.link = link
        breaker.connected()
        tellBreaker()
        if hasConnected { health.reconnects.add() }
        hasConnected = true
        health.set(isConnected: true)
        answerHopes(true)
    }

    private func isDown(_ reason: RedisLinkEnd) -> ContinuousClock.Instant? {
        link = nil
        health.set(isConnected: false)
        guard reason != .closed else { return nil }
        health.note(reason)
        let until = breaker.failed(isTimeout: reason == .commandTimedOut, at: .now)
        tellBreaker()
        return until
    }

    private func judge(_ result: Result<RedisReply, StoreError>) -> Result<RedisReply, StoreError> {
        switch result {
        case .success(.error(let prefix, let message)):
            let error = RedisServerError(prefix: prefix, message: message)
            health.errors.add(error.label)
            switch error.effect {
            case .dropsLink, .refusesLogin: break
            case .unknownScript, .refusesWrites, .uncertain: works()
            }
            return .failure(error.storeError)
        case .success: works()
        case .failure(.outcomeUnknown(.timedOut)): health.timeouts.add()
        case .failure: break
        }
        return result
    }

    private func works() {
        connector?.proven()
        guard breaker.state != .closed(failures: 0) else { return }
        breaker.succeeded()
        tellBreaker()
    }

    private func tellBreaker() {
        switch breaker.state {
        case .closed: health.set(breaker: .closed)
        case .open: health.set(breaker: .open)
        case .halfOpen: health.set(breaker: .halfOpen)
        }
    }
}
