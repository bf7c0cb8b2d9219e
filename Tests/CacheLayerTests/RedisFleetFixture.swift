import EventLoop
import Synchronization
import Telemetry
import Testing

@testable import CacheLayer

/// Three instances under load, each with a client, a loop and the limits that a gateway has.
enum RedisFleetFixture {
    static let keys = RedisKeys(fleet: "load", upstream: "127.0.0.1:1")

    /// Runs `body` while the fleet works, then checks what must hold whatever `body` has done.
    static func run(
        _ url: String, wall: @escaping @Sendable () -> UnixMilliseconds = { UnixMilliseconds.now },
        _ body: ([RedisClient], RedisLoadBooks) async throws -> Void
    ) async throws {
        let books = RedisLoadBooks()
        var clients: [RedisClient] = []
        var loops: [EventLoop] = []
        for _ in 0..<3 {
            let loop = try EventLoop(name: "redis-load")
            try loop.start()
            loops.append(loop)
            let client = try RedisClient(
                endpoint: RedisEndpoint(url: url), loop: loop, logger: .silent, name: "load",
                anchor: keys.control, wall: wall)
            client.connect()
            clients.append(client)
        }
        let result: Result<Void, any Error>
        do { result = .success(try await drive(clients, books, wall, body)) } catch {
            result = .failure(error)
        }
        for client in clients { await client.close() }
        for loop in loops {
            loop.stop()
            loop.join()
        }
        try result.get()
    }

    private static func drive(
        _ clients: [RedisClient], _ books: RedisLoadBooks, _ wall: @escaping @Sendable () -> UnixMilliseconds,
        _ body: ([RedisClient], RedisLoadBooks) async throws -> Void
    ) async throws {
        let isOver = Flag()
        let bodyResult: Result<Void, any Error>
        let (instances, stopped) = (Locked<[Shadow?]>([]), isOver)
        async let fleet: Void = withThrowingTaskGroup(of: Void.self) { group in
            for (client, name) in zip(clients, "ABC") {
                group.addTask {
                    let store = RedisRateStore(
                        client: client, keys: keys, archiveBytes: 1 << 20, wall: wall)
                    let instance = RedisLoadInstance(name, store: store, books: books)
                    try await instance.run { stopped.isSet }
                    let shadow = try await instance.lastShadow()
                    instances.withLock { $0.append(shadow) }
                }
            }
            try await group.waitForAll()
        }
        do { bodyResult = .success(try await body(clients, books)) } catch { bodyResult = .failure(error) }
        isOver.set()
        try await fleet
        try bodyResult.get()

        let tokens = books.grants.map(\.token)
        #expect(zip(tokens, tokens.dropFirst()).allSatisfy { $0 < $1 }, "tokens grow (P1, R8)")
        #expect(books.mostInFlight == 1, "one call at a time")
        let used = instances.withLock { $0.compactMap { $0?.booked }.max() } ?? 0
        #expect(used >= Int64(books.calls), "the ledger holds every call")
    }

    /// A flag that a task waits for.
    final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }
}

/// The suites that keep several servers and a fleet busy: one after the other, so that their times mean something.
@Suite("A fleet and its Redis", .serialized)
enum RedisFleetTests {}
