extension Decide {
    /// Ends a cooldown, for the key also all refusals; may be done again.
    static func lift(_ request: LiftRequest, _ reading: StoreReading) -> Decision<LiftReply> {
        guard var known = known(request, reading) else {
            return Decision(answer: Answer(.lost, shadow: nil), change: nil)
        }
        var isThere = known.control.cooldowns.removeValue(forKey: request.scope) != nil
        if request.scope == .key {
            isThere = isThere || !known.control.refusals.isEmpty
            known.control.refusals = []
        }
        guard isThere else {
            return Decision(answer: Answer(.nothing, shadow: known.shadow(reading)), change: nil)
        }
        let change = change(
            known.control, reading,
            [
                .mirrorCooldown,
                .report(known.control.ledger.month, fields: ["lifted:\(request.scope.rawValue)"]),
            ])
        known.control.version += 1
        return Decision(answer: Answer(.lifted, shadow: known.shadow(reading)), change: change)
    }
}
