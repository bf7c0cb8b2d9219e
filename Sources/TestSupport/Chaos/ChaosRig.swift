import CacheLayer
import EventLoop
import Foundation
import UpstreamSimulator

/// A fleet that random faults are done to: places with a gateway, each behind a proxy of its own to Redis where that is one
/// server, and a load on every gateway that ever was.
///
/// Safe from any thread; ends with `stop`.
package final class ChaosRig: Sendable {
    /// Where an instance runs: when its process is replaced, the place stays.
    struct Place: Sendable {
        var gateway: GatewayProcess
        /// The number of its process among all that were started.
        var number: Int
    }

    struct State {
        var places: [Place] = []
        var loads: [SteadyLoad] = []
        /// Processes started so far.
        var started = 0
        /// When a process was ended, and when it was stopped for a while, by its number.
        var ends: [Int: Int64] = [:]
        var asleep: [Int: [Range<Int64>]] = [:]
    }

    package static let key = "exr_live_Ch4osSECRETk3y77"
    package static let admin = "Adm1nChaosS3cret-4711"
    static let password = "R3disChaosP4ss-99"
    package static let interval = Duration.seconds(2)
    static let upstreamTimeout = Duration.seconds(2)
    /// How long rates may be served after their lifetime.
    static let staleWindow = Duration.seconds(900)
    static let lease = Duration.seconds(5)
    /// From a grant to its call at the most: a lease leaves so much beside the call and its margin.
    static let startSlack = Duration.seconds(1)

    package let fleet: Fleet
    let plan: ChaosPlan
    let trio: RedisSentinelTrio?
    let proxies: [TCPProxy]
    let program: [String]
    let clock: ChaosClock
    private let isAsked: Bool
    /// The digest by which `begin` is run, which no other bytes to Redis contain.
    let begin: String
    let state = Locked(State())

    private init(
        _ plan: ChaosPlan, fleet: Fleet, trio: RedisSentinelTrio?, program: [String], clock: ChaosClock,
        isAsked: Bool,
        begin: String
    ) throws {
        (self.plan, self.fleet, self.trio, self.program, self.clock) = (plan, fleet, trio, program, clock)
        self.begin = begin
        self.isAsked = isAsked
        proxies =
            try trio == nil
            ? (0..<plan.settings.gateways).map { _ in try TCPProxy(to: fleet.redis.port) } : []
    }

    /// Starts all of it and waits until every gateway has rates.
    ///
    /// `program` is the words that run a gateway, where it isn't the one built here; `isAsked` whether each is under a load
    /// whose answers are kept; `environment` changes the settings of all.
    package static func start(
        _ plan: ChaosPlan, program: [String] = [], isAsked: Bool = true, environment: [String: String] = [:]
    ) async throws -> ChaosRig {
        let trio = plan.settings.store == .sentinel ? try await RedisSentinelTrio.start() : nil
        do {
            let fleet = try await Fleet.start(options(plan, trio, environment))
            do {
                let begin = try fleet.store.session().send(
                    ["EVAL", "return redis.sha1hex(ARGV[1])", "0", Scripts().commit.source])
                let rig = try ChaosRig(
                    plan, fleet: fleet, trio: trio, program: program,
                    clock: try await ChaosClock(in: fleet.directory), isAsked: isAsked, begin: begin)
                for place in 0..<plan.settings.gateways { try await rig.occupy(place) }
                return rig
            } catch {
                await fleet.stop()
                throw error
            }
        } catch {
            trio?.stop()
            throw error
        }
    }

    private static func options(
        _ plan: ChaosPlan, _ trio: RedisSentinelTrio?, _ environment: [String: String]
    ) -> FleetOptions {
        FleetOptions {
            $0.gateways = 0
            if let trio { $0.home = .sentinels(trio) } else { $0.redis.password = password }
            $0.upstream.seed = plan.settings.seed
            $0.upstream.liveInterval = plan.liveInterval
            $0.environment["EXCHANGERATE_API_KEY"] = key
            $0.environment["FXGW_ADMIN_TOKEN"] = admin
            $0.environment["FXGW_BASES"] = plan.bases
            // What the answers are held against, so it is set here and not the product's own.
            $0.environment["FXGW_LIVE_TTL"] = "\(interval.components.seconds)s"
            $0.environment["FXGW_UPSTREAM_TIMEOUT"] = "\(upstreamTimeout.components.seconds)s"
            $0.environment["FXGW_LIVE_MAX_STALE"] = "\(staleWindow.components.seconds)s"
            $0.environment["FXGW_MAX_IN_FLIGHT"] = "\(plan.cap)"
            $0.environment.merge(environment) { $1 }
        }
    }

    /// What must never be seen anywhere.
    package var secrets: [String] {
        [Self.key, Self.admin]
            + (trio == nil
                ? [Self.password] : [RedisSentinelTrio.password, RedisSentinelTrio.sentinelPassword])
    }

    /// Puts a new process into a place and begins to ask it.
    ///
    /// `skew` is how many seconds its wall clock is off.
    func occupy(_ place: Int, skew: Int = 0) async throws {
        var environment: [String: String] = [:]
        if trio == nil {
            environment["FXGW_REDIS_URL"] = "redis://:\(Self.password)@127.0.0.1:\(proxies[place].port)"
        }
        if skew != 0 {
            environment.merge(clock.environment(seconds: skew)) { $1 }
        }
        let gateway = try await fleet.add(environment: environment, program: program)[0]
        state.withLock { state in
            let number = state.started
            state.started += 1
            let new = Place(gateway: gateway, number: number)
            if place < state.places.count { state.places[place] = new } else { state.places.append(new) }
            guard isAsked else { return }
            state.loads.append(
                SteadyLoad([gateway], every: .milliseconds(40), from: number, measuresIdle: true))
        }
    }

    func place(_ number: Int) -> Place { state.withLock { $0.places[number] } }

    var places: [Place] { state.withLock { $0.places } }

    /// All that was asked and answered so far, in the order of asking.
    var samples: [SteadyLoad.Sample] {
        state.withLock { $0.loads }.flatMap(\.samples).sorted { $0.wall < $1.wall }
    }

    /// Ends the loads, after another round of each that still has a gateway.
    func endLoads() async -> [SteadyLoad.Sample] {
        let loads = state.withLock { $0.loads }
        await withTaskGroup(of: Void.self) { group in
            for load in loads { group.addTask { _ = await load.stop() } }
        }
        return samples
    }

    /// Ends all processes and servers.
    package func stop() async {
        for load in state.withLock({ $0.loads }) { _ = await load.stop() }
        for place in places { place.gateway.signal(SIGCONT) }
        await fleet.stop()
        for proxy in proxies { await proxy.stop() }
        trio?.stop()
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
