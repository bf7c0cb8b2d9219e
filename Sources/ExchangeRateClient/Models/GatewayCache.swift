public import Foundation

/// What a gateway says about the snapshot it answered from; upstream itself sends nothing of the kind.
public struct GatewayCache: Hashable, Sendable, Codable {
    /// How the snapshot stands to its lifetime.
    public let state: State
    /// The name of the snapshot, to ask for the same table again; nil if the gateway gave none.
    public let snapshot: String?
    /// When the gateway received the snapshot from upstream.
    public let fetchedAt: Date?
    /// Until when the snapshot counts as fresh.
    public let freshUntil: Date?
    /// How the rates were obtained: `direct`, `inverse`, `cross` or `identity`.
    public let derivation: String?
    /// Why the snapshot is not fresh, such as `cooldown`; nil while it is.
    public let reason: String?

    /// Reads the object as it stands in a body.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        state = try container.decode(State.self, forKey: .state)
        snapshot = try container.decodeIfPresent(String.self, forKey: .snapshot)
        fetchedAt = try container.decodeIfPresent(WireTime.self, forKey: .fetchedAt)?.date
        freshUntil = try container.decodeIfPresent(WireTime.self, forKey: .freshUntil)?.date
        derivation = try container.decodeIfPresent(String.self, forKey: .derivation)
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
    }

    /// Writes the object as it stands in a body.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(state, forKey: .state)
        try container.encodeIfPresent(snapshot, forKey: .snapshot)
        try container.encodeIfPresent(fetchedAt.map { WireTime($0) }, forKey: .fetchedAt)
        try container.encodeIfPresent(freshUntil.map { WireTime($0) }, forKey: .freshUntil)
        try container.encodeIfPresent(derivation, forKey: .derivation)
        try container.encodeIfPresent(reason, forKey: .reason)
    }

    private enum CodingKeys: String, CodingKey {
        case state, snapshot, derivation, reason
        case fetchedAt = "fetched_at"
        case freshUntil = "fresh_until"
    }
}
