/// A published value that is held back because it is too far from the last one of its class.
///
/// It stands beside the old value, which is served meanwhile as stale, and travels with it in the snapshot: so whichever
/// instance fetches next knows it. Never mixed with the old value.
package struct QuarantinedRate: Hashable, Sendable {
    /// The value that was held back first: the later ones are measured against it.
    package let first: Rate
    /// The newest one near it: what is served once it is accepted.
    package let rate: Rate
    /// When the newest one was observed; nil where the table's data time holds.
    package let effectiveAt: Timestamp?
    /// How many answers after the first one had a value near it.
    package let confirmations: Int
    /// When the first one had arrived, by the store's clock.
    package let since: UnixMilliseconds
    /// Until when the old value is served: the end of the window that it had when the first one came, never extended.
    package let keptUntil: UnixMilliseconds

    /// So many answers in a row have to confirm a jump: the first one alone may be a slip of a digit, and two are the
    /// same slip cached somewhere on the way.
    package static let enough = 2

    package init(
        first: Rate, rate: Rate, effectiveAt: Timestamp?, confirmations: Int, since: UnixMilliseconds,
        keptUntil: UnixMilliseconds
    ) {
        self.first = first
        self.rate = rate
        self.effectiveAt = effectiveAt
        self.confirmations = confirmations
        self.since = since
        self.keptUntil = keptUntil
    }
}
