import EventLoop
import Telemetry

/// What a new link for commands asks the server about itself: its eviction policy, its clock, and whether it's a cluster.
///
/// Nothing waits for it, and nothing but words in the log comes of it. Only on the loop's own thread.
final class RedisStartCheck {
    private let setup: RedisLinkSetup
    private let health: RedisHealth
    private let meter: RedisSkewMeter
    private let wall: (@Sendable () -> UnixMilliseconds)?
    /// What was last warned about.
    private var warnedPolicy: String?
    private var hasWarnedOfCluster = false

    /// Without `wall` the clock isn't asked for.
    init(
        _ setup: RedisLinkSetup, health: RedisHealth, meter: RedisSkewMeter,
        wall: (@Sendable () -> UnixMilliseconds)?
    ) {
        self.setup = setup
        self.health = health
        self.meter = meter
        self.wall = wall
    }

    func run(over link: RedisLink) {
        let deadline = ContinuousClock.now + setup.timeouts.connect
        ask(["INFO", "memory"], over: link, before: deadline) { [unowned self] reply in
            weigh(policy: RedisInfo(reply)?["maxmemory_policy"])
        }
        if setup.endpoint.shape != .cluster {
            ask(["INFO", "cluster"], over: link, before: deadline) { [unowned self] reply in
                weigh(isCluster: RedisInfo(reply)?["cluster_enabled"] == "1")
            }
        }
        guard let wall else { return }
        let sent = ContinuousClock.now
        ask(["TIME"], over: link, before: deadline) { [unowned self] reply in
            guard let instant = Self.instant(reply) else { return }
            meter.note(server: instant, wall: wall(), roundTrip: .now - sent)
        }
    }

    /// Reads the reply to `TIME`: seconds and microseconds.
    static func instant(_ reply: RedisReply) -> UnixMilliseconds? {
        guard case .array(let parts) = reply, parts.count == 2, case .string(let seconds) = parts[0],
            case .string(let micros) = parts[1],
            let seconds = Int64(String(decoding: seconds, as: UTF8.self)), (0..<1 << 40).contains(seconds),
            let micros = Int64(String(decoding: micros, as: UTF8.self)), (0..<1_000_000).contains(micros)
        else { return nil }
        return UnixMilliseconds(seconds * 1_000 + micros / 1_000)
    }

    private func ask(
        _ command: [String], over link: RedisLink, before deadline: ContinuousClock.Instant,
        _ answer: @escaping (RedisReply) -> Void
    ) {
        link.send(command.map { Array($0.utf8) }, before: deadline) { result in
            if case .success(let reply) = result { answer(reply) }
        }
    }

    private func weigh(policy: String?) {
        guard let policy else { return }
        health.set(evictionPolicy: policy)
        guard health.mayEvictControl else {
            warnedPolicy = nil
            return
        }
        guard warnedPolicy != policy else { return }
        warnedPolicy = policy
        setup.logger.log(
            .warning, "Redis may evict the keys that the fleet agrees by: set maxmemory-policy to noeviction",
            [.address: setup.endpoint.address, .value: policy])
    }

    private func weigh(isCluster: Bool) {
        guard isCluster, !hasWarnedOfCluster else { return }
        hasWarnedOfCluster = true
        setup.logger.log(
            .error, "Redis is a cluster: its URL must begin with redis+cluster://",
            [.address: setup.endpoint.address])
    }
}
