import CacheLayer

/// What an explanation says of the fleet: all of it known to this instance already, so that nobody is asked for it.
struct FleetView: Sendable {
    let status: RefreshStatus
    let plan: QuotaPlan
    /// This instance's name, as it stands in leases.
    let instance: String
    let store: StoreView
    /// The last call of this instance for each resource.
    let calls: [Resource: CallRecord]

    /// Before anything is known.
    static let empty = FleetView(
        status: .empty, plan: QuotaPlan(monthly: 1, perMinute: 1), instance: "", store: StoreView(link: nil),
        calls: [:])

    /// Who fetches a resource right now, as far as this instance knows; nil if nobody does.
    ///
    /// What the store told last, less the time since then.
    func flight(of resource: Resource) -> Shadow.Flight? {
        let age = status.shadowAge ?? .zero
        return status.shadow?.flights.first { flight in
            flight.resource == resource && !flight.isSettled && flight.rest > age
        }
    }
}
