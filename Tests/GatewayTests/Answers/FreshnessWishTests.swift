import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("What a caller asks of freshness", .timeLimit(.minutes(3)))
struct FreshnessWishTests {
    struct Row: Sendable {
        let query: String
        let age: Int64
        let status: Int
    }

    @Test(
        "is honoured against what is held: 503 with the next refresh, or the answer as ever",
        arguments: [
            Row(query: "symbols=EUR&max_data_age=30s", age: 18, status: 200),
            Row(query: "symbols=EUR&max_data_age=30s", age: 19, status: 503),
            Row(query: "symbols=EUR,ISK&max_data_age=30s", age: 0, status: 503),
            Row(query: "symbols=EUR,ISK&max_data_age=2d", age: 0, status: 200),
            Row(query: "symbols=EUR&sources=live", age: 0, status: 200),
            Row(query: "symbols=EUR,ISK&sources=live", age: 0, status: 503),
            Row(query: "symbols=EUR,ISK&sources=live,ecb_daily", age: 0, status: 200),
            Row(query: "symbols=EUR&on_stale=reject", age: 69, status: 200),
            Row(query: "symbols=EUR&on_stale=reject", age: 70, status: 503),
            Row(query: "symbols=EUR&on_stale=serve", age: 70, status: 200),
            Row(query: "symbols=ISK&on_stale=reject", age: 70, status: 200),
            Row(query: "symbols=EUR&max_data_age=90", age: 0, status: 400),
            Row(query: "symbols=EUR&on_stale=maybe", age: 0, status: 400),
            Row(query: "symbols=EUR&sources=", age: 0, status: 400),
        ])
    func honoured(row: Row) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            rig.time.advance(by: .seconds(row.age))
            // Twice: the second must be judged anew, though its answer is known.
            for _ in 0..<2 {
                let answer = try rig.ask("/v1/latest?" + row.query)
                #expect(answer.status == row.status)
                guard row.status == 503 else { continue }
                #expect(answer.text.contains("freshness-unavailable"))
                #expect(answer.text.contains("2026-06-16T14:03:03Z"))
                #expect(answer.field("retry-after") == "\(max(1, 60 - row.age))")
            }
            #expect(rig.wants.count <= 1)
        }
    }

    @Test("holds for pairs and conversions too, and the wish doesn't change the body")
    func everywhere() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for target in ["/v1/rate/EUR-ISK", "/v1/convert/EUR/ISK/1"] {
                let refused = try rig.ask(target + "?sources=live")
                #expect(refused.status == 503)
                let plain = try rig.ask(target)
                let wished = try rig.ask(target + "?sources=ecb_daily&on_stale=reject")
                #expect(wished.body == plain.body)
            }
            let order = #"{"from":"USD","pairs":[["EUR",1],["ISK",1]]}"#
            let refused = try rig.ask("/v1/convert?sources=live", method: "POST", body: order)
            #expect(refused.status == 503)
        }
    }
}
