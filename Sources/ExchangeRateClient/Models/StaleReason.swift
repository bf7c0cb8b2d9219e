/// Why a gateway serves rates that aren't fresh.
///
/// Open: reasons of later gateways are passed on.
public struct StaleReason: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The reason as the gateway spells it.
    public let rawValue: String

    /// Takes any spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes any spelling.
    public init(stringLiteral value: String) { rawValue = value }

    /// A refresh is due or under way.
    public static let refreshing = StaleReason(rawValue: "refreshing")
    /// The last fetch failed.
    public static let upstreamError = StaleReason(rawValue: "upstream_error")
    /// Upstream has asked the fleet to pause.
    public static let cooldown = StaleReason(rawValue: "cooldown")
    /// The budget says not yet.
    public static let paced = StaleReason(rawValue: "paced")
    /// The calls of the month are spent.
    public static let quota = StaleReason(rawValue: "quota")
    /// Upstream refuses the gateway's key.
    public static let keyRejected = StaleReason(rawValue: "key_rejected")
    /// The fleet's shared store is away.
    public static let storeDown = StaleReason(rawValue: "store_down")
    /// The gateway's clock and the shared store's differ too much.
    public static let clockDisputed = StaleReason(rawValue: "clock_disputed")
    /// A newer rate jumped and is held back.
    public static let quarantine = StaleReason(rawValue: "quarantine")
    /// A live feed of an open market stands still.
    public static let sourceStalled = StaleReason(rawValue: "source_stalled")
}
