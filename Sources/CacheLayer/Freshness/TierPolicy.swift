/// The lifetimes of the freshness tiers: from configuration, the same on all instances.
///
/// A pure value, safe from any thread. Every instant is by the store's clock.
package struct TierPolicy: Hashable, Sendable {
    /// The shortest interval between two fetches of live rates.
    package let liveTTL: Duration
    /// How long live rates are served after their lifetime.
    package let liveMaxStale: Duration
    /// How long daily fixes are served after their lifetime.
    package let dailyMaxStale: Duration
    /// The interval of classes that this version doesn't know.
    package let unknownTTL: Duration
    /// The upstream deadline: a punctual refresh may take so long, and must not show "stale" meanwhile.
    package let upstreamTimeout: Duration

    package init(
        liveTTL: Duration = .seconds(60), liveMaxStale: Duration = .seconds(900),
        dailyMaxStale: Duration = .seconds(4 * 86_400), unknownTTL: Duration = .seconds(300),
        upstreamTimeout: Duration = .seconds(10)
    ) {
        precondition(liveTTL > .zero && unknownTTL > .zero, "lifetimes are positive")
        precondition(liveMaxStale >= .zero && dailyMaxStale >= .zero, "stale windows aren't negative")
        self.liveTTL = liveTTL
        self.liveMaxStale = liveMaxStale
        self.dailyMaxStale = dailyMaxStale
        self.unknownTTL = unknownTTL
        self.upstreamTimeout = upstreamTimeout
    }
}
