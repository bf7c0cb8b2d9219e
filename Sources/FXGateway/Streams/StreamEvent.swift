import CacheLayer
import HTTPEngine

/// One event, rendered once for all streams that get it.
///
/// Belongs to one loop, whose clock its instants are on.
final class StreamEvent {
    let kind: StreamKind
    let piece: StreamPiece
    /// Nil where it isn't of a snapshot.
    let snapshot: SnapshotID?
    /// From this instant on it would have to be rendered anew: the state of something in it is another.
    let validUntil: Int64
    /// From this instant on what it tells of isn't fresh.
    let staleFrom: Int64

    /// A snapshot, as `plan` has it.
    init(_ plan: SelectionPlan, of holding: Holding, in form: NumberForm, isGap: Bool) {
        kind = .snapshot
        piece = StreamPiece(
            EventText.snapshot(
                BodyRenderer.latest(plan, form), of: plan.resource, plan.snapshot.id, isGap: isGap))
        snapshot = plan.snapshot.id
        validUntil = holding.local(plan.changesAt)
        staleFrom = plan.state == .fresh ? holding.local(plan.freshUntil) : .min
    }

    /// The pause of a resource's calls; nil if there is none any more.
    init(_ pause: StreamPause?, of resource: Resource) {
        kind = .cooldown
        piece = StreamPiece(EventText.cooldown(pause, of: resource))
        snapshot = nil
        validUntil = .max
        staleFrom = .min
    }
}
