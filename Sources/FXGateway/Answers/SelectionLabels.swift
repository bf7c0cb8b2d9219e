import CacheLayer

/// What the top of an answer says of source and time: of the symbols asked for, not of the table.
struct SelectionLabels {
    /// The one class of all, or for a mix upstream's rule: the fastest of them, `live` if any is.
    let source: Source
    /// Whether there is more than one class, so that each symbol's must be told.
    let isMixed: Bool
    /// The newest time at which any was observed.
    let dataTime: Timestamp

    init(_ plan: SelectionPlan) {
        let rates = plan.served.filter { !$0.isIdentity }.map(\.quote)
        let labelled = rates.isEmpty ? plan.served.map(\.quote) : rates
        let sources = Set(labelled.map(\.source))
        source = sources.min(by: Source.isFaster) ?? plan.snapshot.table.source
        isMixed = sources.count > 1
        dataTime =
            labelled.map(\.effectiveAt).max { $0.instant < $1.instant } ?? plan.snapshot.table.dataTime
    }
}
