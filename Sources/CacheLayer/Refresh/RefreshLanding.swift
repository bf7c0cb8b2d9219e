/// How one flight of a resource ended.
package enum RefreshLanding: Sendable {
    /// This instance has called upstream and the snapshot is adopted.
    case fetched(RateSnapshot)
    /// The store had a newer one: adopted.
    case shared(RateSnapshot)
    /// Nothing new; how its refreshing stands now.
    case refused(RefreshCondition)
}
