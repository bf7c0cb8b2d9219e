import CacheLayer

/// Why nothing is to be had of a resource, and for how long: what a client is told in place of a wait.
struct ColdRefusal {
    /// What is refused.
    let resource: Resource
    let condition: RefreshCondition
    /// Whether something is held, but beyond its stale window.
    let isTooOld: Bool
    let wall: UnixMilliseconds

    /// Whether it can't get better within so many milliseconds.
    func isHopeless(within milliseconds: Int64) -> Bool {
        guard let until = condition.until else { return false }
        return until.value - wall.value > milliseconds
    }

    /// The 503, with the honest time to wait.
    var problem: Problem {
        let wait = condition.until.map { (until) -> Int in
            Int(clamping: (until.value - wall.value + 999) / 1_000)
        }
        let reason = condition.sentence(of: resource)
        let detail = isTooOld ? "What is held is beyond its stale window. \(reason)" : reason
        return Problem(isTooOld ? .ratesTooOld : kind, detail, retryAfter: wait ?? 1)
    }

    private var kind: ProblemKind {
        switch condition {
        case .idle, .refreshing, .queued, .warmingUp, .paced: .warmingUp
        case .failing, .forbidden: .upstreamFailed
        case .cooldown: .upstreamCooldown
        case .quotaSpent: .quotaExhausted
        case .keyRejected: .upstreamKeyRejected
        case .clockDisputed, .storeAway: .storeUnavailable
        }
    }
}

extension RefreshCondition {
    /// What people are told of it while they wait for a resource.
    func sentence(of resource: Resource) -> String {
        switch self {
        case .idle, .refreshing:
            resource == .currencies
                ? "The list of currencies is being fetched." : "The rates are being fetched."
        case .queued: "The rates are in the queue: other years were asked for before them."
        case .warmingUp: "The fleet has just started; nothing is fetched in its first moments."
        case .paced: "The next fetch is not due yet, so that the month's calls last."
        case .failing: "The last fetch has failed; the next one is due after a pause."
        case .cooldown: "Upstream has limited the gateway's calls; they go on after a pause."
        case .quotaSpent: "The month's upstream calls are used up."
        case .keyRejected: "Upstream refuses the gateway's key."
        case .forbidden: "Upstream refuses this to the gateway's key; it is asked for again after a pause."
        case .clockDisputed:
            "The clocks of Redis and of this gateway differ, so nobody calls upstream until they agree."
        case .storeAway: "The shared store can't be asked, so nobody may call upstream."
        }
    }
}
