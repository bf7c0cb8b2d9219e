/// What a grant leaves in the control: at once the lease of its resource, a slot of the fleet's cap, and
/// the open entry of the ledger, so that these can't disagree.
struct FlightRecord: Hashable, Sendable {
    let attempt: AttemptID
    let token: Int64
    let resource: Resource
    let holder: String
    /// By the store's clock; the record holds resource and slot before it.
    var end: Int64
    /// The month whose ledger has its reservation.
    let month: Month
    /// How long the lease was when it was granted: an end farther away means that the clock has jumped.
    let lease: Int64
    /// The interval that was granted with it; zero where a witness brought the record back.
    let interval: Int64
    /// Finished, but upstream may be at work on it still: it only holds resource and slot.
    var isSettled = false

    func isLive(at now: Int64) -> Bool { end > now }

    /// What is left of it; at least one millisecond while it is live.
    func rest(at now: Int64) -> Int64 { end - now }

    /// What every answer tells of it while it is live.
    func told(at now: Int64) -> Shadow.Flight {
        Shadow.Flight(
            resource: resource, holder: holder, token: FencingToken(token),
            rest: .milliseconds(rest(at: now)),
            isSettled: isSettled)
    }
}
