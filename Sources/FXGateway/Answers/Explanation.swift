import CacheLayer

/// Why the answer to a question for latest rates is what it is: what each table that may answer has to say, and what was made
/// of that.
struct Explanation {
    let base: Currency
    let wish: SnapshotTable.Wish
    /// In the order in which they are asked; never empty.
    let candidates: [Candidate]
    let outcome: PlanOutcome
    let policy: TierPolicy
    /// The longest wait of a request for what isn't held.
    let waitLimit: Duration
    /// On the loop's clock.
    let now: Int64

    struct Candidate {
        let resource: Resource
        let verdict: SnapshotTable.Verdict
        let condition: RefreshCondition
    }

    /// Explains what `table` answers at an instant of the loop's clock.
    ///
    /// - Throws: 422 for codes that upstream doesn't have, as far as that is known.
    init(
        base: Currency, _ wish: SnapshotTable.Wish, by table: SnapshotTable, waitLimit: Duration,
        at now: Int64
    ) throws(Problem) {
        let verdicts = table.verdicts(base: base, wish: wish, at: now)
        outcome = SnapshotTable.outcome(of: verdicts)
        if case .unknown(let problem) = outcome { throw problem }
        self.base = base
        self.wish = wish
        candidates = verdicts.map { resource, verdict in
            Candidate(resource: resource, verdict: verdict, condition: table.condition(of: resource))
        }
        policy = table.policy
        self.waitLimit = waitLimit
        self.now = now
    }

    /// The rates of one class that an answer has, with what makes their state.
    struct Class {
        let source: Source
        let quotes: [QuoteStanding]
        let state: Freshness
        /// Why they aren't fresh; nil if they are.
        let reason: StaleReason?
        let dataTime: Timestamp
        /// The first end of a lifetime and of a stale window among them.
        let freshUntil: UnixMilliseconds
        let servedUntil: UnixMilliseconds
    }

    /// The classes of what an answer has, the fastest first; the base in itself only if it is alone.
    static func classes(of plan: SelectionPlan) -> [Class] {
        let rates = plan.served.filter { !$0.isIdentity }
        let groups = Dictionary(grouping: rates.isEmpty ? plan.served : rates, by: \.quote.source)
        return groups.sorted { Source.isFaster($0.key, $1.key) }.map { source, quotes in
            let worst = quotes.map(\.state).max() ?? .fresh
            let fetchedAt = plan.snapshot.fetchedAt
            return Class(
                source: source, quotes: quotes, state: worst,
                reason: worst == .fresh ? nil : SelectionPlan.reason(quotes, worst, plan.timeReason),
                dataTime: quotes.map(\.quote.effectiveAt).max { $0.instant < $1.instant }
                    ?? plan.snapshot.table.dataTime,
                freshUntil: quotes.map(\.freshUntil).min() ?? fetchedAt,
                servedUntil: quotes.map(\.servedUntil).min() ?? fetchedAt)
        }
    }
}
