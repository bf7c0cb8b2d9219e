extension Decide {
    /// What is newer than what the instance holds, and what the control says; changes nothing.
    static func look(_ request: LookRequest, _ reading: StoreReading) -> Decision<LookReply> {
        guard let known = known(request, reading) else {
            return Decision(answer: Answer(.lost, shadow: nil), change: nil)
        }
        let seen = request.interests.map { interest in
            let pace = known.control.paces[interest.resource]
            return LookReply.Seen(
                resource: interest.resource, standing: standing(of: interest, known.control, reading),
                nextAt: pace.map { UnixMilliseconds($0.nextAt) }, strikes: pace?.strikes ?? 0)
        }
        let shadow = known.control.shadow(
            at: reading.now.value, plan: known.plan, resource: nil, instances: reading.instances,
            members: reading.members)
        return Decision(answer: Answer(.seen(seen), shadow: shadow), change: nil)
    }

    private static func standing(
        of interest: LookRequest.Interest, _ control: ControlRecord, _ reading: StoreReading
    ) -> LookReply.Standing {
        let stored = control.unpurged(reading.stored[interest.resource])?.order
        if let stored, stored.beats(interest.held) { return .newer }
        guard let held = interest.held, held.token.value > control.purged else { return .same }
        return held.beats(stored) ? .behind : .same
    }
}
