package import EventLoop
import Synchronization
package import Telemetry

/// One link to Redis for commands, and one more for each subscription; made again by itself whenever it ends.
///
/// Safe from any thread. Nothing is queued while there is no link: a command then fails at once. A client must be closed,
/// or released, before its loop is stopped.
package final class RedisClient: Sendable {
    /// Commands that may wait for their replies at one time.
    static let mostInFlight = 4_096

    package let health = RedisHealth()

    private let setup: RedisLinkSetup
    private let loop: EventLoop
    private let meter: RedisSkewMeter
    private let session: RedisSession
    private let subscriptions = Locked<[RedisSubscription]>([])
    private let digests = Locked<[RedisScript: [UInt8]]>([:])
    private let inFlight = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// A client that connects when told to.
    ///
    /// `loop` has been started by the caller and outlives the client; `name` is shown in `CLIENT LIST`. `anchor` is a key of
    /// ours: on a cluster the links lead to the node that has it; without one they lead to any node until a command is sent
    /// on. `wall` is this machine's clock: without it the server's clock isn't compared at connect.
    /// - Throws: what this build can't connect to, and files that can't be used: `tlsUnavailable`, `badFile`.
    package convenience init(
        endpoint: RedisEndpoint, timeouts: RedisTimeouts = RedisTimeouts(), loop: EventLoop, logger: Logger,
        name: String, anchor: String? = nil, wall: (@Sendable () -> UnixMilliseconds)? = nil
    ) throws(RedisURLError) {
        let setup = try RedisLinkSetup(
            endpoint: endpoint, timeouts: timeouts, loop: loop, logger: logger, name: name, anchor: anchor,
            lookUp: RedisResolver.addresses)
        self.init(setup, wall: wall)
    }

    init(_ setup: RedisLinkSetup, wall: (@Sendable () -> UnixMilliseconds)? = nil) {
        self.setup = setup
        loop = setup.loop
        meter = RedisSkewMeter(health: health, logger: setup.logger)
        session = RedisSession(setup, health: health, meter: meter, wall: wall)
    }

    deinit {
        let session = session
        let subscriptions = subscriptions.withLock { $0 }
        let end: @Sendable () -> Void = { Self.end(session, subscriptions) }
        if !loop.post(end) { end() }
    }

    /// Begins to connect, and to reconnect whenever the link ends, until `close`; idempotent.
    package func connect() {
        loop.post { [session] in session.connect() }
    }

    /// Waits for the link: true as soon as it's there, false once `limit` has passed or the client is closed.
    ///
    /// For a caller that may try a second time after the link was dropped; without it the second try would come before
    /// the reconnect and fail for that alone.
    package func waitForLink(within limit: Duration) async -> Bool {
        guard !health.isConnected else { return true }
        return await withCheckedContinuation { answer in
            let isAccepted = loop.post { [session] in
                session.waitForLink(within: limit) { answer.resume(returning: $0) }
            }
            if !isAccepted { answer.resume(returning: false) }
        }
    }

    /// Sends one command and waits for its reply, at most the command limit.
    ///
    /// - Parameter arguments: the command's name and its arguments, byte for byte; at least one. Not SUBSCRIBE, MONITOR
    ///   or others that change what the link is for.
    /// - Returns: the reply; an error within an array stays a value.
    /// - Throws: `notExecuted`, for certain without effect: `notConnected`, `breakerOpen` (also when 4,096 commands
    ///   wait), `timedOut` (never sent), `closed`, `serverError` by its first word (`READONLY`, `LOADING`, `MOVED`,
    ///   `NOAUTH`, `NOSCRIPT`, …), `forbidden`. `writesRefused`: full. `outcomeUnknown`, may have had its effect: `timedOut`
    ///   and `linkLost` (the link is closed), `badReply`, `closed`, `serverError` (`WRONGTYPE`, `ERR`, …), `forbidden` within
    ///   a script.
    /// - Note: Safe from any thread. Cancelling the caller's task doesn't cut the wait short: the limit does.
    package func command(_ arguments: [[UInt8]]) async throws(StoreError) -> RedisReply {
        precondition(!Self.isReserved(arguments), "a command that the client's links can't take")
        guard !isClosed.load(ordering: .acquiring) else { throw .notExecuted(.closed) }
        guard health.isConnected else {
            health.refused.add()
            throw .notExecuted(health.breaker == .closed ? .notConnected : .breakerOpen)
        }
        let isRoom = inFlight.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostInFlight
        defer { inFlight.wrappingSubtract(1, ordering: .relaxed) }
        guard isRoom else {
            health.refused.add()
            throw .notExecuted(.breakerOpen)
        }
        let deadline = ContinuousClock.now + setup.timeouts.command
        let result: Result<RedisReply, StoreError> = await withCheckedContinuation { answer in
            let isAccepted = loop.post { [session] in
                session.issue(arguments, before: deadline) { answer.resume(returning: $0) }
            }
            if !isAccepted { answer.resume(returning: .failure(.notExecuted(.closed))) }
        }
        return try result.get()
    }

    /// The same with text.
    package func command(_ arguments: [String]) async throws(StoreError) -> RedisReply {
        try await command(arguments.map { Array($0.utf8) })
    }

    /// Runs a script by its digest, and by its text where the server doesn't know it.
    ///
    /// The digest is asked of the server once in the client's life. Each of the at most three commands has the command
    /// limit; only the last one can have had an effect. Where the user lacks permission for one of the script's commands
    /// and the server doesn't name it, one more finds that out.
    /// - Throws: as `command`.
    package func run(
        _ script: RedisScript, keys: [String], arguments: [[UInt8]]
    ) async throws(StoreError) -> RedisReply {
        do throws(StoreError) {
            return try await execute(script, keys: keys, arguments: arguments)
        } catch .outcomeUnknown(.forbidden(command: nil)) {
            let denied = await deniedCommands(of: script, key: keys.first ?? "")
            loop.post { [session] in session.complain(of: denied) }
            throw .outcomeUnknown(.forbidden(command: denied.first))
        }
    }

    private func deniedCommands(of script: RedisScript, key: String) async -> [String] {
        let probe = RedisPermissionProbe.script
        let commands = RedisPermissionProbe.commands(of: script).map { Array($0.utf8) }
        let reply = try? await execute(probe, keys: [key], arguments: commands)
        return reply.map(RedisPermissionProbe.denied) ?? []
    }

    private func execute(
        _ script: RedisScript, keys: [String], arguments: [[UInt8]]
    ) async throws(StoreError) -> RedisReply {
        let rest = [Array(String(keys.count).utf8)] + keys.map { Array($0.utf8) } + arguments
        if let digest = try await digest(of: script) {
            do throws(StoreError) {
                return try await command([Array("EVALSHA".utf8), digest] + rest)
            } catch {
                guard error == .notExecuted(.serverError("NOSCRIPT")) else { throw error }
            }
        }
        return try await command([Array("EVAL".utf8), Array(script.source.utf8)] + rest)
    }

    /// Listens to a channel on a link of its own, from now on and again after every reconnect.
    ///
    /// Messages that are published while there is no subscription are lost. A silent link is asked for a sign of life.
    /// - Parameters:
    ///   - channel: its exact name.
    ///   - onMessage: gets each body, on the loop's thread.
    ///   - onState: told true once Redis has confirmed the subscription, false when it is gone; on the loop's thread.
    package func subscribe(
        channel: String, onMessage: @escaping @Sendable ([UInt8]) -> Void,
        onState: @escaping @Sendable (Bool) -> Void
    ) {
        let subscription = RedisSubscription(
            setup, channel: channel, onMessage: onMessage, onState: onState)
        subscriptions.withLock { $0.append(subscription) }
        // After the append: a close from now on either finds it there or has set the flag.
        loop.post { [weak self] in
            if let self, !isClosed.load(ordering: .acquiring) { subscription.start() }
        }
    }

    /// Notes the server's time as a reply has told it, for `RedisHealth.clockSkew`.
    package func note(serverTime: UnixMilliseconds, wall: UnixMilliseconds, roundTrip: Duration) {
        meter.note(server: serverTime, wall: wall, roundTrip: roundTrip)
    }

    /// Ends all links; returns when they are closed.
    ///
    /// Commands that wait end with `closed`; later ones as well. Idempotent.
    package func close() async {
        isClosed.store(true, ordering: .releasing)
        let session = session
        let subscriptions = subscriptions.withLock { $0 }
        // Where the loop has ended nothing runs there any more, and the end may be here.
        if await loop.perform({ Self.end(session, subscriptions) }) == nil {
            digests.withLock { _ in Self.end(session, subscriptions) }
        }
    }

    private static func end(_ session: RedisSession, _ subscriptions: [RedisSubscription]) {
        session.close()
        for subscription in subscriptions { subscription.close() }
    }

    /// The script's SHA-1 in hex, as the server computes it; nil if it doesn't tell.
    private func digest(of script: RedisScript) async throws(StoreError) -> [UInt8]? {
        if let known = digests.withLock({ $0[script] }) { return known }
        do throws(StoreError) {
            let reply = try await command(["EVAL", "return redis.sha1hex(ARGV[1])", "0", script.source])
            guard case .string(let digest) = reply, digest.count == 40 else { return nil }
            digests.withLock { $0[script] = digest }
            return digest
        } catch {
            switch error {
            case .notExecuted, .laterSchema: throw error
            case .writesRefused, .outcomeUnknown(.serverError), .outcomeUnknown(.forbidden), .corrupt:
                return nil
            // Asking for the digest has no effect, and the script itself was not sent.
            case .outcomeUnknown(let fault): throw .notExecuted(fault)
            }
        }
    }

    /// Whether hiredis or Redis would take the link for something else from then on.
    private static func isReserved(_ arguments: [[UInt8]]) -> Bool {
        guard let command = arguments.first else { return true }
        let reserved = [
            "subscribe", "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "sunsubscribe", "monitor",
            "hello", "reset", "quit",
        ]
        return reserved.contains(String(decoding: command, as: UTF8.self).lowercased())
    }
}
