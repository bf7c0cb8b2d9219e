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
    case failed(reason: String, wait: Duration = .zero)
    /// Cut off at its limit: upstream may still be at work on it.
    case cutOff
    /// Upstream refuses this kind of resource to our key.
    case forbidden
    /// Access was denied without saying whether the key is meant: what came before decides.
    case denied(UpstreamVerdict.Denial)
    /// Upstream limits us, or refuses the key.
    case limited(CooldownScope, wait: Duration, reason: String)

    /// How long nothing is tried again after a failure, whatever the shared back-off is.
    var wait: Duration { if case .failed(_, let wait) = self { wait } else { .zero } }
}
