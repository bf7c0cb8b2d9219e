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
    private let logger: Logger
    private let shape: RedisShape
    private let check: RedisStartCheck
    private let detour: RedisDetour
    private let health: RedisHealth
    private var breaker: RedisBreaker
    private var connector: RedisConnector?
    private var link: RedisLink?
    private var hopes: [Int: Hope] = [:]
    private var nextHope = 0
    private var hasConnected = false
    private var hasComplained = false
    private var isClosed = false

    init(
        _ setup: RedisLinkSetup, health: RedisHealth, meter: RedisSkewMeter,
        wall: (@Sendable () -> UnixMilliseconds)?
    ) {
        loop = setup.loop
        logger = setup.logger
        shape = setup.endpoint.shape
        self.health = health
        check = RedisStartCheck(setup, health: health, meter: meter, wall: wall)
        detour = RedisDetour(setup)
        breaker = RedisBreaker(first: setup.timeouts.breakerFirst, longest: setup.timeouts.breakerLongest)
        connector = RedisConnector(
            setup,
            events: RedisConnector.Events(
                trying: { [unowned self] in
                    breaker.probing()
                    tellBreaker()
                },
                ready: { [unowned self] link, server in isUp(link, server) },
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
        link.send(arguments, before: deadline) { [unowned self] result in
            guard let node = redirect(result) else { return finish(judge(result)) }
            health.errors.add(.ask)
            health.detours.add()
            detour.send(arguments, to: node, before: deadline) { [unowned self] in finish(judge($0)) }
        }
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
        detour.close()
        answerHopes(false)
    }

    private func answerHopes(_ isConnected: Bool) {
        let all = hopes.values
        hopes = [:]
        for hope in all { hope.answer(isConnected) }
    }

    private func isUp(_ link: RedisLink, _ server: String) {
        self.link = link
        hasComplained = false
        health.set(server: server)
        breaker.connected()
        tellBreaker()
        if hasConnected { health.reconnects.add() }
        hasConnected = true
        health.set(isConnected: true)
        check.run(over: link)
        answerHopes(true)
    }

    private func isDown(_ reason: RedisLinkEnd) -> ContinuousClock.Instant? {
        link = nil
        health.set(isConnected: false)
        guard reason != .closed else { return nil }
        health.note(reason)
        // Somebody else does what this one did: nothing has failed.
        guard !reason.isRedirect else { return nil }
        let until = breaker.failed(isTimeout: reason == .commandTimedOut, at: .now)
        tellBreaker()
        return until
    }

    /// The node that a command was sent on to.
    private func redirect(_ result: Result<RedisReply, StoreError>) -> RedisEndpoint.Node? {
        guard case .success(.error(let prefix, let message)) = result,
            case .asks(let redirect) = RedisServerError(prefix: prefix, message: message).consequence(
                in: shape)
        else { return nil }
        return redirect.node
    }

    private func judge(_ result: Result<RedisReply, StoreError>) -> Result<RedisReply, StoreError> {
        switch result {
        case .success(.error(let prefix, let message)):
            let error = RedisServerError(prefix: prefix, message: message)
            health.errors.add(error.label)
            switch error.effect {
            case .dropsLink, .refusesLogin: break
            case .unknownScript, .refusesWrites: works()
            case .uncertain:
                works()
                // Of a script's command that isn't named, the client finds out the name first.
                if error.label == .noPerm, error.deniedCommand != nil || !error.isOfScript {
                    complain(of: [error.deniedCommand].compactMap(\.self))
                }
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

    /// What nobody but an operator can mend is said once for each link; without a name where the server told none.
    func complain(of commands: [String]) {
        guard !hasComplained else { return }
        hasComplained = true
        logger.log(
            .error, "the Redis user lacks permission for a command",
            [
                .command: commands.isEmpty ? "unknown" : commands.joined(separator: ","),
                .code: RedisErrorLabel.noPerm.rawValue, .address: health.server ?? "",
            ])
    }

    private func tellBreaker() {
        switch breaker.state {
        case .closed: health.set(breaker: .closed)
        case .open: health.set(breaker: .open)
        case .halfOpen: health.set(breaker: .halfOpen)
        }
    }
}
