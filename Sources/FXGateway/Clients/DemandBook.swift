import CacheLayer

/// Who has asked for what, and since when a resource's present interval runs: what a call's causes are read from.
///
/// A pure value; instants are milliseconds of one measuring clock. Bounded by the resources that can be asked for and the
/// numbers that clients can have.
struct DemandBook: Sendable {
    /// A loop tells of a client's use of a resource once in this time: so much later may the use have been.
    static let precision: Int64 = 60_000
    /// So long a use keeps a resource being refreshed.
    static let kept = RefreshSettings.standardDemandKept.milliseconds

    private var uses: [Resource: [Int: Int64]] = [:]
    private var intervals: [Resource: (token: FencingToken, since: Int64)] = [:]

    /// Notes that a client was told of a resource, or waits for it.
    mutating func note(_ number: Int, of resource: Resource, at now: Int64) {
        uses[resource, default: [:]][number] = now
    }

    /// Begins another interval of a resource if the snapshot that is held is another one.
    mutating func hold(_ token: FencingToken, of resource: Resource, at now: Int64) {
        if intervals[resource]?.token == token { return }
        intervals[resource] = (token, now)
    }

    /// The clients that a call at `now` is made for.
    ///
    /// Those who asked within its interval; if nobody did, those whose use in the last hour keeps it being refreshed; else
    /// nobody.
    mutating func causes(of resource: Resource, interval: Int64, at now: Int64) -> [Int] {
        let known = (uses[resource] ?? [:]).filter {
            $0.value >= now - max(Self.kept, interval) - Self.precision
        }
        uses[resource] = known
        let since = max(intervals[resource]?.since ?? .min, now - interval - Self.precision)
        let recent = known.filter { $0.value >= since }
        let keeping = known.filter { $0.value >= now - Self.kept - Self.precision }
        return Array((recent.isEmpty ? keeping : recent).keys)
    }
    /// What each client has asked for in the last hour.
    func wants(at now: Int64) -> [Int: Set<Resource>] {
        var wants: [Int: Set<Resource>] = [:]
        for (resource, clients) in uses {
            for (number, instant) in clients where instant >= now - Self.kept - Self.precision {
                wants[number, default: []].insert(resource)
            }
        }
        return wants
    }
}
