import CacheLayer

/// The store as this instance reaches it.
struct StoreView: Sendable {
    /// Nil where the store is this process's memory.
    let link: Link?

    /// The link to Redis.
    struct Link: Sendable {
        let isConnected: Bool
        let breaker: RedisHealth.BreakerState
        /// Why the last link ended or the last try failed; nil if none has.
        let lastEnd: RedisLinkEnd?
        /// How far Redis's clock is ahead of this instance's; nil until measured.
        var clockSkew: Duration?
    }

    init(link: Link?) { self.link = link }

    init(_ store: GatewayStore) {
        link = (store.redis?.health).map {
            Link(
                isConnected: $0.isConnected, breaker: $0.breaker, lastEnd: $0.lastEnd,
                clockSkew: $0.clockSkew)
        }
    }

    /// Adds `store`.
    func add(to json: inout JSONText, _ status: RefreshStatus) {
        json.name("store")
        json.beginObject()
        json.member("kind", string: link == nil ? "memory" : "redis")
        json.member("reachable", boolean: status.isStoreReachable)
        if let age = status.shadowAge {
            json.member("last_answer_ms_ago", integer: Int(clamping: age.milliseconds))
        }
        if let link {
            json.member("connected", boolean: link.isConnected)
            json.member("breaker", string: link.breaker.name)
            if let skew = link.clockSkew {
                json.member("clock_skew_ms", integer: Int(clamping: skew.milliseconds))
            }
            if let end = link.lastEnd { json.member("last_error", string: end.reason) }
        }
        json.endObject()
    }
}

extension RedisHealth.BreakerState {
    /// The word in answers.
    fileprivate var name: String {
        switch self {
        case .closed: "closed"
        case .open: "open"
        case .halfOpen: "half_open"
        }
    }
}
