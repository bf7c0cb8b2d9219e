/// What the fleet's events are to this instance: hints where to look, and whom to wake.
extension Refresher {
    /// Takes an event for what it is: it may come twice, late, in any order, or never.
    func hear(_ event: StoreEvent) async {
        switch event {
        case .published(let resource, _, let token):
            wake { _, state in state.obstacle == .slot }
            if let state = states[resource], token > state.seen?.token ?? .none { await read(resource) }
        case .failed(let resource, let next):
            wake { _, state in state.obstacle == .slot }
            hearFailure(of: resource, next: next)
        case .slotFree(let resource):
            wake { other, state in state.obstacle == .slot || other == resource }
        case .refused(let resource, let next):
            wake { _, state in state.obstacle == .slot }
            hearRefusal(of: resource, next: next)
        case .cooldown(.key, _):
            // Whose key it is, only the control says.
            await look()
            wake { _, _ in true }
        case .cooldown(let scope, let rest):
            memory.hear(scope, rest: rest, at: time.now())
            noteNews()
            // A finish as well: those who wait for its resource or its slot learn how long the pause is.
            wake { _, _ in true }
        case .purged, .linkUp: await look()
        case .linkDown: break
        }
        wants.ring()
    }

    /// Those who wait for the holder elsewhere are told; what is known to last longer stays.
    private func hearFailure(of resource: Resource, next: UnixMilliseconds) {
        guard flights[resource] == nil, let state = states[resource] else { return }
        let now = time.now()
        let wait = max(.zero, next - memory.storeNow(at: now, wall: time.wall()))
        switch state.condition {
        case .failing(let until) where until > wallTime(in: wait): return
        case .idle, .refreshing, .queued, .warmingUp, .paced, .failing: break
        case .cooldown, .quotaSpent, .keyRejected, .forbidden, .clockDisputed, .storeAway: return
        }
        set(resource, .failing(until: wallTime(in: wait)), notBefore: now.advanced(by: wait))
    }

    /// A longer pause of all calls goes before it.
    private func hearRefusal(of resource: Resource, next: UnixMilliseconds) {
        guard flights[resource] == nil, let state = states[resource] else { return }
        switch state.condition {
        case .idle, .refreshing, .queued, .warmingUp, .paced, .failing, .forbidden: break
        case .cooldown, .quotaSpent, .keyRejected, .clockDisputed, .storeAway: return
        }
        // With another key it isn't refused: the look that follows says so.
        forbid(resource, rest: max(.zero, next - memory.storeNow(at: time.now(), wall: time.wall())))
    }

    /// Lets those ask again at once who wait for a call of somebody else.
    func wake(_ isMeant: (Resource, ResourceState) -> Bool) {
        for (resource, state) in states where state.condition == .refreshing && flights[resource] == nil {
            if isMeant(resource, state) { states[resource]?.wake() }
        }
    }
}
