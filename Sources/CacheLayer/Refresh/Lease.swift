/// The fleet-wide right to fetch one resource for a bounded time, as one flight holds it.
struct Lease: Sendable {
    let resource: Resource
    let attempt: AttemptID
    let token: FencingToken
    /// Until the resource's next fetch, as granted.
    let interval: Duration
    /// Before `begin` was first sent: ages count from here.
    let began: ContinuousClock.Instant
    let isForced: Bool
}
