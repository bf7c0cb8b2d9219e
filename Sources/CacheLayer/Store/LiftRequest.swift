/// Ends a cooldown before its time, and forgets its strikes: what made upstream limit us has been dealt with.
///
/// For operators: a new key, or the knowledge that upstream has lifted its limit. The interval's doubling stays.
package struct LiftRequest: StoreRequest, Hashable {
    package let scope: CooldownScope
    package let holder: String
    package let birth: String?
    package let version: Int64
    package let wall: UnixMilliseconds?
    package let floor: FencingToken
    package let plan: QuotaPlan

    package init(
        scope: CooldownScope, holder: String, birth: String?, version: Int64 = 0,
        wall: UnixMilliseconds? = nil, floor: FencingToken, plan: QuotaPlan
    ) {
        self.scope = scope
        self.holder = holder
        self.birth = birth
        self.version = version
        self.wall = wall
        self.floor = floor
        self.plan = plan
    }
}
