@testable import CacheLayer

/// Requests of one instance that remembers what it was told; a test names only what matters to it.
extension StoreBench {
    static let plan = QuotaPlan(monthly: 10_000, perMinute: 12)
    static let usd = Resource(name: "latest:USD") ?? .currencies
    static let eur = Resource(name: "latest:EUR") ?? .currencies
    static let distant = UnixMilliseconds(9_000_000_000_000)

    /// An open control in which so much was counted.
    func open(plan: QuotaPlan = plan, counted: Int64 = 0) async throws {
        let month = Month(containing: now).description
        _ = try await restore(ledger: .init(month: month, counted: counted, age: .zero), plan: plan)
        try advance(StoreTimings.grace)
    }

    func begin(
        _ resource: Resource = usd, attempt: AttemptID = AttemptID(), held: SnapshotOrder? = nil,
        notAfter: UnixMilliseconds = distant, plan: QuotaPlan = plan, least: Duration = .seconds(60),
        lease: Duration = .seconds(15), isForced: Bool = false, isAwaited: Bool = false, holder: String = "a",
        key: KeyMark = .anonymous
    ) async throws -> Answer<BeginReply> {
        lastAttempt = attempt
        let request = BeginRequest(
            resource: resource, attempt: attempt, holder: holder, lease: lease, held: held, floor: floor,
            birth: birth, version: version, wall: wall, notAfter: notAfter, plan: plan, leastInterval: least,
            isForced: isForced, isAwaited: isAwaited, key: key)
        return remembered(try await store.begin(request))
    }

    /// A grant that the test relies on.
    func granted(
        _ resource: Resource = usd, held: SnapshotOrder? = nil, plan: QuotaPlan = plan,
        least: Duration = .seconds(60), key: KeyMark = .anonymous, isForced: Bool = false
    ) async throws -> Grant {
        let attempt = AttemptID()
        let answer = try await begin(
            resource, attempt: attempt, held: held, plan: plan, least: least, isForced: isForced, key: key)
        guard case .fetch(let token, _, let interval) = answer.reply else {
            throw StoreBenchProblem.notGranted("\(answer.reply)")
        }
        return Grant(resource: resource, attempt: attempt, token: token, interval: interval)
    }

    func finish(
        _ grant: Grant, _ outcome: FinishRequest.Outcome, upstreamUsed: Int64? = nil,
        upstreamLeft: Int64? = nil, upstreamLimit: Int64? = nil, interval: Duration = .seconds(300),
        plan: QuotaPlan = plan, isImmutable: Bool = false, key: KeyMark = .anonymous
    ) async throws -> Answer<FinishReply> {
        let request = FinishRequest(
            resource: grant.resource, attempt: grant.attempt, token: grant.token, birth: birth,
            version: version, wall: wall, floor: floor,
            holder: "a", outcome: outcome, upstreamUsed: upstreamUsed, upstreamLeft: upstreamLeft,
            upstreamLimit: upstreamLimit, interval: interval, plan: plan,
            callClass: grant.resource.callClass, isImmutable: isImmutable, key: key)
        return remembered(try await store.finish(request))
    }

    func restore(
        ledger: Testimony.Ledger? = nil, cooldowns: [Shadow.Cooldown] = [], flight: Testimony.Flight? = nil,
        offline: Testimony.Offline? = nil, snapshots: [StoredSnapshot] = [], plan: QuotaPlan = plan,
        floor told: FencingToken? = nil, birth known: String? = nil, holder: String = "a"
    ) async throws -> Answer<RestoreReply> {
        let testimony = Testimony(
            holder: holder, floor: told ?? floor, birth: known ?? birth, version: version, wall: wall,
            ledger: ledger,
            cooldowns: cooldowns, flight: flight, offline: offline, snapshots: snapshots, plan: plan,
            lease: .seconds(15), grace: StoreTimings.grace)
        return remembered(try await store.restore(testimony))
    }

    func look(
        _ interests: [(Resource, SnapshotOrder?)] = [], plan: QuotaPlan = plan, holder: String = "a"
    ) async throws -> Answer<LookReply> {
        let request = LookRequest(
            holder: holder, birth: birth, version: version, wall: wall, floor: floor,
            interests: interests.map { LookRequest.Interest(resource: $0.0, held: $0.1) }, plan: plan)
        return remembered(try await store.look(request))
    }

    func lift(_ scope: CooldownScope, plan: QuotaPlan = plan) async throws -> Answer<LiftReply> {
        let request = LiftRequest(
            scope: scope, holder: "a", birth: birth, version: version, wall: wall, floor: floor, plan: plan)
        return remembered(try await store.lift(request))
    }

    func purge(_ resources: [Resource] = [usd], plan: QuotaPlan = plan) async throws -> Answer<PurgeReply> {
        let request = PurgeRequest(
            resources: resources, holder: "a", birth: birth, version: version, wall: wall, floor: floor,
            plan: plan)
        return remembered(try await store.purge(request))
    }

    func amend(
        _ snapshot: StoredSnapshot, from held: StoredSnapshot, plan: QuotaPlan = plan
    ) async throws -> Answer<AmendReply> {
        let request = AmendRequest(
            held: held.id, heldToken: held.token, snapshot: snapshot, holder: "a", birth: birth,
            version: version, wall: wall,
            floor: floor, plan: plan)
        return remembered(try await store.amend(request))
    }

    /// What a fetch under this grant brought.
    func snapshot(
        _ grant: Grant, dataTime: Int64 = 1_000, source: Source = .live, body: [UInt8] = [0, 13, 10, 255],
        keepFor: Duration = .seconds(86_400)
    ) -> StoredSnapshot {
        StoredSnapshot(
            resource: grant.resource,
            id: SnapshotID(fetchedAt: now, digest: [1, 2, 3, UInt8(truncatingIfNeeded: grant.token.value)]),
            token: grant.token, fetchedAt: now, dataTime: UnixMilliseconds(dataTime), source: source,
            body: body, keepFor: keepFor)
    }

    private func remembered<Reply>(_ answer: Answer<Reply>) -> Answer<Reply> {
        if let told = answer.shadow {
            version = told.birth == birth ? max(version, told.version) : told.version
            shadow = told
            birth = told.birth
        }
        return answer
    }
}

/// What a test has been granted.
struct Grant: Sendable {
    let resource: Resource
    let attempt: AttemptID
    let token: FencingToken
    let interval: Duration
}

enum StoreBenchProblem: Error {
    case notGranted(String)
}
