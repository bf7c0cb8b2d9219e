/// What a stream of rates tells.
public enum StreamEvent: Hashable, Sendable {
    /// A new table.
    case table(StreamedTable)
    /// The fleet's calls for the table pause, or go on.
    case cooldown(CooldownNotice)
    /// The connection is gone, and the stream comes back by itself after this wait.
    ///
    /// Nothing to do, but worth knowing: from here on silence doesn't mean that the rates stand still. What was missed is told
    /// after the return.
    case interrupted(ExchangeRateError, wait: Duration)
}
