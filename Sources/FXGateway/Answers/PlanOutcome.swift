import CacheLayer

/// What a loop's snapshots give for a selection.
enum PlanOutcome {
    /// `wanted` is the resource that should answer it: another one than the plan's if that one isn't held.
    case answer(SelectionPlan, holding: Holding, wanted: Resource)
    /// Nothing is held that could answer it.
    case cold(Resource)
    /// What is held of it is beyond its stale window.
    case tooOld(Resource)
    /// Upstream doesn't have what is asked for, by the table that is held.
    case unknown(Problem)
}
