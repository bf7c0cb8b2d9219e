import CacheLayer
import EventLoop
import Telemetry

/// Past snapshots for all loops of a process: those asked for lately from memory, the others from the store.
///
/// Safe from any thread.
final class ArchiveReader: Sendable {
    /// Questions by how they ended.
    let outcomes = LabelledCounter<ArchiveOutcome>()
    private let ask: @Sendable (ArchiveQuestion) async throws(StoreError) -> StoredSnapshot?
    private let codec: SnapshotCodec
    private let now: @Sendable () -> ContinuousClock.Instant
    private let shelf: Locked<ArchiveShelf>

    /// What a table takes in memory, for each byte that it takes in the store.
    private static let bytesInMemory = 4

    /// - Parameters:
    ///   - policy: the tiers' lifetimes.
    ///   - byteLimit: the most bytes of memory for snapshots from the store.
    ///   - now: the measuring clock.
    ///   - ask: asks the store, which answers or fails within its own deadline.
    init(
        policy: TierPolicy, byteLimit: Int = 16 << 20,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        ask: @escaping @Sendable (ArchiveQuestion) async throws(StoreError) -> StoredSnapshot?
    ) {
        self.ask = ask
        codec = SnapshotCodec(policy: policy)
        self.now = now
        shelf = Locked(ArchiveShelf(byteLimit: byteLimit))
    }

    /// A snapshot that was found lately; nil says nothing of whether it is kept.
    func recent(_ id: SnapshotID) -> RateSnapshot? {
        let found = shelf.withLock { $0.find(id, at: now()) }
        if found != nil { outcomes.add(.memory) }
        return found
    }

    /// Asks the store; `completion` is called once, on any thread, within the store's own deadline.
    func find(_ question: ArchiveQuestion, _ completion: @escaping @Sendable (ArchiveFinding) -> Void) {
        Task { completion(await find(question)) }
    }

    private func find(_ question: ArchiveQuestion) async -> ArchiveFinding {
        do throws(StoreError) {
            guard let stored = try await ask(question) else {
                outcomes.add(.absent)
                return .absent
            }
            return taken(stored)
        } catch {
            outcomes.add(.away)
            return .away
        }
    }

    private func taken(_ stored: StoredSnapshot) -> ArchiveFinding {
        guard case .latest = stored.resource, let snapshot = try? codec.decode(stored) else {
            outcomes.add(.unreadable)
            return .absent
        }
        outcomes.add(.store)
        let end = now() + stored.keepFor
        shelf.withLock {
            $0.insert(snapshot, size: stored.body.count * Self.bytesInMemory, until: end)
        }
        return .found(snapshot)
    }
}
