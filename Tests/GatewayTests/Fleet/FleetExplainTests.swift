import CacheLayer
import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Explanations in a fleet")
    struct Explanations {
        @Test(
            "an instance that doesn't fetch names the one that does, and makes no call for it",
            .timeLimit(.minutes(3)))
        func holder() async throws {
            try await FleetTests.run { fleet in
                let checks = try await FleetChecks(fleet)
                try #require(await fleet.isWarm())
                var fault = Fault()
                fault.delay = .milliseconds(1_500)
                for _ in 0..<10 { fleet.simulator.script(fault) }
                // Each refresh is under way for a second and a half: one of them is seen by a peer.
                var named: (asked: Int32, holder: String)?
                _ = try await eventually(within: .seconds(25), step: .milliseconds(50)) {
                    for gateway in fleet.gateways {
                        let answer = try await gateway.ask("GET", "/v1/explain?base=EUR")
                        let lease = try JSONTree.parse(answer.body)["candidates"]?.elements?.first?["lease"]
                        guard let holder = lease?["holder"]?.string,
                            lease?["is_this_instance"] == .bool(false)
                        else { continue }
                        named = (gateway.process.identifier, holder)
                        return true
                    }
                    return false
                }
                let (asked, holder) = try #require(named)
                let others = fleet.gateways.map(\.process.identifier).filter { $0 != asked }
                #expect(others.contains { holder.hasSuffix(":\($0)") }, "\(holder), asked \(asked)")
                try await checks.spend()
            }
        }

        @Test("a gateway without Redis or upstream explains all the same", .timeLimit(.minutes(3)))
        func away() async throws {
            var options = FleetOptions()
            options.gateways = 0
            try await FleetTests.run(options) { fleet in
                let gateway = try await fleet.add(environment: [
                    "FXGW_REDIS_URL": "redis://127.0.0.1:1", "FXGW_UPSTREAM_URL": "http://127.0.0.1:1",
                ])[0]
                var page: JSONTree?
                let isTold = try await eventually(within: .seconds(10)) {
                    let answer = try await gateway.ask("GET", "/v1/explain?base=EUR")
                    #expect(answer.status == 200)
                    page = try JSONTree.parse(answer.body)
                    return page?["answer"]?["type"] == .string("urn:fxgateway:problem:store-unavailable")
                }
                #expect(isTold, "\(String(describing: page))")
                let store = page?["store"]
                #expect(store?["reachable"] == .bool(false) && store?["connected"] == .bool(false))
                #expect(store?["last_error"] == .string("unreachable"))
                #expect(fleet.calls == 0)
            }
        }
    }
}
