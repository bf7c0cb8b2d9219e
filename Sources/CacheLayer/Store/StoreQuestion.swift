/// What a read brings beside the control.
struct StoreQuestion: Hashable, Sendable {
    /// The resources whose newest snapshot matters.
    var resources: [Resource] = []
    /// The snapshots that may be kept for replay.
    var archived: [SnapshotID] = []
    /// Whether the members are asked for too.
    var hasMembers = false
}
