import CacheLayer

/// One request, understood: what is asked for, in values that can't be malformed.
enum Route: Hashable, Sendable {
    case selection(Selection)
    /// Many conversions from one currency; what is to be converted stands in the body.
    case convertBatch(ConvertOptions)
    /// The table of a past snapshot.
    case snapshot(SnapshotID, symbols: SymbolList?, numbers: NumberForm)
    /// The list of currencies; `kind` in small letters, nil for all.
    case currencies(kind: String?)
    /// The fleet's own count of calls in upstream's shape.
    case account
    /// Events of what is adopted.
    case stream(StreamQuery)
    /// Why the answer to a table of latest rates is what it is.
    case explain(Selection)
    case status
    /// Cadence and misses of each source.
    case sources
    case quota
    /// What this instance has logged last.
    case events
    case healthz
    case readyz
    case metrics
    /// The description of this interface.
    case openapi
    /// The page for people.
    case dashboard
    /// An operator's refresh of a base's latest table, or of the list of currencies.
    case adminRefresh(Resource, force: Bool)
    /// An operator ends cooldowns.
    case adminLift([CooldownScope])
    /// An operator drops all that is held.
    case adminPurge
    /// An operator accepts values that are held back.
    case adminAccept(QuarantineTarget)
}
