extension Decide {
    /// Drops all snapshots, here and in every memory; the control and what is kept for replay stay.
    static func purge(_ request: PurgeRequest, _ reading: StoreReading) -> Decision<PurgeReply> {
        guard var known = known(request, reading) else {
            return Decision(answer: Answer(.lost, shadow: nil), change: nil)
        }
        known.control.purged = known.control.epoch
        let change = change(
            known.control, reading,
            [
                .remove(request.resources), .announce(.purged),
                .report(known.control.ledger.month, fields: ["purged"]),
            ])
        known.control.version += 1
        return Decision(answer: Answer(.purged, shadow: known.shadow(reading)), change: change)
    }
}
