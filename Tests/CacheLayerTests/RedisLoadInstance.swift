import EventLoop

@testable import CacheLayer

/// An instance in miniature: takes leases and settles them as fast as it may, remembers what it's told, and testifies after
/// a loss.
///
/// For one task at a time.
final class RedisLoadInstance {
    static let plan = QuotaPlan(monthly: 1_000_000_000, perMinute: 60_000)
    static let lease = Duration.seconds(5)
    private static let slack = Duration.seconds(2)

    private let store: any RateStore
    private let books: RedisLoadBooks
    private let holder: String
    private let resources: [Resource]
    private var held: [Resource: SnapshotOrder] = [:]
    private var birth: String?
    private var floor = FencingToken.none
    private var shadow: Shadow?
    private var told = ContinuousClock.now

    init(_ name: Character, store: any RateStore, books: RedisLoadBooks) {
        self.store = store
        self.books = books
        holder = String(name)
        resources = "ABCDEFGH".compactMap { Resource(name: "latest:\(name)X\($0)") }
    }

    /// Goes on until `isOver`.
    func run(until isOver: () -> Bool) async throws {
        var turn = 0
        while !isOver() {
            turn += 1
            try await refresh(resources[turn % resources.count])
        }
    }

    /// What the control says in the end.
    func lastShadow() async throws -> Shadow? {
        let request = LookRequest(
            holder: holder, birth: birth, floor: floor, interests: [], plan: Self.plan)
        let answer = try await store.look(request)
        remember(answer.shadow)
        return answer.shadow
    }

    private func refresh(_ resource: Resource) async throws {
        let attempt = AttemptID()
        let start = ContinuousClock.now
        // What was not executed, or may have been, is asked again under the same attempt.
        while ContinuousClock.now - start < Self.slack {
            let request = BeginRequest(
                resource: resource, attempt: attempt, holder: holder, lease: Self.lease, held: held[resource],
                floor: floor, birth: birth, notAfter: notAfter, plan: Self.plan, leastInterval: .zero,
                isForced: false)
            guard let answer = try? await store.begin(request) else {
                try await Task.sleep(for: .milliseconds(10))
                continue
            }
            remember(answer.shadow)
            return try await act(on: answer.reply, resource, attempt, start)
        }
    }

    private func act(
        on reply: BeginReply, _ resource: Resource, _ attempt: AttemptID, _ start: ContinuousClock.Instant
    ) async throws {
        switch reply {
        case .fetch(let token, _, let interval):
            // Too old to be called for: settled as unsent.
            let isCalled = ContinuousClock.now - start < Self.slack
            if isCalled {
                books.begins(token)
                try await Task.sleep(for: .milliseconds(4))
                books.ends()
            }
            try await settle(resource, attempt, token, interval, isCalled, start)
        case .lost: await testify()
        case .newer(let snapshot): held[resource] = snapshot.order
        default: try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func settle(
        _ resource: Resource, _ attempt: AttemptID, _ token: FencingToken, _ interval: Duration,
        _ isCalled: Bool, _ start: ContinuousClock.Instant
    ) async throws {
        let snapshot = StoredSnapshot(
            resource: resource,
            id: SnapshotID(fetchedAt: StoreBench.noon, digest: Array(resource.name.utf8.suffix(4))),
            token: token, fetchedAt: StoreBench.noon, dataTime: StoreBench.noon, source: .live,
            body: Array(repeating: 120, count: 2_000), keepFor: .seconds(86_400))
        while ContinuousClock.now - start < Self.lease + .seconds(30) {
            let request = FinishRequest(
                resource: resource, attempt: attempt, token: token, birth: birth, floor: floor,
                holder: holder,
                outcome: isCalled ? .fetched(snapshot) : .unsent, upstreamUsed: nil, upstreamLimit: nil,
                interval: interval, plan: Self.plan, callClass: resource.callClass, isImmutable: false)
            guard let answer = try? await store.finish(request) else {
                try await Task.sleep(for: .milliseconds(10))
                continue
            }
            remember(answer.shadow)
            switch answer.reply {
            case .wait(let rest): try await Task.sleep(for: rest)
            case .lost: await testify()
            default:
                if isCalled { held[resource] = snapshot.order }
                floor = max(floor, token)
                return
            }
        }
    }

    private func testify() async {
        books.loses()
        let testimony = Testimony(
            holder: holder, floor: floor, birth: birth,
            ledger: shadow.map { .init(month: $0.month, counted: $0.counted, age: .now - told) },
            cooldowns: [],
            flight: nil, snapshots: [], plan: Self.plan, lease: Self.lease, grace: StoreTimings.grace)
        if let answer = try? await store.restore(testimony) { remember(answer.shadow) }
    }

    /// The latest time of the server at which a `begin` may still take effect.
    private var notAfter: UnixMilliseconds {
        guard let shadow else { return StoreBench.distant }
        return shadow.now + (.now - told) + .milliseconds(300)
    }

    private func remember(_ answer: Shadow?) {
        guard let answer else { return }
        shadow = answer
        told = .now
        birth = answer.birth
        floor = max(floor, answer.epoch)
    }
}
