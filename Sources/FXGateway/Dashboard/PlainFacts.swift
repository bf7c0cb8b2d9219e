import CacheLayer

/// The most important facts for the page without its scripts.
///
/// Nothing in it moves with the clock alone: instants instead of ages, so that the same facts are the same page. So there is
/// no forecast, which is another one at each look at the store. What is news are tries: a refresh that failed, or that waits
/// for the store, is put off anew by each.
struct PlainFacts: Sendable {
    let fleet: String
    let version: String
    let isSimulated: Bool
    /// What doesn't work as it should, one word each.
    let degraded: [String]
    let resources: [Row]
    /// The budget in words; nil before the store has told.
    let quota: Quota?
    /// Scope, reason and end by the store's clock of each pause that runs.
    let pauses: [String]
    let store: String

    struct Row: Sendable {
        let resource: String
        let state: String
        let source: String
        let dataTime: String
        let fetchedAt: String
        let freshUntil: String
        let nextRefresh: String
    }

    struct Quota: Sendable {
        let month: String
        let used: Int64
        let limit: Int64
    }

    /// Before anything is known.
    static let none = PlainFacts(
        fleet: "", version: GatewayVersion.text, isSimulated: false, degraded: [], resources: [], quota: nil,
        pauses: [], store: "")

    init(
        fleet: String, version: String, isSimulated: Bool, degraded: [String], resources: [Row],
        quota: Quota?, pauses: [String], store: String
    ) {
        self.fleet = fleet
        self.version = version
        self.isSimulated = isSimulated
        self.degraded = degraded
        self.resources = resources
        self.quota = quota
        self.pauses = pauses
        self.store = store
    }

    init(_ gateway: Gateway) {
        self.init(
            of: gateway.refresher.board.status, fleet: gateway.configuration.fleet,
            degraded: gateway.readiness.degraded, store: StoreView(gateway.store),
            policy: gateway.configuration.tierPolicy, now: .now)
    }

    init(
        of status: RefreshStatus, fleet: String, degraded: [String], store: StoreView,
        policy: TierPolicy, now: ContinuousClock.Instant
    ) {
        let pauses = (status.shadow?.cooldowns ?? []).compactMap { pause -> String? in
            guard let shadow = status.shadow, pause.rest > status.shadowAge ?? .zero else { return nil }
            // By the clock that it was told by: the same instant, to the millisecond, at each look.
            return "\(pause.scope.rawValue): \(pause.reason) until \((shadow.now + pause.rest).rfc3339)"
        }
        self.init(
            fleet: fleet, version: GatewayVersion.text, isSimulated: FleetText.isSimulated(status),
            degraded: degraded,
            resources: status.resources.map { Self.row($0, $1, policy, now: now) },
            quota: status.shadow.map { shadow in
                Quota(month: shadow.month, used: shadow.counted + shadow.external, limit: shadow.plan)
            }, pauses: pauses, store: store.sentence)
    }

    private static func row(
        _ resource: Resource, _ view: ResourceView, _ policy: TierPolicy, now: ContinuousClock.Instant
    ) -> Row {
        guard let adopted = view.adopted else {
            return Row(
                resource: resource.name, state: "not held (\(view.condition.name))", source: "", dataTime: "",
                fetchedAt: "", freshUntil: "", nextRefresh: "")
        }
        let snapshot = adopted.snapshot
        guard resource.isLatest else {
            return Row(
                resource: resource.name, state: "held",
                source: snapshot.list == nil ? snapshot.table.source.name : "", dataTime: "",
                fetchedAt: snapshot.fetchedAt.rfc3339, freshUntil: "", nextRefresh: "")
        }
        let report = SourceReport.all(in: snapshot, age: adopted.age(at: now), policy: policy).first
        let session = snapshot.table.marketSession.map { ", market \($0)" } ?? ""
        return Row(
            resource: resource.name,
            state: "\((report?.state ?? .expired).name) (\(view.condition.name))",
            source: snapshot.table.source.name + session, dataTime: snapshot.table.dataTime.text,
            fetchedAt: snapshot.fetchedAt.rfc3339, freshUntil: report?.freshUntil.rfc3339 ?? "",
            nextRefresh: view.condition.delaying(policy.nextRefresh(of: snapshot)).rfc3339)
    }
}

extension StoreView {
    /// How the store is reached, for people.
    fileprivate var sentence: String {
        guard let link else { return "memory of this instance" }
        return link.isConnected ? "Redis answers" : "Redis is away"
    }
}
