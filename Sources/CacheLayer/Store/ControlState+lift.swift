extension ControlState {
    /// Ends a cooldown; may be done again.
    mutating func lift(_ request: LiftRequest, now: UnixMilliseconds) -> Answer<LiftReply> {
        guard var control = known(birth: request.birth, floor: request.floor) else {
            return Answer(.lost, shadow: nil)
        }
        let plan = PlanNumbers(request.plan)
        control.catchUp(to: now.value, plan: plan)
        control.cooldowns[request.scope] = nil
        self.control = control
        return Answer(.lifted, shadow: control.shadow(at: now.value, plan: plan, resource: nil))
    }
}
