/// What a control that was made anew has heard of the one before it, and whom it has not heard yet.
///
/// Lives until upstream's own count makes it needless. Instants are milliseconds of the store's clock.
struct Recovery: Hashable, Sendable {
    /// When this life began.
    let began: Int64
    /// Whether some witness knew in time what this month had cost.
    var isKnown = false
    /// What was assumed of the month for want of such a witness.
    var blank: Int64 = 0
    /// The most that a witness of an earlier life still had to assume.
    var toldAssumed: Int64 = 0
    /// When the newest witness last saw the lost control.
    var sight: Int64 = 0
    /// The members that it saw then and that have not testified since.
    var missing: [String] = []
    /// The members that have testified in this life.
    var witnesses: [String] = []

    /// The most members that are remembered.
    static let mostMembers = 64
    /// No more than so much of the time between the newest sight and the loss is assumed to have been spent.
    static let longest: Int64 = 3_600_000

    /// Takes in one more witness: the newest sight decides who is missing.
    ///
    /// `ledger` is nil for one that doesn't know the month, or comes too late to replace what was assumed.
    mutating func hear(_ witness: String, saw ledger: Testimony.Ledger?, at now: Int64) {
        if !witnesses.contains(witness), witnesses.count < Self.mostMembers { witnesses.append(witness) }
        if let ledger {
            let instant = now - max(0, ledger.age.milliseconds)
            toldAssumed = max(toldAssumed, min(ledger.assumed, PlanNumbers.mostCalls))
            if !isKnown || instant > sight {
                sight = instant
                missing = Array(ledger.members.prefix(Self.mostMembers))
            }
            isKnown = true
        }
        missing.removeAll { witnesses.contains($0) }
    }

    /// What the missing members may have spent unseen: what the fleet's pace allows between the newest sight and the loss,
    /// and what may have been in flight; zero where nobody is missing.
    func lostCalls(left: Int64, plan: PlanNumbers) -> Int64 {
        guard !missing.isEmpty, left > 0 else { return 0 }
        let rest = max(1, Month(containing: UnixMilliseconds(sight)).next.start.value - sight)
        let unseen = min(Self.longest, max(0, began - sight))
        let (share, isOver) = (left * plan.permille).multipliedReportingOverflow(by: unseen)
        let spent = isOver ? left : (share + rest * 1_000 - 1) / (rest * 1_000)
        return min(left, spent + plan.cap)
    }
}
