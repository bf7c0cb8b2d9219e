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
    public let reason: StaleReason?
    /// Its age when the gateway answered, in whole seconds, from the field `Age`; nil for a past snapshot.
    ///
    /// Renewed with each answer, also where the gateway said that nothing has changed (304).
    public let age: Duration?
    /// When the snapshot is due to be refreshed, or what stands in the way may be gone; from `Fx-Next-Refresh`.
    public let nextRefresh: Date?
    /// Until when the fleet's calls pause, if they do; from `Fx-Cooldown-Until`.
    public let cooldownUntil: Date?

    /// Reads the object as it stands in a body.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        state = try container.decode(State.self, forKey: .state)
        snapshot = try container.decodeIfPresent(String.self, forKey: .snapshot)
        fetchedAt = try container.decodeIfPresent(WireTime.self, forKey: .fetchedAt)?.date
        freshUntil = try container.decodeIfPresent(WireTime.self, forKey: .freshUntil)?.date
        derivation = try container.decodeIfPresent(String.self, forKey: .derivation)
        reason = try container.decodeIfPresent(StaleReason.self, forKey: .reason)
        // What moves with the clock stands in the answer's head, not in its body.
        let head = decoder.userInfo[AnswerHead.key] as? AnswerHead
        let seconds = try head?.age ?? container.decodeIfPresent(Int.self, forKey: .age)
        age = seconds.map { .seconds($0) }
        nextRefresh =
            try head?.nextRefresh ?? container.decodeIfPresent(WireTime.self, forKey: .nextRefresh)?.date
        cooldownUntil =
            try head?.cooldownUntil ?? container.decodeIfPresent(WireTime.self, forKey: .cooldownUntil)?.date
    }

    /// Writes the object as it stands in a body, with what came in the head beside it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(state, forKey: .state)
        try container.encodeIfPresent(snapshot, forKey: .snapshot)
        try container.encodeIfPresent(fetchedAt.map { WireTime($0) }, forKey: .fetchedAt)
        try container.encodeIfPresent(freshUntil.map { WireTime($0) }, forKey: .freshUntil)
        try container.encodeIfPresent(derivation, forKey: .derivation)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encodeIfPresent(age.map { Int($0.components.seconds) }, forKey: .age)
        try container.encodeIfPresent(nextRefresh.map { WireTime($0) }, forKey: .nextRefresh)
        try container.encodeIfPresent(cooldownUntil.map { WireTime($0) }, forKey: .cooldownUntil)
    }

    private enum CodingKeys: String, CodingKey {
        case state, snapshot, derivation, reason
        case age = "age_seconds"
        case nextRefresh = "next_refresh"
        case cooldownUntil = "cooldown_until"
        case fetchedAt = "fetched_at"
        case freshUntil = "fresh_until"
    }
}
