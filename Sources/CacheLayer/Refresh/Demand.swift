/// Why a request tells the refresher about a resource.
package enum Demand: Hashable, Sendable {
    /// It was answered from memory and is fresh: only counts as demand.
    case asked
    /// It was answered from memory, but not fresh.
    case stale
    /// Nothing usable is in memory and a client waits.
    case cold
}
