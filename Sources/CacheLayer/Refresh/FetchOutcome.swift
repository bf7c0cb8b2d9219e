/// How a call to upstream ended.
package enum FetchOutcome: Sendable {
    /// It never left: the order's `mayStart` said no, or the process is stopping.
    case unsent
    /// An accepted answer, and upstream's own count of the month if it told one.
    case answered(Ingested, upstreamUsed: Int64?)
    /// A good answer, but its data is older than what is held within its class.
    case older
    /// No usable answer; a short word for metrics and logs.
    case failed(reason: String)
    /// Cut off at its limit: upstream may still be at work on it.
    case cutOff
    /// Upstream limits us, or refuses the key.
    case limited(CooldownScope, wait: Duration, reason: String)
}
