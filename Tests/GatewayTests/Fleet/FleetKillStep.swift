import TestSupport
import Testing
import UpstreamSimulator

@testable import CacheLayer

/// The steps of a refresh at which its holder can die, as they are met from outside the process.
enum FleetKillStep: String, CaseIterable, CustomTestStringConvertible {
    /// Granted by Redis, while the reply to `begin` is held: the process can't know it yet.
    case beforeCall = "before the call"
    /// Upstream has the request and answers nothing.
    case duringCall = "during the call"
    /// Upstream has answered, while `finish` is held on its way to Redis.
    case beforeWrite = "before the write"
    /// Redis has stored and published, while the reply to `finish` is held.
    case afterWrite = "after the write"

    var testDescription: String { rawValue }

    /// Prepares everything for the next refresh, whoever will do it.
    func arm(_ fleet: Fleet, _ proxies: [TCPProxy]) async throws {
        // Only the commit that settles an attempt counts its outcome.
        let settling = "outcome:fetched"
        switch self {
        case .beforeCall:
            // The next commit is the grant's. Scripts are run by their digest, which no other bytes to Redis contain.
            let digest = try fleet.redis.cli(
                "EVAL", "return redis.sha1hex(ARGV[1])", "0", Scripts().commit.source)
            try #require(digest.utf8.count == 40)
            await hold(.toClient, after: digest, proxies)
        case .duringCall:
            var fault = Fault()
            fault.ending = .hang
            fleet.simulator.script(fault)
        case .beforeWrite: await hold(.toServer, after: settling, proxies)
        case .afterWrite: await hold(.toClient, after: settling, proxies)
        }
    }

    /// The place of the gateway that is at this step now; nil while none is.
    func holder(in fleet: Fleet, _ proxies: [TCPProxy]) throws -> Int? {
        let holders = try fleet.holders()
        return fleet.gateways.indices.first { place in
            let isHolder = holders.contains { $0 === fleet.gateways[place] }
            let isHeld = proxies[place].holding > 0
            let counts = fleet.simulator.counts
            let isAnswered = counts.inFlight == 0 && counts.byStatus[0] == nil
            return switch self {
            case .beforeCall: isHeld && isHolder && isAnswered
            case .duringCall: isHolder && counts.inFlight == 1 && counts.byStatus[0] == 1
            case .beforeWrite: isHeld && isHolder && isAnswered
            case .afterWrite: isHeld && !isHolder && isAnswered
            }
        }
    }

    private func hold(_ direction: TCPProxyDirection, after marker: String, _ proxies: [TCPProxy]) async {
        for proxy in proxies { await proxy.hold(direction, after: marker) }
    }
}
