import CacheLayer

/// One request, understood: what is asked for, in values that can't be malformed.
enum Route: Hashable, Sendable {
    case selection(Selection)
    /// Many conversions from one currency; what is to be converted stands in the body.
    case convertBatch(ConvertOptions)
    case status
    case quota
    case healthz
    case readyz
    case metrics
    /// An operator's refresh of a base's latest table.
    case adminRefresh(base: Currency, force: Bool)
    /// An operator ends cooldowns.
    case adminLift([CooldownScope])
    /// An operator drops all that is held.
    case adminPurge
}
