import CacheLayer

/// How long each table was in demand, and so what the lifetime could use at most.
struct MonthDemand: Sendable {
    /// A table is in demand for so long after a request.
    private let kept: Duration
    private var until: [Resource: UnixMilliseconds] = [:]
    private var total = Duration.zero

    init(kept: Duration) { self.kept = kept }

    /// A request in the month that ends then.
    mutating func ask(_ resource: Resource, at now: UnixMilliseconds, monthEnd: UnixMilliseconds) {
        let end = min(now + kept, monthEnd)
        total += end - max(now, min(until[resource] ?? now, end))
        until[resource] = max(until[resource] ?? end, end)
    }

    /// The calls of a fleet that fetches whatever is in demand once a lifetime.
    func most(lifetime: Duration) -> Int64 { total.milliseconds / lifetime.milliseconds }
}
