import Synchronization
package import Telemetry

/// The store that all instances of a fleet share: reads and commits in one Redis.
///
/// Safe from any thread. Each read and each commit is one round trip with the client's deadline. A request that had no effect
/// for certain is sent again as it is: once over the next link if there is one soon, a few times while its keys move from one
/// node of a cluster to another. One whose outcome is unknown never is: that is the caller's to decide. A reply of another
/// form than asked for is an unknown outcome.
package final class RedisRateStore: DecidingStore {
    /// Snapshots and paces that were there and could not be read: each was taken for a missing one.
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
    private let wall: @Sendable () -> UnixMilliseconds
    private let isSubscribed = Atomic<Bool>(false)

    /// A store over a client that it closes; `wall` is this instance's own clock.
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
    }

    // MARK: Read, commit

    func read(_ question: StoreQuestion) async throws(StoreError) -> StoreReading {
        let (now, replies) = try await ask(RedisReadSteps(keys: keys, question: question).steps)
        var reader = RedisReadingParser(question: question, replies: replies)
        var (reading, lost) = try reader.reading(at: now)
        garbage.add(lost)
        if !question.archived.isEmpty, reader.hasLostArchiveBytes {
            // The sum alone is lost: counted anew from the order.
            var (_, all) = try await ask([RedisStep("ZRANGE", keys.archiveOrder, "0", "-1", "WITHSCORES")])
            reading.archive.bytes = RedisReadingParser.entries(try all.scores()).reduce(0) { $0 + $1.bytes }
        }
        return reading
    }

    func commit(_ change: StoreChange, on reading: StoreReading) async throws(StoreError) -> CommitReply {
        let steps = RedisCommitSteps(change, on: reading, keys: keys, archiveBytes: archiveBytes)
        let all = steps.firm + steps.further
        let head = [
            reading.mark.birth, reading.mark.version, String(change.notAfter.value), String(steps.firm.count),
        ].map { Array($0.utf8) }
        let reply = try await run(
            scripts.commit, all.keys(after: [keys.control]), head + all.flatMap(\.arguments))
        guard case .array(let parts) = reply, let word = parts.first?.text else {
            throw .outcomeUnknown(.badReply)
        }
        switch word {
        case "done":
            for news in steps.news { archive.note(news) }
            await clear(steps, Array(parts.dropFirst()))
            return .done
        case "moved": return .moved
        case "late": return .late
        default: throw .outcomeUnknown(.badReply)
        }
    }

    /// Somebody else's data stands where the archive's index should: it goes, and the index begins anew.
    private func clear(_ steps: RedisCommitSteps, _ replies: [RedisReply]) async {
        let foreign = zip(steps.further, replies).compactMap { step, reply -> String? in
            guard case .error(let prefix, _) = reply, prefix == "WRONGTYPE" else { return nil }
            return step.key
        }
        guard !foreign.isEmpty else { return }
        let gone = Set(foreign + steps.bodies)
        _ = try? await ask(gone.sorted().map { RedisStep("DEL", $0) })
        if !steps.bodies.isEmpty { archive.note(ArchiveNews(bytes: 0, refused: 1)) }
    }

    func newBirth() -> String { names() }

    /// A few milliseconds, more with each try, so that many that began together come apart.
    func yield(after tries: Int) async {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(4 << min(tries, 5)))))
    }

    // MARK: Members

    package func attend(_ holder: String, _ limits: MemberLimits) async throws(StoreError) {
        let (now, _) = try await ask([])
        let kept = String(StoreTimings.membersKept.milliseconds)
        _ = try await ask([
            RedisStep("ZADD", keys.members, String(now.value), holder),
            RedisStep(
                "ZADD", keys.limits, String(now.value), "\(limits.monthly) \(limits.perMinute) \(limits.gap)"),
            RedisStep(
                "ZREMRANGEBYSCORE", keys.members, "-inf",
                String((now + (.zero - StoreTimings.membersKept)).value)),
            RedisStep(
                "ZREMRANGEBYSCORE", keys.limits, "-inf",
                String((now + (.zero - StoreTimings.presenceKept)).value)),
            RedisStep("PEXPIRE", keys.members, kept), RedisStep("PEXPIRE", keys.limits, kept),
        ])
    }

    package func leave(_ holder: String) async throws(StoreError) {
        _ = try await ask([RedisStep("ZREM", keys.members, holder)])
    }

    // MARK: Snapshots

    package func snapshot(of resource: Resource) async throws(StoreError) -> StoredSnapshot? {
        try await whole(keys.snapshot(of: resource)) { _ in resource }
    }

    package func archived(_ id: SnapshotID) async throws(StoreError) -> StoredSnapshot? {
        try await whole(keys.archive(of: id)) { $0.flatMap { Resource(name: $0) } }
    }

    package func archived(
        of resource: Resource, at instant: UnixMilliseconds
    ) async throws(StoreError) -> StoredSnapshot? {
        var (_, replies) = try await ask([
            RedisStep(
                "ZREVRANGEBYSCORE", keys.archiveTimes(of: resource), String(instant.value), "-inf", "LIMIT",
                "0", "1")
        ])
        let mark = try replies.texts()?.first.flatMap { $0 }
        guard let id = mark.flatMap({ SnapshotID(parsing: $0) }) else { return nil }
        return try await archived(id)
    }

    /// A snapshot with its body and what is left of its life; nil if there is none that can be read.
    private func whole(
        _ key: String, _ resource: (String?) -> Resource?
    ) async throws(StoreError) -> StoredSnapshot? {
        let names = RedisSnapshotFields.names + ["resource", "end", "body"]
        let (now, replies) = try await ask([
            RedisStep(words: (["HMGET", key] + names).map { Array($0.utf8) }), RedisStep("PTTL", key),
        ])
        var rest = replies
        let fields = try rest.next()
        let keep = try rest.integer()
        guard case .array(let elements) = fields, elements.count == names.count else {
            garbage.add()
            return nil
        }
        let values = elements.map(\.text)
        let body: [UInt8]? = if case .string(let bytes) = elements[8] { bytes } else { nil }
        let known = resource(values[6])
        switch RedisSnapshotFields.read(
            Array(values.prefix(6)), body: body, resource: known ?? .currencies, keep: keep)
        {
        case .absent: return nil
        case .snapshot(let stored) where known != nil:
            guard let end = values[7].flatMap({ ControlFieldReader.number($0) }) else { return stored }
            return end > now.value ? stored.kept(for: .milliseconds(end - now.value)) : nil
        case .garbage, .snapshot:
            garbage.add()
            return nil
        }
    }

    // MARK: Events

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

    // MARK: Round trips

    /// Runs commands at one instant of the server's: that instant, and their replies.
    private func ask(_ steps: [RedisStep]) async throws(StoreError) -> (UnixMilliseconds, RedisReplies) {
        let sent = ContinuousClock.now
        let reply = try await run(scripts.read, steps.keys(after: [keys.control]), steps.flatMap(\.arguments))
        guard case .array(let parts) = reply, let now = parts.first?.text.flatMap({ StoreNumber.read($0) })
        else { throw .outcomeUnknown(.badReply) }
        client.note(serverTime: UnixMilliseconds(now), wall: wall(), roundTrip: .now - sent)
        return (UnixMilliseconds(now), try RedisReplies(Array(parts.dropFirst()), to: steps))
    }

    private func run(
        _ script: RedisScript, _ names: [String], _ arguments: [[UInt8]]
    ) async throws(StoreError) -> RedisReply {
        var retry = RedisRetry()
        while true {
            do throws(StoreError) {
                return try await client.run(script, keys: names, arguments: arguments)
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
}
