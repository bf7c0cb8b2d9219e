import CacheLayer
import EventLoop

@testable import FXGateway

/// The store behind a rig's past snapshots: a real one in memory, that can be away or keep its answers back.
///
/// Safe from any thread.
final class ArchiveBench: Sendable {
    /// How it answers from now on.
    enum Mood: Sendable {
        case answers, away, silent
    }

    private let questions = Locked<[ArchiveQuestion]>([])
    private let store: InMemoryRateStore
    private let codec: SnapshotCodec
    private let mood = Locked(Mood.answers)
    private let silent = Locked<[CheckedContinuation<Void, Never>]>([])

    init(policy: TierPolicy, clock: @escaping @Sendable () -> UnixMilliseconds) {
        store = InMemoryRateStore(archiveBytes: 1 << 20, clock: clock)
        codec = SnapshotCodec(policy: policy)
    }

    /// What it was asked, in order.
    var asked: [ArchiveQuestion] { questions.withLock { $0 } }

    /// Has the store accept a snapshot.
    func keep(_ snapshot: RateSnapshot) async throws {
        _ = try await store.restore(
            Testimony(
                holder: "rig", floor: snapshot.token, birth: nil, ledger: nil, cooldowns: [], flight: nil,
                snapshots: [codec.encode(snapshot)], plan: QuotaPlan(monthly: 1_000, perMinute: 10),
                lease: .seconds(15), grace: .seconds(3)))
    }

    func set(_ mood: Mood) { self.mood.withLock { $0 = mood } }

    /// Lets go of what it has kept back.
    func speak() {
        set(.answers)
        for one in silent.withLock({ kept in
            defer { kept = [] }
            return kept
        }) { one.resume() }
    }

    func answer(_ question: ArchiveQuestion) async throws(StoreError) -> StoredSnapshot? {
        questions.withLock { $0.append(question) }
        switch mood.withLock({ $0 }) {
        case .answers: break
        case .away: throw .notExecuted(.notConnected)
        case .silent: await withCheckedContinuation { one in silent.withLock { $0.append(one) } }
        }
        return try await question.answer(from: store)
    }
}
