import TestSupport
import UpstreamSimulator

/// What a Redis behind a proxy can suffer while everything else is well.
enum RedisTrouble: String, CaseIterable {
    case slow = "slow by 2 s"
    case hung = "hung: accepts, never answers"
    case refusing = "refusing: port closed"
    case resetting = "resetting in mid-command"
    case full = "full: noeviction"
    case readOnly = "read-only: a replica"

    /// Past a login's bytes and short of the first script's: it is cut off in the middle.
    private static let loginAndABit = 400

    func begin(_ redis: RedisServer, behind proxy: TCPProxy) async throws {
        switch self {
        case .slow: await proxy.set(latency: .seconds(2), .toClient)
        case .hung: await proxy.set(.hang)
        case .refusing: await proxy.set(.closed)
        case .resetting: await proxy.set(allowance: Self.loginAndABit, .toServer)
        case .full: try redis.cli("CONFIG", "SET", "maxmemory", "1")
        case .readOnly:
            // Nobody listens at port 1: a replica without its master, which still answers reads.
            try redis.cli("REPLICAOF", "127.0.0.1", "1")
        }
    }

    func end(_ redis: RedisServer, behind proxy: TCPProxy) async throws {
        switch self {
        case .slow:
            await proxy.set(latency: .zero, .toClient)
            await proxy.reset()
        case .hung:
            await proxy.set(.none)
            await proxy.reset()
        case .refusing: await proxy.set(.none)
        case .resetting: await proxy.set(allowance: nil, .toServer)
        case .full: try redis.cli("CONFIG", "SET", "maxmemory", "0")
        case .readOnly: try redis.cli("REPLICAOF", "NO", "ONE")
        }
    }
}
