/// What the store says to a `begin`.
///
/// A refusal draws no token and reserves nothing.
package enum BeginReply: Hashable, Sendable {
    /// The store has a snapshot that beats what the asker holds.
    case newer(StoredSnapshot)
    /// Granted: the token, what is left of the lease, and the interval until this resource's next fetch.
    case fetch(FencingToken, left: Duration, interval: Duration)
    /// Somebody fetches this very resource; at the latest then its record ends.
    case busy(Duration)
    /// All slots of the fleet are taken by other resources; at the latest then one is free.
    case slotsTaken(Duration)
    /// Upstream calls are paused, or the one probe after the pause is out.
    case cooldown(CooldownScope, Duration)
    /// Upstream refuses this kind of resource to the asker's key; it is tried again then.
    case refused(Duration)
    /// Not due: the interval, the back-off, the rate limit, the grace after a loss, or the month's edge.
    case paced(Duration)
    /// The month's plan is used up, until its reset.
    case exhausted(Duration)
    /// The store's clock and the asker's differ by so much (positive: the store's is ahead): neither is trusted.
    case disputed(Duration)
    /// The request came after its `notAfter` and had no effect.
    case late
    /// The control is missing, of another life or older than the asker's memory: `restore` comes next.
    case lost
}
