public import Foundation

/// What an answer says about its rates: where they come from and how old they are.
///
/// All parts are optional, as upstream documents few of them and not on every answer. Times are absolute.
public struct Labels: Hashable, Sendable, Codable {
    /// The freshness class of the whole answer; symbols may differ, see `sources`.
    public internal(set) var source: Source?
    /// The freshness class of each symbol; empty if the answer has none.
    public internal(set) var sources: [String: Source]
    /// When the value of each symbol was observed; empty if the answer has none.
    public internal(set) var effectiveAt: [String: Date]
    /// Whether the market was open.
    public internal(set) var marketSession: MarketSession?
    /// When upstream made the answer; says nothing on the age of the rates.
    public internal(set) var timestamp: Date?
    /// When the rates last changed, the data time; nil if the answer doesn't say, never guessed.
    public internal(set) var dataUpdatedAt: Date?
    /// Whether the rate was computed over a third currency.
    public internal(set) var isDerived: Bool?
    /// A bound of the error that the derivation adds, in basis points; nil when not derived.
    public internal(set) var derivationBpsMax: Decimal?
    /// The provider's disclaimer and attribution, to be shown with the rates.
    public internal(set) var notice: String?
    /// What the gateway adds; nil from upstream itself.
    public internal(set) var cache: GatewayCache?
    /// Codes that are stale on their own while the rest isn't; only gateways say it.
    public internal(set) var staleSymbols: [String]
    /// Codes that were asked for and have no usable rate; only gateways say it.
    public internal(set) var unavailable: [String]

    /// Reads the labels among an answer's other fields; a null counts as absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        source = try container.decodeIfPresent(Source.self, forKey: .source)
        sources =
            try container.decodeIfPresent([String: Source?].self, forKey: .sources)?.compactMapValues { $0 }
            ?? [:]
        effectiveAt =
            try container.decodeIfPresent([String: WireTime?].self, forKey: .effectiveAt)?
            .compactMapValues { $0?.date } ?? [:]
        marketSession = try container.decodeIfPresent(MarketSession.self, forKey: .marketSession)
        timestamp = try container.decodeIfPresent(WireTime.self, forKey: .timestamp)?.date
        dataUpdatedAt = try container.decodeIfPresent(WireTime.self, forKey: .dataUpdatedAt)?.date
        isDerived = try container.decodeIfPresent(Bool.self, forKey: .isDerived)
        derivationBpsMax = try container.decodeIfPresent(Decimal.self, forKey: .derivationBpsMax)
        notice = try container.decodeIfPresent(String.self, forKey: .notice)
        cache = try container.decodeIfPresent(GatewayCache.self, forKey: .cache)
        staleSymbols = try container.decodeIfPresent([String].self, forKey: .staleSymbols) ?? []
        unavailable = try container.decodeIfPresent([String].self, forKey: .unavailable) ?? []
    }

    /// Writes the labels that are there among an answer's other fields.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(source, forKey: .source)
        if !sources.isEmpty { try container.encode(sources, forKey: .sources) }
        if !effectiveAt.isEmpty {
            try container.encode(effectiveAt.mapValues { WireTime($0) }, forKey: .effectiveAt)
        }
        try container.encodeIfPresent(marketSession, forKey: .marketSession)
        try container.encodeIfPresent(timestamp.map { WireTime($0) }, forKey: .timestamp)
        try container.encodeIfPresent(dataUpdatedAt.map { WireTime($0) }, forKey: .dataUpdatedAt)
        try container.encodeIfPresent(isDerived, forKey: .isDerived)
        try container.encodeIfPresent(derivationBpsMax, forKey: .derivationBpsMax)
        try container.encodeIfPresent(notice, forKey: .notice)
        try container.encodeIfPresent(cache, forKey: .cache)
        if !staleSymbols.isEmpty { try container.encode(staleSymbols, forKey: .staleSymbols) }
        if !unavailable.isEmpty { try container.encode(unavailable, forKey: .unavailable) }
    }

    /// These labels of one symbol, with what they lack taken from those of the whole answer.
    func filled(from whole: Labels, for symbol: String) -> Labels {
        var labels = self
        labels.source = source ?? whole.sources[symbol] ?? whole.source
        if labels.sources.isEmpty { labels.sources = whole.sources.filter { $0.key == symbol } }
        if labels.effectiveAt.isEmpty { labels.effectiveAt = whole.effectiveAt.filter { $0.key == symbol } }
        labels.marketSession = marketSession ?? whole.marketSession
        labels.timestamp = timestamp ?? whole.timestamp
        // Of several classes the whole answer has the newest time, which need not be this one's.
        let isOfOneClass = Set(whole.sources.values).count <= 1
        labels.dataUpdatedAt = dataUpdatedAt ?? (isOfOneClass ? whole.dataUpdatedAt : nil)
        labels.isDerived = isDerived ?? whole.isDerived
        labels.derivationBpsMax = derivationBpsMax ?? whole.derivationBpsMax
        labels.notice = notice ?? whole.notice
        labels.cache = cache ?? whole.cache
        if labels.staleSymbols.isEmpty { labels.staleSymbols = whole.staleSymbols.filter { $0 == symbol } }
        return labels
    }

    /// These labels as they are of one symbol alone.
    func narrowed(to symbol: String) -> Labels {
        var labels = self
        labels.source = sources[symbol] ?? source
        labels.sources = sources.filter { $0.key == symbol }
        labels.effectiveAt = effectiveAt.filter { $0.key == symbol }
        labels.dataUpdatedAt = effectiveAt[symbol] ?? dataUpdatedAt
        labels.staleSymbols = staleSymbols.filter { $0 == symbol }
        labels.unavailable = []
        return labels
    }

    private enum CodingKeys: String, CodingKey {
        case source, sources, timestamp, notice, cache
        case effectiveAt = "effective_at"
        case marketSession = "market_session"
        case dataUpdatedAt = "data_updated_at"
        case isDerived = "derived"
        case derivationBpsMax = "derivation_bps_max"
        case staleSymbols = "stale_symbols"
        case unavailable
    }
}
