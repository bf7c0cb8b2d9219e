/// What the fleet's channel tells.
///
/// Events may come twice, in any order, or never: they only say where to look.
package enum StoreEvent: Hashable, Sendable {
    /// A snapshot with this order is in the store.
    case published(Resource, SnapshotID, FencingToken)
    /// A fetch of the resource has failed; the next one is allowed then, by the store's clock.
    case failed(Resource, next: UnixMilliseconds)
    /// Upstream refuses this kind of resource; it is tried again then, by the store's clock.
    case refused(Resource, next: UnixMilliseconds)
    /// A finish of some resource without publication or failure: a slot is free.
    case slotFree(Resource)
    case cooldown(CooldownScope, Duration)
    /// An operator has emptied the cache.
    case purged
    /// The link is up (again) and subscribed: anything may have been missed, `look` now.
    case linkUp
    /// The link is down: what comes now is missed.
    case linkDown
}
