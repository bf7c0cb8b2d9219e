public import Foundation

/// What a stream says of a pause of the calls for its table.
public struct CooldownNotice: Hashable, Sendable {
    /// What is not fetched meanwhile, such as `latest:USD`.
    public let resource: String
    /// Whether the pause runs; false when the calls go on.
    public let isRunning: Bool
    /// Why; nil when the calls go on.
    public let reason: StaleReason?
    /// When it ends, as far as is known.
    public let until: Date?
}

extension CooldownNotice: Decodable {
    /// Reads the data of an event `cooldown`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        resource = try container.decode(String.self, forKey: .resource)
        isRunning = try container.decode(Bool.self, forKey: .running)
        reason = try container.decodeIfPresent(StaleReason.self, forKey: .reason)
        until = try container.decodeIfPresent(WireTime.self, forKey: .until)?.date
    }

    private enum CodingKeys: String, CodingKey {
        case resource, running, reason, until
    }
}
