/// How a gateway's fleet is, as one instance knows it.
public struct FleetStatus: Hashable, Sendable, Codable {
    /// The version of the instance that answered.
    public let version: String
    /// The fleet's name.
    public let fleet: String
    /// Whether the instance takes requests.
    public let ready: Bool
    /// What doesn't work as it should, one word each; empty if all is well.
    public let degraded: [String]
    /// The month; nil while the store can't say.
    public let quota: Quota?
    /// The pauses of calls, running or remembered.
    public let cooldowns: [Cooldown]
}
