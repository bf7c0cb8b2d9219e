extension GatewayCache {
    /// How a snapshot stands to its lifetime; open for states of later gateways.
    public struct State: RawRepresentable, Hashable, Sendable, Codable {
        /// The state as the gateway spells it.
        public let rawValue: String

        /// Takes any spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Within its lifetime.
        public static let fresh = State(rawValue: "fresh")

        /// Past its lifetime, still served.
        public static let stale = State(rawValue: "stale")

        /// A publication that should have come by the calendar has not.
        public static let late = State(rawValue: "late")

        /// Asked for by its id or by an instant: computed from a past snapshot, neither fresh nor stale.
        public static let pinned = State(rawValue: "pinned")
    }
}
