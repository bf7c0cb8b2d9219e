/// How a call to upstream ended.
package enum FetchOutcome: Sendable {
    /// It never left: the order's `mayStart` said no, or the process is stopping.
    case unsent
    /// An accepted answer, and what it says of the month's calls.
    case answered(Ingested, UpstreamEvidence)
    /// The account's answer, which is evidence and nothing else.
    case told(UpstreamEvidence)
    /// A good answer, but its data is older than what is held within its class.
    case older
    /// No usable answer; a short word for metrics and logs.
    case failed(reason: String)
    /// Cut off at its limit: upstream may still be at work on it.
    case cutOff
    /// A 403: upstream refuses this kind of resource to our key, for certain only where its code says so.
    case forbidden(isCertain: Bool)
    /// Upstream limits us, or refuses the key.
    case limited(CooldownScope, wait: Duration, reason: String)
}
