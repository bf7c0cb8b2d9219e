import EventLoop
import Synchronization
import Telemetry
import TestSupport

@testable import CacheLayer

/// A store on a clock that a test moves by hand, with the damage that faults do to it.
///
/// For one task at a time; `store` is for any.
final class StoreBench {
    let kind: StoreKind
    let store: any RateStore
    let keys = RedisKeys(fleet: "test", upstream: "127.0.0.1:1")
    /// The server and a connection for damage and for looking; nil for the memory's store.
    let server: RedisServer?
    private(set) var session: RedisServerSession?
    private let memory: InMemoryRateStore?
    private let clock: HandClock
    private let loop: EventLoop?

    /// What the last answers told, as an instance remembers it.
    var birth: String?
    var version: Int64 = 0
    var floor = FencingToken.none
    /// The clock of the instance that asks; nil where it is the store's.
    var wall: UnixMilliseconds?
    var shadow: Shadow?
    private enum Backup { case memory(ControlRecord?), redis([String]) }
    private var backup: Backup?

    /// Of the last begin.
    var lastAttempt: AttemptID?

    /// A Tuesday noon, far from the month's edges.
    static let noon = UnixMilliseconds(1_773_144_000_000)

    /// The line that replaces the server's clock: it reads a key that the test moves.
    private static let movedClock = """
        local now = tonumber(redis.call('GET', (string.gsub(KEYS[1], '}:.*$', '}:testclock'))))

        """

    private init(
        kind: StoreKind, store: any RateStore, memory: InMemoryRateStore?, server: RedisServer?,
        loop: EventLoop?, clock: HandClock
    ) throws {
        self.kind = kind
        self.store = store
        self.memory = memory
        self.server = server
        self.loop = loop
        self.clock = clock
        session = try server?.session()
        try set(Self.noon)
    }

    /// Runs `body` with a store of this kind; a Redis one has a server of its own.
    static func with(
        _ kind: StoreKind, options: RedisServer.Options = RedisServer.Options(), archiveBytes: Int = 1 << 20,
        _ body: (StoreBench) async throws -> Void
    ) async throws {
        let clock = HandClock(noon)
        let births = Counting()
        let names: @Sendable () -> String = { "birth-\(births.next())" }
        switch kind {
        case .memory:
            let memory = InMemoryRateStore(archiveBytes: archiveBytes, names: names) { clock.now }
            let bench = try StoreBench(
                kind: kind, store: memory, memory: memory, server: nil, loop: nil, clock: clock)
            try await body(bench)
            await memory.close()
        case .redis:
            try await withRedisServer(options) { server in
                let loop = try EventLoop(name: "store-test")
                try loop.start()
                defer {
                    loop.stop()
                    loop.join()
                }
                let store = try await makeStore(
                    server, archiveBytes: archiveBytes, loop: loop, names: names, clock: clock)
                let bench = try StoreBench(
                    kind: kind, store: store, memory: nil, server: server, loop: loop, clock: clock)
                try await body(bench)
                await store.close()
            }
        }
    }

    /// One more client of the same server; the memory's store itself.
    func another() async throws -> any RateStore {
        guard let server, let loop else { return store }
        return try await Self.makeStore(
            server, archiveBytes: 1 << 20, loop: loop, names: { AttemptID().text }, clock: clock)
    }

    private static func makeStore(
        _ server: RedisServer, archiveBytes: Int, loop: EventLoop, names: @escaping @Sendable () -> String,
        clock: HandClock
    ) async throws -> RedisRateStore {
        let client = try RedisClient(
            endpoint: RedisEndpoint(url: "unix://\(server.socketPath)"),
            timeouts: RedisTimeouts(command: .seconds(5)), loop: loop, logger: .silent, name: "store-test")
        client.connect()
        let end = ContinuousClock.now + .seconds(10)
        while !client.health.isConnected, .now < end { try await Task.sleep(for: .milliseconds(2)) }
        return RedisRateStore(
            client: client, keys: RedisKeys(fleet: "test", upstream: "127.0.0.1:1"),
            archiveBytes: archiveBytes, scripts: Scripts(clock: movedClock), names: names,
            relink: .seconds(1), wall: { clock.now })
    }

    // MARK: Time

    var now: UnixMilliseconds { clock.now }

    func set(_ instant: UnixMilliseconds) throws {
        clock.set(instant)
        try session?.send(["SET", keys.prefix + "testclock", String(instant.value)])
    }

    func advance(_ duration: Duration) throws { try set(now + duration) }

    // MARK: Damage

    /// Reaches into the memory's store; does nothing to Redis.
    private func damage(_ body: (inout MemoryState) -> Void) {
        memory?.state.withLock { body(&$0.memory) }
    }

    /// The control is gone: evicted, deleted.
    func loseControl() throws {
        damage { $0.control = nil }
        try session?.send(["DEL", keys.control])
    }

