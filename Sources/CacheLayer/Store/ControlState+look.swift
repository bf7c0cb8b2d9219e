extension ControlState {
    /// What is newer than what the instance holds, and what the control says.
    ///
    /// Notes who has looked for what and under which plan; changes nothing else.
    mutating func look(_ request: LookRequest, now: UnixMilliseconds) -> Answer<LookReply> {
        note(request, now: now.value)
        guard var control = known(birth: request.birth, floor: request.floor) else {
            return Answer(.lost, shadow: nil)
        }
        let plan = PlanNumbers(request.plan)
        control.catchUp(to: now.value, plan: plan)
        self.control?.plans = control.plans
        let seen = request.interests.map { interest in
            let pace = control.paces[interest.resource]
            return LookReply.Seen(
                resource: interest.resource, standing: standing(of: interest, control, at: now),
                nextAt: pace.map { UnixMilliseconds($0.nextAt) }, strikes: pace?.strikes ?? 0)
        }
        let shadow = control.shadow(
            at: now.value, plan: plan, resource: nil, instances: Int64(instances.count),
            members: members(at: now.value))
        return Answer(.seen(seen), shadow: shadow)
    }

    private func standing(
        of interest: LookRequest.Interest, _ control: ControlRecord, at now: UnixMilliseconds
    ) -> LookReply.Standing {
        let stored = control.unpurged(shelf.snapshot(of: interest.resource, at: now))?.order
        if let stored, stored.beats(interest.held) { return .newer }
        guard let held = interest.held, held.token.value > control.purged else { return .same }
        return held.beats(stored) ? .behind : .same
    }

    /// Those that have looked last, the latest at the end, as a sorted set orders them.
    private func members(at now: Int64) -> [Shadow.Member] {
        instances.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.suffix(64).map { name, looked in
            Shadow.Member(name: name, idle: .milliseconds(max(0, now - looked)))
        }
    }

    private mutating func note(_ request: LookRequest, now: Int64) {
        instances[request.holder] = now
        for interest in request.interests { demand[interest.resource] = now }
        let oldest = now - StoreTimings.demandKept.milliseconds
        instances = instances.filter { $0.value > oldest }
        demand = demand.filter { $0.value > oldest }
    }
}
