/// The month's calls in three parts that are never mixed up: counted, assumed, external.
///
/// `counted + assumed + external <= limit` is what a grant holds.
struct LedgerRecord: Hashable, Sendable {
    private(set) var month: Month
    /// Calls of known attempts, open reservations among them. Only a call that never left lowers it.
    var counted: Int64 = 0
    /// The part of `counted` that witnesses of earlier lives brought in.
    var inherited: Int64 = 0
    /// Calls of this month that the next month has to count too.
    var carry: Int64 = 0
    var assumption: Assumption?
    /// Calls that others made with the same key, by upstream's own count.
    var external: Int64 = 0
    /// When upstream's count last came; nil before that.
    var evidenceAt: Int64?
    /// The account's own monthly limit, as last told.
    var shownLimit: Int64?
    /// What the control of version 0.1.0 had counted when it was last read, while both versions run.
    var legacySeen: Int64?
    /// The running totals of calls without the store, by instance.
    var offline: [String: Testimony.Offline] = [:]
    var recovery: Recovery?

    init(month: Month) { self.month = month }

    func assumed(under limit: Int64) -> Int64 { assumption?.calls(under: limit) ?? 0 }

    /// All three parts.
    func booked(under limit: Int64) -> Int64 { counted + assumed(under: limit) + external }

    /// Begins a month; never goes back. Open reservations, and what ended in the boundary's edge, count in both.
    mutating func roll(to newer: Month, reserved: Int64) {
        guard newer > month else { return }
        var next = LedgerRecord(month: newer)
        next.counted = carry + reserved
        next.legacySeen = legacySeen == nil ? nil : 0
        next.offline = offline
        self = next
    }

    /// Upstream's own count replaces what was only assumed, and books what others spent.
    ///
    /// Calls that are under way may not be among those that upstream has counted.
    mutating func hear(upstreamCount count: Int64, reserved: Int64, at now: Int64) {
        external = max(0, min(count, PlanNumbers.mostCalls) - max(0, counted - reserved))
        evidenceAt = now
        assumption = nil
        recovery = nil
    }

    /// Sets what is assumed; nothing, where it is nothing.
    mutating func assume(_ calls: Int64, of plan: Int64, _ reason: Assumption.Reason, at since: Int64) {
        assumption =
            calls > 0 ? Assumption(calls: calls, plan: plan, reason: reason, since: since) : nil
    }

    /// A memory of an earlier life: a lower bound of what was counted before this one began.
    mutating func inherit(_ told: Int64) {
        guard told > inherited else { return }
        counted += told - inherited
        inherited = told
    }

    /// Calls made while the store was away, told as a running total: told twice, they count once.
    mutating func count(_ total: Testimony.Offline, by holder: String) {
        guard total.month == month.description else { return }
        let before = offline[holder].flatMap { $0.month == total.month ? $0.calls : nil } ?? 0
        let calls = min(total.calls, PlanNumbers.mostCalls)
        guard calls > before else { return }
        counted += calls - before
        offline[holder] = total
    }

    /// What instances of version 0.1.0 have called since their control was last read.
    mutating func countLegacy(_ legacy: LegacyControl) {
        guard legacy.month == month else { return }
        if let seen = legacySeen { counted += max(0, legacy.used - seen) }
        legacySeen = legacy.used
    }
}
