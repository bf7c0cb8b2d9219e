/// What one point of a sweep has cost.
package struct SweepResult: Hashable, Sendable {
    package var requests = 0
    /// Requests that waited for upstream.
    package var waited = 0
    package var upstreamCalls = 0
    /// The scripts that the gateways have run, by their kinds.
    package var scripts = StoreWork()
    /// Plain commands, of the caches that know no scripts.
    package var gets = 0
    package var sets = 0
    /// Bytes of those plain commands and of their replies, in Redis's protocol.
    package var plainBytesIn = 0
    package var plainBytesOut = 0

    package init() {}

    /// All commands that were sent to Redis.
    package var commands: Int { scripts.commands + gets + sets }
}
