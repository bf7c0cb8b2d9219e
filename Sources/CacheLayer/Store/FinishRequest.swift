/// Reports how an attempt ended.
///
/// May be sent again as it is.
package struct FinishRequest: StoreRequest, Hashable {
    package let resource: Resource
    package let attempt: AttemptID
    package let token: FencingToken
    package let birth: String?
    package let version: Int64
    package let wall: UnixMilliseconds?
    package let floor: FencingToken
    package let holder: String
    package let outcome: Outcome
    /// Upstream's own count of the month's calls, where an answer named one; nil otherwise.
    package let upstreamUsed: Int64?
    /// The month's calls that upstream has left to us, where an answer named them; nil otherwise.
    package let upstreamLeft: Int64?
    /// The account's own limit of the month's calls, under the same conditions; nil otherwise.
    package let upstreamLimit: Int64?
    /// The resource's interval: the cap of its back-off.
    package let interval: Duration
    package let plan: QuotaPlan
    /// For the ledger's report: `latest`, `history`, `currencies`, `account`, `probe`, `forced`.
    package let callClass: String
    /// Whether the resource's pace is forgotten once this snapshot is stored: it never changes again, or is only a part whose
    /// next page may follow at once, under a lease and a reservation of its own.
    package let isImmutable: Bool
    /// With whose key it was fetched.
    package let key: KeyMark

    package enum Outcome: Hashable, Sendable {
        /// The call never left: the reservation is given back.
        ///
        /// No failure.
        case unsent
        /// An accepted answer.
        case fetched(StoredSnapshot)
        /// A good answer that is nothing to keep.
        case answered
        /// A good answer whose data time went back within its class: not taken, and no failure either.
        ///
        /// The next fetch is due an interval later.
        case older
        /// Upstream refuses this kind of resource to our key (403); how long it is left alone is the store's to say.
        case refused
        /// No usable answer.
        ///
        /// With `keepsSlot` the call was cut off and upstream may still be at work on it: the slot stays
        /// taken until the record's end.
        case failed(reason: String, keepsSlot: Bool)
        /// The holder is stopping and has cut its call off: spent, but nobody's failure, so that
        /// somebody else may go on at once.
        case handedOver
        /// Upstream limits us: a pause of `wait`.
        case limited(CooldownScope, wait: Duration, reason: String)
    }

    package init(
        resource: Resource, attempt: AttemptID, token: FencingToken, birth: String?, version: Int64 = 0,
        wall: UnixMilliseconds? = nil, floor: FencingToken, holder: String, outcome: Outcome,
        upstreamUsed: Int64? = nil, upstreamLeft: Int64? = nil,
        upstreamLimit: Int64? = nil, interval: Duration, plan: QuotaPlan, callClass: String,
        isImmutable: Bool = false, key: KeyMark = .anonymous
    ) {
        self.resource = resource
        self.attempt = attempt
        self.token = token
        self.birth = birth
        self.version = version
        self.wall = wall
        self.floor = floor
        self.holder = holder
        self.outcome = outcome
        self.upstreamUsed = upstreamUsed
        self.upstreamLeft = upstreamLeft
        self.upstreamLimit = upstreamLimit
        self.interval = interval
        self.plan = plan
        self.callClass = callClass
        self.isImmutable = isImmutable
        self.key = key
    }

    /// The same report to a control of another life.
    func told(birth: String?, version: Int64, floor: FencingToken) -> FinishRequest {
        FinishRequest(
            resource: resource, attempt: attempt, token: token, birth: birth, version: version, wall: wall,
            floor: floor, holder: holder,
            outcome: outcome, upstreamUsed: upstreamUsed, upstreamLeft: upstreamLeft,
            upstreamLimit: upstreamLimit, interval: interval, plan: plan, callClass: callClass,
            isImmutable: isImmutable, key: key)
    }
}
