extension ControlState {
    /// Takes an amended snapshot in the place of the one that it was made from.
    ///
    /// Its token becomes the newest one drawn, so that whoever began to fetch before can't overwrite it.
    mutating func amend(_ request: AmendRequest, now: UnixMilliseconds) -> Answer<AmendReply> {
        guard var control = known(birth: request.birth, floor: request.floor) else {
            return Answer(.lost, shadow: nil)
        }
        let plan = PlanNumbers(request.plan)
        control.catchUp(to: now.value, plan: plan)
        let resource = request.snapshot.resource
        let stored = control.unpurged(shelf.snapshot(of: resource, at: now))
        let running = control.flights.filter {
            $0.resource == resource && !$0.isSettled && $0.isLive(at: now.value)
        }
        let reply: AmendReply
        if let stored, stored.id == request.snapshot.id, stored.token == request.snapshot.token {
            // It was sent again: the same answer.
            reply = .stored
        } else if let rest = running.map({ $0.rest(at: now.value) }).max() {
            reply = .busy(.milliseconds(rest))
        } else if stored.map({ $0.id != request.held }) ?? false
            // What an operator has dropped doesn't come back by another one's act.
            || request.heldToken.value <= control.purged
        {
            reply = .changed
        } else if request.snapshot.token.value <= control.epoch {
            reply = .overtaken
        } else {
            control.epoch = request.snapshot.token.value
            // Until now the one that it was made from was the newest, though both were fetched at once.
            keep(request.snapshot, at: now, from: now)
            announce(.published(resource, request.snapshot.id, request.snapshot.token))
            reply = .stored
        }
        self.control = control
        return Answer(reply, shadow: control.shadow(at: now.value, plan: plan, resource: resource))
    }
}
