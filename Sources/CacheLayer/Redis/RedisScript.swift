/// A Lua script that Redis runs as one step.
package struct RedisScript: Hashable, Sendable {
    /// For logs and metrics.
    package let name: String
    package let source: String

    package init(name: String, source: String) {
        self.name = name
        self.source = source
    }
}
