import CacheLayer

/// What the top of an answer says of source and time: of the symbols asked for, not of the table.
struct SelectionLabels {
    /// The one class of all, or for a mix upstream's rule: the fastest of them, `live` if any is.
    let source: Source
    /// Every class among them.
    let sources: Set<Source>
    /// Whether there is more than one class, so that each symbol's must be told.
    let isMixed: Bool
    /// The newest time at which any was observed.
    let dataTime: Timestamp
    /// The oldest time at which any was observed.
    let oldestTime: Timestamp

    init(_ plan: SelectionPlan) {
        let rates = plan.served.filter { !$0.isIdentity }.map(\.quote)
        let labelled = rates.isEmpty ? plan.served.map(\.quote) : rates
        sources = Set(labelled.map(\.source))
        source = sources.min(by: Source.isFaster) ?? plan.snapshot.table.source
        isMixed = sources.count > 1
        let times = labelled.map(\.effectiveAt).sorted { $0.instant < $1.instant }
        dataTime = times.last ?? plan.snapshot.table.dataTime
        oldestTime = times.first ?? plan.snapshot.table.dataTime
    }
}
