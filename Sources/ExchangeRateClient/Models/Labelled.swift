public import Foundation

/// An answer that says where its rates come from and how old they are.
public protocol Labelled {
    /// Everything the answer says about its rates.
    var labels: Labels { get }
}

extension Labelled {
    /// The freshness class of the whole answer; see `source(of:)` for one symbol.
    public var source: Source? { labels.source }
    /// The freshness class of each symbol, as far as the answer says.
    public var sources: [String: Source] { labels.sources }
    /// When the value of each symbol was observed, as far as the answer says.
    public var effectiveAt: [String: Date] { labels.effectiveAt }
    /// Whether the market was open.
    public var marketSession: MarketSession? { labels.marketSession }
    /// When upstream made the answer.
    public var timestamp: Date? { labels.timestamp }
    /// When the rates last changed.
    public var dataUpdatedAt: Date? { labels.dataUpdatedAt }
    /// The provider's disclaimer and attribution.
    public var notice: String? { labels.notice }
    /// What the gateway adds; nil from upstream itself.
    public var cache: GatewayCache? { labels.cache }

    /// Codes that are stale on their own while the rest isn't; only gateways say it.
    public var staleSymbols: [String] { labels.staleSymbols }
    /// Codes that were asked for and have no usable rate; only gateways say it.
    public var unavailable: [String] { labels.unavailable }

    /// The freshness class of one symbol: its own, else that of the whole answer.
    public func source(of symbol: String) -> Source? { labels.sources[symbol.uppercased()] ?? labels.source }

    /// When one symbol's value was observed: its own time, else the data time of the whole answer.
    public func dataTime(of symbol: String) -> Date? {
        labels.effectiveAt[symbol.uppercased()] ?? labels.dataUpdatedAt
    }
}
