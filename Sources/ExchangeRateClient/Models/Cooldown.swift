public import Foundation

/// A pause of a fleet's calls to upstream.
public struct Cooldown: Hashable, Sendable, Codable {
    /// What is paused: `short` or `month` for all calls, `key` for this key's.
    public let scope: String
    /// Why.
    public let reason: String
    /// Whether it runs at the moment.
    public let isRunning: Bool
    /// Its end.
    public let until: Date

    /// Reads one of the list `cooldowns`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scope = try container.decode(String.self, forKey: .scope)
        reason = try container.decode(String.self, forKey: .reason)
        isRunning = try container.decode(Bool.self, forKey: .running)
        until = try container.decode(WireTime.self, forKey: .until).date
    }

    /// Writes it as it stands in the list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(scope, forKey: .scope)
        try container.encode(reason, forKey: .reason)
        try container.encode(isRunning, forKey: .running)
        try container.encode(WireTime(until), forKey: .until)
    }

    private enum CodingKeys: String, CodingKey {
        case scope, reason, running, until
    }
}
