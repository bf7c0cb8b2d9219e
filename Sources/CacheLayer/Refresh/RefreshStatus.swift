/// What an operator sees of this instance's refresher and of the fleet, as last known.
///
/// Nothing secret.
package struct RefreshStatus: Sendable {
    /// The control as last told, and how old that knowledge is; nil before the first answer.
    package let shadow: Shadow?
    package let shadowAge: Duration?
    /// How many instances the store has last seen within an hour; nil if it never told.
    package let instances: Int64?
    /// The instances of the fleet that have looked at the store last, each with how long ago; empty if it never told.
    package let members: [Shadow.Member]
    /// With whose key this instance calls upstream; not for show.
    package let key: KeyMark
    /// Whether the last question to the store was answered.
    package let isStoreReachable: Bool
    package let resources: [(resource: Resource, view: ResourceView)]
    /// What is fetched by this instance right now.
    package let flights: [Resource]
    /// Whether the first attempt to load the pivot has ended, with a snapshot or a definite refusal.
    package let hasTriedToLoad: Bool
    /// Own calls without the store: of this month, and of the last hour.
    package let offlineCalls: Int64
    package let offlineLastHour: Int64
    /// Why the last wish to call without the store was refused; nil if it wasn't, or the store is there.
    package let offlineRefusal: OfflineBudget.Refusal?
    /// Daily publications that an answer fetched after their time and grace still lacked, since this instance began.
    package let missedPublications: [Resource: Int64]
    /// When each latest table is fetched next, and why then.
    package let outlooks: [Resource: RefreshOutlook]
    /// How far the store's clock is ahead of this instance's.
    package let clockDifference: Duration

    package init(
        shadow: Shadow?, shadowAge: Duration?, instances: Int64?, key: KeyMark, isStoreReachable: Bool,
        resources: [(resource: Resource, view: ResourceView)], flights: [Resource], hasTriedToLoad: Bool,
        offlineCalls: Int64, offlineLastHour: Int64, offlineRefusal: OfflineBudget.Refusal?,
        missedPublications: [Resource: Int64], outlooks: [Resource: RefreshOutlook] = [:],
        members: [Shadow.Member] = [], clockDifference: Duration = .zero
    ) {
        self.shadow = shadow
        self.shadowAge = shadowAge
        self.instances = instances
        self.key = key
        self.isStoreReachable = isStoreReachable
        self.resources = resources
        self.flights = flights
        self.hasTriedToLoad = hasTriedToLoad
        self.offlineCalls = offlineCalls
        self.offlineLastHour = offlineLastHour
        self.offlineRefusal = offlineRefusal
        self.missedPublications = missedPublications
        self.outlooks = outlooks
        self.members = members
        self.clockDifference = clockDifference
    }

    /// Whether upstream refuses this instance's key: it is asked once an hour then.
    package var isKeyRejected: Bool {
        shadow?.cooldowns.contains { $0.scope == .key && $0.holds(for: key) } ?? false
    }

    /// Whether the clocks differ so much that nobody calls.
    package var isClockDisputed: Bool {
        clockDifference > Decide.clockTolerance || clockDifference < .zero - Decide.clockTolerance
    }

    /// Before anything is known.
    package static let empty = RefreshStatus(
        shadow: nil, shadowAge: nil, instances: nil, key: .anonymous, isStoreReachable: false, resources: [],
        flights: [], hasTriedToLoad: false, offlineCalls: 0, offlineLastHour: 0, offlineRefusal: nil,
        missedPublications: [:])
}
