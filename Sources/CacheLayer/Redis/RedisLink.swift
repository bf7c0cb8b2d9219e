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

    /// The login has succeeded, a PING was answered, and the server has the role that is needed.
    var onReady: () -> Void = {}
    /// The link has ended; told once, before all waiting commands are.
    var onEnd: (RedisLinkEnd) -> Void = { _ in }
    /// A message or confirmation of the subscribed channel.
    var onPush: ([RedisReply]) -> Void = { _ in }
    private(set) var isReady = false

    private let loop: EventLoop
    private let socket: RedisSocket
    private let shape: RedisShape
    private var waiting = RedisQueue<Waiting>()
    /// One for all that wait: it fires at the earliest deadline or before, and is then set to the next.
    private var deadlineTimer: EventWatch?
    private var timerFires: ContinuousClock.Instant?
    private var hasEnded = false

    /// `shape` says what an error on the working link means.
    init(socket: RedisSocket, shape: RedisShape, loop: EventLoop) {
        self.socket = socket
        self.shape = shape
        self.loop = loop
        socket.onReply = { [unowned self] reply in received(reply) }
        socket.onEnd = { [unowned self] reason in end(reason) }
    }

    /// Logs in: AUTH and SELECT before anything else, then the name, then a PING that shows whether the server works.
    ///
    /// Sent in one go. Nothing behind a refused AUTH or SELECT is taken for an answer. A name is a courtesy: an account
    /// without that right may go on. The limit of the connect covers all of it.
    func logIn(_ login: RedisLogin, before deadline: ContinuousClock.Instant) {
        if let password = login.password {
            let account = login.user.map { [Array($0.utf8)] } ?? []
            step([Array("AUTH".utf8)] + account + [Array(password.utf8)], deadline) { error in
                error.effect == .dropsLink ? .serverError(error.prefix) : .loginRefused(error.prefix)
            }
        }
        if login.database != 0 {
            step(["SELECT", String(login.database)].map { Array($0.utf8) }, deadline) { error in
                switch error.effect {
                case .refusesLogin: .loginRefused(error.prefix)
                case .dropsLink: .serverError(error.prefix)
                case .unknownScript, .refusesWrites, .uncertain: .databaseRefused(error.prefix)
                }
            }
        }
        step(["CLIENT", "SETNAME", login.name].map { Array($0.utf8) }, deadline, Self.fatal)
        guard login.needsMaster else {
            return step([Array("PING".utf8)], deadline, Self.fatal) { [unowned self] _ in begin() }
        }
        step([Array("PING".utf8)], deadline, Self.fatal)
        step([Array("ROLE".utf8)], deadline, Self.fatal) { [unowned self] reply in
            decide(RedisRole(role: reply)) { [unowned self] in
                step(["INFO", "replication"].map { Array($0.utf8) }, deadline, Self.fatal) {
                    [unowned self] reply in
                    // Who may ask neither learns it from READONLY.
                    decide(RedisRole(info: reply)) { [unowned self] in begin() }
                }
            }
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

    private func begin() {
        isReady = true
        onReady()
    }

    private func decide(_ role: RedisRole, orElse ask: () -> Void) {
        switch role {
        case .master: begin()
        case .other: end(.notMaster)
        case .untold: ask()
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
        _ judge: @escaping (RedisServerError) -> RedisLinkEnd?,
        then next: @escaping (RedisReply) -> Void = { _ in }
    ) {
        send(arguments, before: deadline) { [unowned self] result in
            guard case .success(let reply) = result else { return }
            if case .error(let prefix, let message) = reply,
                let reason = judge(RedisServerError(prefix: prefix, message: message))
            {
                return end(reason)
            }
            next(reply)
        }
    }

    private func received(_ reply: RedisReply) {
        guard let command = waiting.popFirst() else {
            guard case .array(let parts) = reply else { return end(.brokenProtocol) }
            return onPush(parts)
        }
        if isReady, case .error(let prefix, let message) = reply,
            case .ends(let reason) = RedisServerError(prefix: prefix, message: message).consequence(in: shape)
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