    /// Everything is gone.
    func flush() throws {
        damage { $0 = MemoryState(archiveBytes: 1 << 20) }
        try session?.send(["FLUSHALL"])
        try set(now)
    }

    /// What a backup of the control has, to be put back later.
    func backUpControl() throws {
        if let session {
            backup = .redis(
                try session.send(["HGETALL", keys.control]).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).map(String.init))
        } else {
            damage { backup = .memory($0.control) }
        }
    }

    /// The control is as it was when it was backed up: what was written since is lost.
    func rollBackControl() throws {
        switch backup {
        case .memory(let control): damage { $0.control = control }
        case .redis(let fields):
            try session?.send(["DEL", keys.control])
            try session?.send(["HSET", keys.control] + fields)
        case nil: break
        }
    }

    func loseSnapshot(of resource: Resource) throws {
        damage { $0.shelf.remove(resource) }
        try session?.send(["DEL", keys.snapshot(of: resource)])
    }

    /// Puts a count into the ledger.
    func setCounted(_ counted: Int64) throws {
        damage { $0.control?.ledger.counted = counted }
        try session?.send(["HSET", keys.control, "counted", String(counted)])
    }

    // MARK: What is inside

    /// One whole number of the control's state by its field's name; nil where it is absent.
    func control(_ field: String) throws -> Int64? {
        if let session { return Int64(try session.send(["HGET", keys.control, field])) }
        var value: Int64?
        damage { value = $0.control?.number(field) }
        return value
    }

    /// The tokens of the cooldowns on record, by scope.
    func cooldownTokens() throws -> [String] {
        guard let session else {
            var tokens: [String] = []
            damage { state in
                tokens = CooldownScope.allCases.compactMap { scope in
                    (state.control?.cooldowns[scope]?.token).map { "\(scope.rawValue) \($0)" }
                }
            }
            return tokens
        }
        return try CooldownScope.allCases.compactMap { scope in
            let text = try session.send(["HGET", keys.control, "cd:\(scope.rawValue)"])
            return text.firstMatch(of: /"token":(\d+)/).map { "\(scope.rawValue) \($0.1)" }
        }
    }

    /// All that the archive keeps, and where, in one text that is the same for both stores.
    func archiveText() throws -> String {
        guard let session else {
            var text = ""
            damage { text = $0.archive.text }
            return text
        }
        let order = try session.send(["ZRANGE", keys.archiveOrder, "0", "-1", "WITHSCORES"])
        var lines = [try session.send(["GET", keys.archiveBytes]).replacing("(nil)", with: "0"), order]
        let known = try session.send(["KEYS", keys.prefix + "archive-times:*"])
        for key in known.split(separator: "\n").map(String.init).sorted() {
            lines.append(String(key.dropFirst(keys.prefix.count + "archive-times:".count)))
            lines.append(try session.send(["ZRANGE", key, "0", "-1", "WITHSCORES"]))
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The bytes of all archived bodies that are there, counted one by one.
    func archivedBytes() throws -> Int {
        guard let session else { return 0 }
        let names = try session.send(["KEYS", keys.prefix + "archive:*"]).split(separator: "\n")
        return try names.reduce(0) { sum, name in
            sum + (Int(try session.send(["HSTRLEN", String(name), "body"])) ?? 0)
        }
    }

    /// What has been written for people: the cooldown's mirror; nil if there is none (and in memory).
    func mirror() throws -> String? {
        guard let text = try session?.send(["GET", keys.cooldown]), text != "(nil)" else { return nil }
        return text
    }

    /// The control is gone, and a testimony is to make it anew.
    func loseAndRestore() async throws {
        try loseControl()
        _ = try await restore()
    }

    /// Stops the server and starts it with what it has saved; returns when the store's link is up again.
    func restartServer() async throws {
        try await server?.restart()
        session = try server?.session()
        let end = ContinuousClock.now + .seconds(10)
        while .now < end {
            do throws(StoreError) {
                _ = try await store.snapshot(of: Self.usd)
                return
            } catch { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}

extension ControlRecord {
    fileprivate func number(_ field: String) -> Int64? {
        switch field {
        case "counted": ledger.counted
        case "carry": ledger.carry
        case "epoch": epoch
        case "tat": arrival
        case "open_at": opensAt
        case "limit": ledger.shownLimit
        case "version": version
        default: nil
        }
    }
}

extension SnapshotArchive {
    /// As `StoreBench.archiveText` has it from Redis.
    fileprivate var text: String {
        var lines = [String(bytes)]
        for entry in order {
            lines += [
                "\(entry.id) \(entry.bytes) \(entry.resource) \(entry.from.value)", String(entry.end.value),
            ]
        }
        for (resource, times) in times.sorted(by: { $0.key.name < $1.key.name }) where !times.marks.isEmpty {
            lines.append(resource.name)
            for mark in times.marks { lines += [mark.text, String(mark.from.value)] }
        }
        return lines.joined(separator: "\n")
    }
}
