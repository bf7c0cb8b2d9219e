import CacheLayer
import Telemetry

/// The state file that the configuration asks for, and what it said at the start.
struct GatewayState: Sendable {
    let keeper: StateKeeper
    /// Nil where there was no file, or none that can be used.
    let saved: SavedState?

    /// Whether there was a file, usable or not.
    var hasPast: Bool { saved != nil || keeper.health.fault != nil }

    /// Reads the file; nil where no directory is configured.
    ///
    /// Blocks for one read, before anything runs.
    init?(_ configuration: Configuration, logger: Logger) {
        guard let directory = configuration.stateDirectory else { return nil }
        keeper = StateKeeper(
            directory: directory,
            identity: StateIdentity(
                fleet: configuration.fleet, upstream: configuration.upstream.hostAndPort),
            logger: logger)
        saved = keeper.load()
    }
}
