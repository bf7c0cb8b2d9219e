import CacheLayer
import EventLoop

/// One instance's way to a store, which a test breaks command by command.
///
/// Safe from any thread. What isn't scripted goes through as it is.
final class ScriptedStore: RateStore {
    enum Command: Hashable, Sendable {
        case begin, finish, restore, look, lift, purge, amend, snapshot, attend, leave
    }

    /// What happens to one command.
    struct Turn: Sendable {
        /// Done before the inner store sees it.
        var before: (@Sendable () async -> Void)?
        /// Whether the inner store sees it at all.
        var isExecuted = true
        /// Done before the sender gets his reply.
        var after: (@Sendable () async -> Void)?
        /// What the sender gets in place of the reply.
        var error: StoreError?
        /// What the sender gets in place of the reply to a `begin` that the inner store never sees.
        var begin: BeginReply?
        /// The same for a `finish`.
        var finish: FinishReply?

        static func refused(_ error: StoreError) -> Turn { Turn(isExecuted: false, error: error) }
        /// Executed, but nobody hears of it.
        static let replyLost = Turn(error: .outcomeUnknown(.timedOut))
        static let timedOut = Turn(isExecuted: false, error: .outcomeUnknown(.timedOut))
        static let noLink = Turn.refused(.notExecuted(.notConnected))
        static func answer(_ reply: BeginReply) -> Turn { Turn(isExecuted: false, begin: reply) }
        static func answer(_ reply: FinishReply) -> Turn { Turn(isExecuted: false, finish: reply) }
    }

    private struct State {
        var turns: [Command: [Turn]] = [:]
        var always: [Command: Turn] = [:]
        var begins: [BeginRequest] = []
        var finishes: [FinishRequest] = []
        var testimonies: [Testimony] = []
        var counts: [Command: Int] = [:]
    }

    private let inner: any RateStore
    private let state = Locked(State())

    init(_ inner: any RateStore) { self.inner = inner }

    /// Lets the next commands of a kind go so.
    func next(_ command: Command, _ turns: Turn...) {
        state.withLock { $0.turns[command, default: []] += turns }
    }

    /// Lets all commands of a kind go so that nothing else is said of; nil ends it.
    func always(_ commands: [Command], _ turn: Turn?) {
        state.withLock { state in for command in commands { state.always[command] = turn } }
    }

    /// Cuts the instance off from its store, or brings it back.
    func isAway(_ isAway: Bool) {
        always(
            [.begin, .finish, .restore, .look, .lift, .purge, .amend, .snapshot, .attend, .leave],
            isAway ? .noLink : nil)
    }

    var begins: [BeginRequest] { state.withLock { $0.begins } }
    var finishes: [FinishRequest] { state.withLock { $0.finishes } }
    var testimonies: [Testimony] { state.withLock { $0.testimonies } }
    func count(_ command: Command) -> Int { state.withLock { $0.counts[command] ?? 0 } }

    func begin(_ request: BeginRequest) async throws(StoreError) -> Answer<BeginReply> {
        state.withLock { $0.begins.append(request) }
        let turn = take(.begin)
        if let reply = turn.begin {
            await turn.before?()
            return Answer(reply, shadow: nil)
        }
        return try await pass(turn) { () throws(StoreError) in try await inner.begin(request) }
    }

    func lift(_ request: LiftRequest) async throws(StoreError) -> Answer<LiftReply> {
        try await pass(take(.lift)) { () throws(StoreError) in try await inner.lift(request) }
    }

    func finish(_ request: FinishRequest) async throws(StoreError) -> Answer<FinishReply> {
        state.withLock { $0.finishes.append(request) }
        let turn = take(.finish)
        if let reply = turn.finish {
            await turn.before?()
            return Answer(reply, shadow: nil)
        }
        return try await pass(turn) { () throws(StoreError) in try await inner.finish(request) }
    }

    func restore(_ testimony: Testimony) async throws(StoreError) -> Answer<RestoreReply> {
        state.withLock { $0.testimonies.append(testimony) }
        return try await pass(take(.restore)) { () throws(StoreError) in try await inner.restore(testimony) }
    }

    func look(_ request: LookRequest) async throws(StoreError) -> Answer<LookReply> {
        try await pass(take(.look)) { () throws(StoreError) in try await inner.look(request) }
    }

    func purge(_ request: PurgeRequest) async throws(StoreError) -> Answer<PurgeReply> {
        try await pass(take(.purge)) { () throws(StoreError) in try await inner.purge(request) }
    }

    func amend(_ request: AmendRequest) async throws(StoreError) -> Answer<AmendReply> {
        try await pass(take(.amend)) { () throws(StoreError) in try await inner.amend(request) }
    }

    func attend(_ holder: String, _ limits: MemberLimits) async throws(StoreError) {
        try await pass(take(.attend)) { () throws(StoreError) in try await inner.attend(holder, limits) }
    }

    func leave(_ holder: String) async throws(StoreError) {
        try await pass(take(.leave)) { () throws(StoreError) in try await inner.leave(holder) }
    }

    func snapshot(of resource: Resource) async throws(StoreError) -> StoredSnapshot? {
        try await pass(take(.snapshot)) { () throws(StoreError) in try await inner.snapshot(of: resource) }
    }

    func archived(_ id: SnapshotID) async throws(StoreError) -> StoredSnapshot? {
        try await inner.archived(id)
    }

    func archived(
        of resource: Resource, at instant: UnixMilliseconds
    ) async throws(StoreError) -> StoredSnapshot? {
        try await inner.archived(of: resource, at: instant)
    }

    var archive: ArchiveCounters { inner.archive }

    func events() -> AsyncStream<StoreEvent> { inner.events() }

    func close() async {}

    private func take(_ command: Command) -> Turn {
        state.withLock { state in
            state.counts[command, default: 0] += 1
            guard state.turns[command]?.isEmpty == false else { return state.always[command] ?? Turn() }
            return state.turns[command]?.removeFirst() ?? Turn()
        }
    }

    private func pass<T: Sendable>(
        _ turn: Turn, _ call: () async throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        await turn.before?()
        if !turn.isExecuted { throw turn.error ?? .notExecuted(.notConnected) }
        let reply = try await call()
        await turn.after?()
        if let error = turn.error { throw error }
        return reply
    }
}
