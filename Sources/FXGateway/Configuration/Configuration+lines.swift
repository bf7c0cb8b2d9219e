import CacheLayer
import Telemetry

extension Configuration {
    /// The effective configuration, one `NAME=value` line each in the contract's order; secrets are masked.
    var lines: [String] {
        ConfigurationName.allCases.compactMap { name in
            shown(name).map { "\(name.rawValue)=\($0)" }
        }
    }

    /// The text of one value; nil where nothing is set and nothing is the default.
    private func shown(_ name: ConfigurationName) -> String? {
        switch name {
        case .listen: listen.description
        case .threads: String(threads)
        case .key: keyFile == nil ? key?.description : nil
        case .keyFile: keyFile
        case .upstreamURL: upstream.description
        case .upstreamTimeout: UnitText.text(upstreamTimeout)
        case .upstreamInsecure: isUpstreamInsecureAllowed ? "on" : "off"
        case .redisURL: redisURL?.description
        case .redisPasswordFile: redisPasswordFile
        case .redisConnectTimeout: UnitText.text(redisConnectTimeout)
        case .redisCommandTimeout: UnitText.text(redisCommandTimeout)
        case .fleet: fleet
        case .offlineCallsPerHour: String(offlineCallsPerHour)
        case .bases: bases.map(\.code).joined(separator: ",")
        case .liveTTL: UnitText.text(liveTTL)
        case .liveMaxStale: UnitText.text(liveMaxStale)
        case .dailyMaxStale: UnitText.text(dailyMaxStale)
        case .unknownTTL: UnitText.text(unknownTTL)
        case .quotaMonthly: String(quotaMonthly)
        case .quotaPerMinute: String(quotaPlan.perMinute)
        case .quotaTarget: UnitText.text(permille: quotaTargetPermille)
        case .leaseTTL: UnitText.text(leaseTTL)
        case .waitLimit: UnitText.text(waitLimit)
        case .maxInFlight: String(maxInFlight)
        case .quarantineBand: quarantineBand.map { UnitText.text(basisPoints: $0) } ?? "off"
        case .clientsFile: clientsFile
        case .adminToken: adminTokenFile == nil ? adminToken?.description : nil
        case .adminTokenFile: adminTokenFile
        case .maxConnections: maxConnections.map(String.init)
        case .idleTimeout: UnitText.text(idleTimeout)
        case .cacheVisibility: cacheVisibility.rawValue
        case .corsOrigins: corsOrigins.isEmpty ? nil : corsOrigins.joined(separator: ",")
        case .trustedProxies: trustedProxies.isEmpty ? nil : trustedProxies.description
        case .ratelimitFields: hasRatelimitFields ? "on" : "off"
        case .stateDirectory: stateDirectory
        case .archiveBytes: UnitText.text(bytes: archiveBytes)
        case .logLevel: logLevel.name
        case .logFormat: logFormat.rawValue
        case .accessLog: accessLog.description
        case .drainTimeout: UnitText.text(drainTimeout)
        }
    }
}
