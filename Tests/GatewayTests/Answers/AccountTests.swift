import EventLoop
import TestSupport
import Testing

@testable import CacheLayer
@testable import FXGateway

@Suite("The account", .timeLimit(.minutes(3)))
struct AccountTests {
    static func status(
        used: Int64 = 4_137, reserved: Int64 = 1, plan: Int64 = 10_000, month: String = "2026-09",
        isReachable: Bool = true
    ) -> RefreshStatus {
        let shadow = Shadow(
            now: SampleTable.fetchedAt, birth: "b", epoch: .none, month: month, counted: used,
            reserved: reserved, plan: plan, cooldowns: [], nextAt: nil)
        return RefreshStatus(
            shadow: shadow, shadowAge: .seconds(1), instances: nil, key: .anonymous,
            isStoreReachable: isReachable,
            resources: [], flights: [], hasTriedToLoad: true, offlineCalls: 0, offlineLastHour: 0,
            offlineRefusal: nil, missedPublications: [:])
    }

    @Test("is the fleet's own ledger in upstream's shape, never kept, and nobody's name or key is in it")
    func body() async throws {
        try await GatewayRig.run { rig in
            rig.status.withLock { $0 = Self.status() }
            let answer = try rig.ask(
                "/v1/account",
                fields: ["Authorization: Bearer exr_live_SECRET", "X-API-Key: exr_live_SECRET"])
            #expect(answer.status == 200)
            #expect(
                answer.text
                    == #"{"result":"success","usage":{"calls_this_month":4137,"limit":10000,"resets_on":"2026-10-01"}}"#
            )
            #expect(answer.field("cache-control") == "no-store" && answer.field("cache-status") == nil)
            #expect(answer.field("etag") == nil)
            // Upstream's reader takes it: a gateway behind a gateway would.
            let usage = try #require(AccountUsage(body: answer.body))
            #expect(
                usage.callsThisMonth == 4_137 && usage.limit == 10_000 && usage.resetsOn?.text == "2026-10-01"
            )
            #expect(rig.wants.isEmpty)
        }
    }

    @Test("a spent month is told as it is, and December's counting begins anew in January")
    func edges() async throws {
        try await GatewayRig.run { rig in
            rig.status.withLock { $0 = Self.status(used: 10_000, month: "2026-12") }
            let answer = try rig.ask("/v1/account")
            #expect(answer.text.contains(#""calls_this_month":10000,"limit":10000,"resets_on":"2027-01-01""#))
        }
    }

    @Test("without a known ledger it is a 503 and never a zero: at the start, and while Redis is away")
    func unknown() async throws {
        try await GatewayRig.run { rig in
            let starting = try rig.ask("/v1/account")
            #expect(starting.status == 503 && starting.field("retry-after") == "1")
            #expect(starting.text.contains("problem:warming-up") && !starting.text.contains("usage"))
            #expect(starting.field("cache-control") == "no-store")
            rig.status.withLock { $0 = Self.status(isReachable: false) }
            let away = try rig.ask("/v1/account")
            #expect(away.status == 503 && away.text.contains("problem:store-unavailable"))
            #expect(!away.text.contains("4137"))
        }
    }

    @Test("it is for clients: with a clients file it needs a token; HEAD and other methods are as everywhere")
    func access() async throws {
        try await GatewayRig.run(clients: [SampleClients.entry("reports", SampleClients.token)]) { rig in
            rig.status.withLock { $0 = Self.status() }
            #expect(try rig.ask("/v1/account").status == 401)
            let fields = ["X-API-Key: \(SampleClients.token)"]
            #expect(try rig.ask("/v1/account?numbers=string", fields: fields).status == 200)
            #expect(try rig.ask("/v1/account", method: "DELETE", fields: fields).status == 405)
            let options = try rig.ask("/v1/account", method: "OPTIONS")
            #expect(options.status == 204 && options.field("allow") == "GET, HEAD, OPTIONS")
        }
    }
}
