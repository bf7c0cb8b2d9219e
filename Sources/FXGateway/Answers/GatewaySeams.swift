import CacheLayer
import HTTPEngine
import Telemetry

/// What the request path asks of the rest of the program: given once by the composition root, shared by all loops.
///
/// Every closure is called on an event loop's thread and must not block it.
struct GatewaySeams: Sendable {
    var clock = GatewayClock.system
    var logger = Logger.silent
    /// Tells the refresher of a use: `.asked` at most once a minute and `.stale` four times a second for each resource and
    /// loop, `.cold` once for each parked request.
    var wanted: @Sendable (Resource, Demand) -> Void
    /// Notes a client's use of a resource, by its number, at a reading of the clock: once a minute and interval for each
    /// client, resource and loop.
    var asked: @Sendable (Resource, _ client: Int, _ now: Int64) -> Void = { _, _, _ in }
    /// Starts an operator's refresh; `completion` may be called on any thread, once.
    var refresh:
        @Sendable (Resource, _ force: Bool, _ completion: @escaping @Sendable (RefreshLanding) -> Void) ->
            Void
    /// Carries out what an operator wants of the fleet; `completion` as for `refresh`.
    var operate: @Sendable (AdminOrder, _ completion: @escaping @Sendable (AdminOutcome) -> Void) -> Void
    var readiness: @Sendable () -> Readiness
    /// The body of `/metrics`: everything, with the counters of all loops.
    var metrics: @Sendable () -> [UInt8]
    /// The body of `/v1/account`, JSON, or why there is none.
    var account: @Sendable () -> Result<[UInt8], Problem>
    /// The body of `/v1/status`, JSON.
    var status: @Sendable () -> [UInt8]
    /// The body of `/v1/sources`, JSON.
    var sources: @Sendable () -> [UInt8]
    /// The body of `/v1/quota`, JSON.
    var quota: @Sendable () -> [UInt8]
    /// The body of `/v1/events`, JSON.
    var events: @Sendable () -> [UInt8]
    /// What the dashboard says without its scripts.
    var plainFacts: @Sendable () -> PlainFacts
    /// What an explanation says of the fleet.
    var fleet: @Sendable () -> FleetView
    /// The token of the admin routes, nil while they are off; asked at each use, so that a reload holds at once.
    var adminToken: @Sendable () -> Secret?
    /// Runs what takes long on another thread.
    var aside: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void = { work in
        Task.detached(priority: .utility) { work() }
    }
    /// Past snapshots.
    var archive: ArchiveReader
    /// Who may ask at the start; nil without a clients file.
    ///
    /// What a reload brings is posted to the loops.
    var clients: ClientSet?
    /// Shared by all loops.
    var names = ClientNames()
    /// Shared by all loops.
    let firstAnswers = FirstAnswers()
    /// Shared by all loops.
    let streams = StreamCounters()
    /// Places for streams, of all loops together.
    var places = ConnectionGauge(limit: 5_000)
}
