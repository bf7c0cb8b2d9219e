/// Drops the snapshots of all resources: an operator doesn't trust what is held.
///
/// What is asked for at that moment is dropped too. Leases, ledger, cooldowns, paces and what is kept for replay stay, so
/// that it costs no call by itself.
package struct PurgeRequest: StoreRequest, Hashable {
    /// Whose stored bodies can be removed at once; those of others count no more either, and end by themselves.
    package let resources: [Resource]
    package let holder: String
    package let birth: String?
    package let version: Int64
    package let wall: UnixMilliseconds?
    package let floor: FencingToken
    package let plan: QuotaPlan

    package init(
        resources: [Resource], holder: String, birth: String?, version: Int64 = 0,
        wall: UnixMilliseconds? = nil, floor: FencingToken, plan: QuotaPlan
    ) {
        self.resources = resources
        self.holder = holder
        self.birth = birth
        self.version = version
        self.wall = wall
        self.floor = floor
        self.plan = plan
    }
}
