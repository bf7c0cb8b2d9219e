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
    /// Whether it is the one call after a pause.
    let isProbe: Bool
    /// With whose key the call is made.
    let key: KeyMark

    /// What the ledger's report counts it as.
    var callClass: String { isForced ? "forced" : isProbe ? "probe" : resource.callClass }
}
