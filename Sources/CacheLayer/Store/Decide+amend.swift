extension Decide {
    /// Takes an amended snapshot in the place of the one that it was made from.
    ///
    /// Its token becomes the newest one drawn, so that whoever began to fetch before can't overwrite it.
    static func amend(_ request: AmendRequest, _ reading: StoreReading) -> Decision<AmendReply> {
        guard var known = known(request, reading) else {
            return Decision(answer: Answer(.lost, shadow: nil), change: nil)
        }
        let resource = request.snapshot.resource
        let stored = known.control.unpurged(reading.stored[resource])
        let running = known.control.flights.filter {
            $0.resource == resource && !$0.isSettled && $0.isLive(at: reading.now.value)
        }
        let reply: AmendReply
        var change: StoreChange?
        if let stored, stored.id == request.snapshot.id, stored.token == request.snapshot.token {
            // It was sent again: the same answer.
            reply = .stored
        } else if let rest = running.map({ $0.rest(at: reading.now.value) }).max() {
            reply = .busy(.milliseconds(rest))
        } else if stored.map({ $0.id != request.held }) ?? false
            // What an operator has dropped doesn't come back by another one's act.
            || request.heldToken.value <= known.control.purged
        {
            reply = .changed
        } else if request.snapshot.token.value <= known.control.epoch {
            reply = .overtaken
        } else {
            known.control.epoch = request.snapshot.token.value
            change = Self.change(
                known.control, reading,
                [
                    // Until now the one that it was made from was the newest, though both were fetched at once.
                    .keep(request.snapshot, from: reading.now),
                    .announce(.published(resource, request.snapshot.id, request.snapshot.token)),
                    .report(known.control.ledger.month, fields: ["amended"]),
                ])
            change?.isOwed = true
            known.control.version += 1
            reply = .stored
        }
        return Decision(
            answer: Answer(reply, shadow: known.shadow(reading, resource: resource)), change: change)
    }
}
