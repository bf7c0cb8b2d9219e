import EventLoop

/// One link from its connect to its end: the login, the commands that wait for a reply, and their deadlines.
///
/// Every command given to it ends exactly once, with its reply or with an error. Only on the loop's own thread.
final class RedisLink {
    typealias Finish = (Result<RedisReply, StoreError>) -> Void

    private struct Waiting {
        let deadline: ContinuousClock.Instant
        let finish: Finish
    }

    /// The login has succeeded and a PING was answered.
    var onReady: () -> Void = {}
    /// The link has ended; told once, before all waiting commands are.
    var onEnd: (RedisLinkEnd) -> Void = { _ in }
    /// A message or confirmation of the subscribed channel.
    var onPush: ([RedisReply]) -> Void = { _ in }
    private(set) var isReady = false

    private let loop: EventLoop
    private let socket: RedisSocket
    private var waiting = RedisQueue<Waiting>()
    /// One for all that wait: it fires at the earliest deadline or before, and is then set to the next.
    private var deadlineTimer: EventWatch?
    private var timerFires: ContinuousClock.Instant?
    private var hasEnded = false

    init(socket: RedisSocket, loop: EventLoop) {
        self.socket = socket
        self.loop = loop
        socket.onReply = { [unowned self] reply in received(reply) }
        socket.onEnd = { [unowned self] reason in end(reason) }
    }

    /// Logs in: AUTH and SELECT before anything else, then the name, then a PING that shows whether the server works.
    ///
    /// Sent in one go. Nothing behind a refused AUTH or SELECT is taken for an answer. A name is a courtesy: an account
    /// without that right may go on. The limit of the connect covers all of it.
    func logIn(to endpoint: RedisEndpoint, name: String, before deadline: ContinuousClock.Instant) {
        if let password = endpoint.password {
            let account = endpoint.user.map { [Array($0.utf8)] } ?? []
            step([Array("AUTH".utf8)] + account + [Array(password.utf8)], deadline) { error in
                error.effect == .dropsLink ? .serverError(error.prefix) : .loginRefused(error.prefix)
            }
        }
        if endpoint.database != 0 {
            step([Array("SELECT".utf8), Array(String(endpoint.database).utf8)], deadline) { error in
                switch error.effect {
                case .refusesLogin: .loginRefused(error.prefix)
                case .dropsLink: .serverError(error.prefix)
                case .unknownScript, .refusesWrites, .uncertain: .databaseRefused(error.prefix)
                }
            }
        }
        step([Array("CLIENT".utf8), Array("SETNAME".utf8), Array(name.utf8)], deadline, Self.fatal)
        step([Array("PING".utf8)], deadline, Self.fatal) { [unowned self] in
            isReady = true
            onReady()
        }
    }

    /// Sends a command; `finish` gets its reply, which may be an error of the server.
    func send(_ arguments: [[UInt8]], before deadline: ContinuousClock.Instant, _ finish: @escaping Finish) {
        guard !hasEnded, socket.send(arguments) else {
            return finish(.failure(.notExecuted(.notConnected)))
        }
        waiting.append(Waiting(deadline: deadline, finish: finish))
        if timerFires.map({ deadline < $0 }) ?? true { armTimer(for: deadline) }
    }

    /// Subscribes to the channel; confirmation and messages come to `onPush`.
    func subscribe(to channel: String) { _ = socket.send([Array("SUBSCRIBE".utf8), Array(channel.utf8)]) }

    /// Whether the peer has sent anything since this was last asked.
    func hasHeard() -> Bool {
        defer { socket.hasHeard = false }
        return socket.hasHeard
    }

    /// Asks a subscribed peer for a sign of life.
    func askForLife() { socket.sendUnasked([Array("PING".utf8)]) }

    /// Ends the link and all that wait for it; idempotent.
    func end(_ reason: RedisLinkEnd) {
        guard !hasEnded else { return }
        hasEnded = true
        isReady = false
        socket.close()
        deadlineTimer?.cancel()
        deadlineTimer = nil
        withExtendedLifetime(self) {
            // The owner first: a caller that learns of the end must find it noted everywhere.
            onEnd(reason)
            let now = ContinuousClock.now
            var isFirst = true
            while let command = waiting.popFirst() {
                command.finish(.failure(.outcomeUnknown(fault(of: command, reason, now, isFirst: isFirst))))
                isFirst = false
            }
            // Whoever listened may hold this link: without the closures nothing holds it in a circle.
            onReady = {}
            onEnd = { _ in }
            onPush = { _ in }
        }
    }

    private static func fatal(_ error: RedisServerError) -> RedisLinkEnd? {
        switch error.effect {
        case .refusesLogin: .loginRefused(error.prefix)
        case .dropsLink: .serverError(error.prefix)
        case .unknownScript, .refusesWrites, .uncertain: nil
        }
    }

    /// One step of the login: `judge` says for an error whether the link has to end.
    private func step(
        _ arguments: [[UInt8]], _ deadline: ContinuousClock.Instant,
        _ judge: @escaping (RedisServerError) -> RedisLinkEnd?, then next: @escaping () -> Void = {}
    ) {
        send(arguments, before: deadline) { [unowned self] result in
            guard case .success(let reply) = result else { return }
            if case .error(let prefix, let message) = reply,
                let reason = judge(RedisServerError(prefix: prefix, message: message))
            {
                return end(reason)
            }
            next()
        }
    }

    private func received(_ reply: RedisReply) {
        guard let command = waiting.popFirst() else {
            guard case .array(let parts) = reply else { return end(.brokenProtocol) }
            return onPush(parts)
        }
        if isReady, case .error(let prefix, let message) = reply,
            let reason = Self.fatal(RedisServerError(prefix: prefix, message: message))
        {
            end(reason)
        }
        command.finish(.success(reply))
    }

    private func fault(
        of command: Waiting, _ reason: RedisLinkEnd, _ now: ContinuousClock.Instant, isFirst: Bool
    ) -> StoreFault {
        switch reason {
        case .closed: .closed
        case .commandTimedOut where command.deadline <= now: .timedOut
        case .brokenProtocol where isFirst: .badReply
        default: .linkLost
        }
    }

    private func armTimer(for deadline: ContinuousClock.Instant) {
        let delay = max(.zero, deadline - .now)
        if let deadlineTimer {
            deadlineTimer.resume(limit: delay)
        } else {
            deadlineTimer = try? loop.schedule(after: delay) { [unowned self] in checkDeadline() }
            // Without a timer no deadline would be kept.
            guard deadlineTimer != nil else { return end(.lost) }
        }
        timerFires = deadline
    }

    private func checkDeadline() {
        timerFires = nil
        guard let first = waiting.first else { return }
        guard first.deadline <= .now else { return armTimer(for: first.deadline) }
        end(isReady ? .commandTimedOut : .connectTimedOut)
    }
}
