package import UpstreamSimulator

/// What a fleet is started with.
package struct FleetOptions: Sendable {
    /// How many gateways are there from the start.
    package var gateways = 3
    package var upstream = SimulatorConfiguration()
    package var home = FleetHome.own
    /// Of a server of its own.
    package var redis = RedisServer.Options()
    /// Settings of every gateway beyond the addresses.
    package var environment: [String: String]

    /// A fleet whose rates live for seconds: with a key, so that the anonymous limits don't hold, and a plan that nothing here
    /// can use up.
    package init(_ change: (inout FleetOptions) -> Void = { _ in }) {
        environment = [
            "EXCHANGERATE_API_KEY": "exr_live_test", "FXGW_BASES": "EUR",
            "FXGW_QUOTA_MONTHLY": "10000000", "FXGW_QUOTA_PER_MINUTE": "6000",
            "FXGW_UPSTREAM_TIMEOUT": "2s", "FXGW_LEASE_TTL": "5s", "FXGW_LIVE_TTL": "2s",
            "FXGW_WAIT_LIMIT": "20s", "FXGW_ADMIN_TOKEN": Self.adminToken, "FXGW_DRAIN_TIMEOUT": "10s",
            "FXGW_LOG_LEVEL": "debug",
        ]
        upstream.mode = .live
        upstream.liveInterval = .seconds(1)
        change(&self)
    }

    /// What opens the admin routes.
    package static let adminToken = "adm-test-token-0123456789"
}
