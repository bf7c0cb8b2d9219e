/// What operators do to a running fleet.
extension ControlState {
    /// Ends a cooldown, for the key also all refusals; may be done again.
    mutating func lift(_ request: LiftRequest, now: UnixMilliseconds) -> Answer<LiftReply> {
        guard var control = known(birth: request.birth, floor: request.floor) else {
            return Answer(.lost, shadow: nil)
        }
        let plan = PlanNumbers(request.plan)
        control.catchUp(to: now.value, plan: plan)
        var isThere = control.cooldowns.removeValue(forKey: request.scope) != nil
        if request.scope == .key {
            isThere = isThere || !control.refusals.isEmpty
            control.refusals = []
        }
        self.control = control
        return Answer(
            isThere ? .lifted : .nothing, shadow: control.shadow(at: now.value, plan: plan, resource: nil))
    }

    /// Drops all snapshots, here and in every memory; the control and what is kept for replay stay.
    mutating func purge(_ request: PurgeRequest, now: UnixMilliseconds) -> Answer<PurgeReply> {
        guard var control = known(birth: request.birth, floor: request.floor) else {
            return Answer(.lost, shadow: nil)
        }
        let plan = PlanNumbers(request.plan)
        control.catchUp(to: now.value, plan: plan)
        control.purged = control.epoch
        for resource in request.resources { shelf.remove(resource) }
        self.control = control
        announce(.purged)
        return Answer(.purged, shadow: control.shadow(at: now.value, plan: plan, resource: nil))
    }
}

extension ControlRecord {
    /// A stored snapshot, unless an operator has dropped all that there was when it was stored.
    func unpurged(_ stored: StoredSnapshot?) -> StoredSnapshot? {
        stored.flatMap { $0.token.value > purged ? $0 : nil }
    }
}
