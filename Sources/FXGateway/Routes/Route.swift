import CacheLayer

/// One request, understood: what is asked for, in values that can't be malformed.
enum Route: Hashable, Sendable {
    case selection(Selection)
    /// Many conversions from one currency; what is to be converted stands in the body.
    case convertBatch(ConvertOptions)
    /// The table of a past snapshot.
    case snapshot(SnapshotID, symbols: SymbolList?, numbers: NumberForm)
    case status
    /// Cadence and misses of each source.
    case sources
    case quota
    case healthz
    case readyz
    case metrics
    /// The description of this interface.
    case openapi
    /// An operator's refresh of a base's latest table.
    case adminRefresh(base: Currency, force: Bool)
    /// An operator ends cooldowns.
    case adminLift([CooldownScope])
    /// An operator drops all that is held.
    case adminPurge
    /// An operator accepts values that are held back.
    case adminAccept(QuarantineTarget)
}
