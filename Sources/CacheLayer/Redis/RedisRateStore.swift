import Synchronization
package import Telemetry

/// The store that all instances of a fleet share: the scripts of `docs/protocol.md` in one Redis.
///
/// Safe from any thread. Each request is one round trip with the client's deadline. A request that had no effect for certain
/// is sent again as it is: once over the next link if there is one soon, a few times while its keys move from one node of a
/// cluster to another. One whose outcome is unknown never is: that is the caller's to decide. A reply of another form than asked for is an unknown outcome.
package final class RedisRateStore: RateStore {
    /// Snapshots that were there and could not be read: each was taken for a missing one.
    package let garbage = Counter()
    package let archive = ArchiveCounters()

    /// How long a request waits for the next link before its second try: a pause and a connect.
    private let relink: Duration

    /// The most bytes of the fleet's archive, as this instance has it.
    private let archiveBytes: Int
    private let client: RedisClient
    private let keys: RedisKeys
    private let scripts: Scripts
    private let names: @Sendable () -> String
    private let fanOut = EventFanOut()
    private let serverTime: RateStoreTime
    private let wall: @Sendable () -> UnixMilliseconds
    private let isSubscribed = Atomic<Bool>(false)

    /// A store over a client that it closes; `wall` is only used until the server has told its own time.
    ///
    /// `archiveBytes` is the most bytes of snapshots that are kept to be asked for again; of several instances that of the
    /// one that adds to them counts.
    package convenience init(
        client: RedisClient, keys: RedisKeys, archiveBytes: Int,
        wall: @escaping @Sendable () -> UnixMilliseconds
    ) {
        self.init(
            client: client, keys: keys, archiveBytes: archiveBytes, scripts: Scripts(),
            names: { AttemptID().text }, relink: .milliseconds(300), wall: wall)
    }

    init(
        client: RedisClient, keys: RedisKeys, archiveBytes: Int, scripts: Scripts,
        names: @escaping @Sendable () -> String, relink: Duration,
        wall: @escaping @Sendable () -> UnixMilliseconds
    ) {
        self.archiveBytes = archiveBytes
        self.client = client
        self.keys = keys
        self.scripts = scripts
        self.names = names
        self.relink = relink
        self.wall = wall
        serverTime = RateStoreTime(wall: wall)
    }

    package func begin(_ request: BeginRequest) async throws(StoreError) -> Answer<BeginReply> {
        let reply = try await run(
            scripts.begin, [keys.control, keys.snapshot(of: request.resource)], ScriptsArguments(request))
        return try answer(reply, reply.begin(of: request.resource))
    }

    package func finish(_ request: FinishRequest) async throws(StoreError) -> Answer<FinishReply> {
        let snapshot = keys.snapshot(of: request.resource)
        let archive: String =
            if case .fetched(let answer) = request.outcome { keys.archive(of: answer.id) } else { snapshot }
        let names = [keys.control, snapshot, archive] + reports(at: serverTime.now) + [keys.cooldown]
        let index = [keys.archiveOrder, keys.archiveBytes, keys.archiveTimes(of: request.resource)]
        let reply = try await run(
            scripts.finish, names + index,
            ScriptsArguments(request, channel: keys.events, archiveBytes: archiveBytes))
        if let news = reply.archiveNews { self.archive.note(news) }
        return try answer(reply, reply.finish(of: request.resource))
    }

    package func restore(_ testimony: Testimony) async throws(StoreError) -> Answer<RestoreReply> {
        let snapshots = testimony.snapshots.flatMap {
            [keys.snapshot(of: $0.resource), keys.archive(of: $0.id)]
        }
        let index =
            [keys.archiveOrder, keys.archiveBytes]
            + testimony.snapshots.map { keys.archiveTimes(of: $0.resource) }
        let reply = try await run(
            scripts.restore, [keys.control, keys.cooldown] + snapshots + index,
            ScriptsArguments(testimony, newBirth: names(), archiveBytes: archiveBytes))
        if let news = reply.archiveNews { archive.note(news) }
        return try answer(reply, reply.restore)
    }

    package func look(_ request: LookRequest) async throws(StoreError) -> Answer<LookReply> {
        let snapshots = request.interests.map { keys.snapshot(of: $0.resource) }
        let reply = try await run(
            scripts.look, [keys.control, keys.instances, keys.demand] + snapshots, ScriptsArguments(request))
        return try answer(reply, reply.look(request.interests))
    }

    package func lift(_ request: LiftRequest) async throws(StoreError) -> Answer<LiftReply> {
        let reply = try await run(
            scripts.lift, [keys.control, keys.cooldown] + reports(at: serverTime.now),
            ScriptsArguments(request))
        return try answer(reply, reply.lift)
    }

    package func purge(_ request: PurgeRequest) async throws(StoreError) -> Answer<PurgeReply> {
        let names = [keys.control] + reports(at: serverTime.now)
        let reply = try await run(
            scripts.purge, names + request.resources.map { keys.snapshot(of: $0) },
            ScriptsArguments(request, channel: keys.events))
        return try answer(reply, reply.purge)
    }

    package func amend(_ request: AmendRequest) async throws(StoreError) -> Answer<AmendReply> {
        let snapshot = request.snapshot
        let names = [keys.control, keys.snapshot(of: snapshot.resource), keys.archive(of: snapshot.id)]
        let index = [keys.archiveOrder, keys.archiveBytes, keys.archiveTimes(of: snapshot.resource)]
        let reply = try await run(
            scripts.amend, names + reports(at: serverTime.now) + index,
            ScriptsArguments(request, channel: keys.events, archiveBytes: archiveBytes))
        if let news = reply.archiveNews { archive.note(news) }
        return try answer(reply, reply.amend)
    }

    package func snapshot(of resource: Resource) async throws(StoreError) -> StoredSnapshot? {
        let reply = try await read(scripts.read, keys.snapshot(of: resource))
        return reply?.snapshot(of: resource)
    }

    package func archived(_ id: SnapshotID) async throws(StoreError) -> StoredSnapshot? {
        try await read(scripts.archived, keys.archive(of: id))?.archivedSnapshot
    }

    package func archived(
        of resource: Resource, at instant: UnixMilliseconds
    ) async throws(StoreError) -> StoredSnapshot? {
        var arguments = ScriptsArguments()
        arguments.add(instant)
        return try await read(scripts.archived, keys.archiveTimes(of: resource), arguments)?.archivedSnapshot
    }

    package func events() -> AsyncStream<StoreEvent> {
        let stream = fanOut.stream()
        if isSubscribed.exchange(true, ordering: .acquiringAndReleasing) { return stream }
        client.subscribe(
            channel: keys.events,
            onMessage: { [fanOut] bytes in
                if let event = RateStoreEvents.event(bytes) { fanOut.send(event) }
            },
            onState: { [fanOut] isUp in fanOut.send(isUp ? .linkUp : .linkDown) })
        return stream
    }

    package func close() async {
        await client.close()
        fanOut.end()
    }

    /// The reports of the months that the server may mean: which one is its own to say.
    private func reports(at now: UnixMilliseconds) -> [String] {
        [now + .seconds(-3_600), now + .seconds(3_600)].map { keys.ledger(of: Month(containing: $0)) }
    }

    private func read(
        _ script: RedisScript, _ key: String, _ arguments: ScriptsArguments? = nil
    ) async throws(StoreError) -> ScriptsReply? {
        let reply = try await run(script, [key], arguments)
        switch reply.kind {
        case "snapshot": return reply
        case "none":
            garbage.add(Int(reply.number(0) ?? 0))
            return nil
        default: throw .outcomeUnknown(.badReply)
        }
    }

    private func run(
        _ script: RedisScript, _ names: [String], _ arguments: ScriptsArguments?
    ) async throws(StoreError) -> ScriptsReply {
        let values = arguments?.values ?? []
        var retry = RedisRetry()
        while true {
            let sent = ContinuousClock.now
            do throws(StoreError) {
                let reply = try await client.run(script, keys: names, arguments: values)
                guard let parts = ScriptsReply(reply) else { throw .outcomeUnknown(.badReply) }
                if let shadow = parts.shadow {
                    serverTime.told(shadow.now)
                    client.note(serverTime: shadow.now, wall: wall(), roundTrip: .now - sent)
                }
                garbage.add(Int(parts.garbage))
                return parts
            } catch .notExecuted(let fault) {
                guard await isWorthAnotherTry(retry.next(after: fault)) else { throw .notExecuted(fault) }
            }
        }
    }

    /// Waits as the step says; false if there is no use in another try.
    private func isWorthAnotherTry(_ step: RedisRetry.Step) async -> Bool {
        switch step {
        case .giveUp: false
        case .overNextLink: await client.waitForLink(within: relink)
        case .after(let pause): (try? await Task.sleep(for: pause)) != nil
        }
    }

    private func answer<Reply>(_ parts: ScriptsReply, _ reply: Reply?) throws(StoreError) -> Answer<Reply> {
        guard let reply else { throw .outcomeUnknown(.badReply) }
        return Answer(reply, shadow: parts.shadow)
    }
}
