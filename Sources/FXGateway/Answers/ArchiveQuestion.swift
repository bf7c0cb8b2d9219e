import CacheLayer

/// What the store is asked for a past snapshot.
enum ArchiveQuestion: Hashable, Sendable {
    case id(SnapshotID)
    /// The newest at an instant of the first of these resources of which one is kept.
    case newest([Resource], at: UnixMilliseconds)
}

extension ArchiveQuestion {
    /// What a store says to it; nil if nothing that answers it is kept.
    func answer(from store: any RateStore) async throws(StoreError) -> StoredSnapshot? {
        switch self {
        case .id(let id): return try await store.archived(id)
        case .newest(let resources, let instant):
            for resource in resources {
                if let stored = try await store.archived(of: resource, at: instant) { return stored }
            }
            return nil
        }
    }
}
