package import EventLoop
package import Telemetry

/// One link to Redis for commands, and one more for each subscription; made again by itself whenever it ends.
///
/// Safe from any thread. Nothing is queued while there is no link: a command then fails at once.
package final class RedisClient: Sendable {
    package let health = RedisHealth()

    package init(
        endpoint: RedisEndpoint, timeouts: RedisTimeouts = RedisTimeouts(), loop: EventLoop, logger: Logger,
        name: String
    ) throws(RedisURLError) {
        try endpoint.checkSupported()
    }

    package func connect() {}

    package func command(_ arguments: [[UInt8]]) async throws(StoreError) -> RedisReply {
        throw .notExecuted(.notConnected)
    }

    package func command(_ arguments: [String]) async throws(StoreError) -> RedisReply {
        try await command(arguments.map { Array($0.utf8) })
    }

    package func run(
        _ script: RedisScript, keys: [String], arguments: [[UInt8]]
    ) async throws(StoreError) -> RedisReply {
        throw .notExecuted(.notConnected)
    }

    package func subscribe(
        channel: String, onMessage: @escaping @Sendable ([UInt8]) -> Void,
        onState: @escaping @Sendable (Bool) -> Void
    ) {}

    package func close() async {}
}
