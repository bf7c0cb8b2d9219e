public import Foundation

/// The month's budget of a fleet, and which clients one instance's calls were made for.
public struct QuotaReport: Hashable, Sendable, Codable {
    /// The fleet's name.
    public let fleet: String
    /// The month; nil while the store can't say.
    public let quota: Quota?
    /// The pauses of calls, running or remembered.
    public let cooldowns: [Cooldown]
    /// Whose calls they were, as far as this instance made them.
    public let attribution: Attribution

    /// The calls of one instance, in parts that add up to all of them.
    public struct Attribution: Hashable, Sendable, Codable {
        /// The instance that answered.
        public let instance: String
        /// Its calls of the month.
        public let calls: Int
        /// The clients by what they cost.
        public let clients: [Share]
    }

    /// What one client has cost.
    public struct Share: Hashable, Sendable, Codable {
        /// Its name; `(none)` for what no client has caused.
        public let name: String
        /// Whether its token vouches for the name.
        public let verified: Bool
        /// Its calls, exact to a millionth.
        public let calls: Decimal
        /// Its requests since the instance began.
        public let requests: Int
    }
}
