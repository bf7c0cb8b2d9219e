import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Requests that wait", .timeLimit(.minutes(3)))
struct ColdTests {
    private let target = "/v1/latest?symbols=EUR"

    /// Sends one request on each of so many connections and waits until all are parked.
    private func park(
        _ count: Int, in rig: GatewayRig, fields: [String] = []
    ) async throws -> [RawHTTPClient] {
        var clients: [RawHTTPClient] = []
        for _ in 0..<count {
            let client = try rig.client()
            try client.send(GatewayRig.request(target, fields: fields))
            clients.append(client)
        }
        await rig.waiting(atLeast: count)
        return clients
    }

    private func answers(_ clients: [RawHTTPClient]) throws -> [RawHTTPClient.Answer] {
        try clients.map { try #require(try $0.answers(1).answers.first) }
    }

    @Test(
        "a crowd waits for one flight: the first is said to have filled the cache, the others to have joined",
        arguments: [1, 2])
    func crowd(loops: Int) async throws {
        try await GatewayRig.run(loops: loops) { rig in
            let clients = try await park(20, in: rig)
            #expect(rig.wants.allSatisfy { $0.resource == .latest(base: .usd) && $0.demand == .cold })
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            let answers = try answers(clients)
            let statuses = answers.compactMap { $0.field("cache-status") }.sorted()
            #expect(answers.allSatisfy { $0.status == 200 && $0.field("age") == "0" })
            #expect(
                statuses.filter { $0 == "fxgateway; fwd=uri-miss; fwd-status=200; stored; ttl=70" }.count == 1
            )
            #expect(
                statuses.filter { $0 == "fxgateway; fwd=uri-miss; fwd-status=200; stored; collapsed; ttl=70" }
                    .count
                    == 19)
            #expect(await rig.waiting() == 0)
        }
    }

    @Test("what another instance fetched is a hit that says so")
    func shared() async throws {
        try await GatewayRig.run { rig in
            let clients = try await park(3, in: rig)
            await rig.hold(SampleTable.usd, isOwnFetch: false)
            for answer in try answers(clients) {
                #expect(answer.field("cache-status") == "fxgateway; hit; ttl=70; detail=shared")
            }
        }
    }

    @Test("T1: the wait ends at its limit with a 503 that says when to come back")
    func limit() async throws {
        try await GatewayRig.run { rig in
            let clients = try await park(2, in: rig)
            rig.time.advance(by: .milliseconds(4_999))
            try await Task.sleep(for: .milliseconds(60))
            #expect(await rig.waiting() == 2)
            rig.time.advance(by: .milliseconds(1))
            for answer in try answers(clients) {
                #expect(answer.status == 503)
                #expect(try code(answer) == "service_unavailable")
                #expect(answer.text.contains("urn:fxgateway:problem:warming-up"))
                #expect(answer.field("retry-after") == "1")
            }
        }
    }

    @Test(
        "C124: the wait's limit is measured, whatever the wall clock does meanwhile",
        arguments: [Duration.seconds(-60), .seconds(60)])
    func limitWhileTheClockJumps(jump: Duration) async throws {
        try await GatewayRig.run { rig in
            let clients = try await park(2, in: rig)
            rig.time.jumpWall(by: jump)
            rig.time.advance(by: .milliseconds(4_999))
            try await Task.sleep(for: .milliseconds(60))
            #expect(await rig.waiting() == 2)
            rig.time.advance(by: .milliseconds(1))
            for answer in try answers(clients) {
                #expect(answer.status == 503)
                #expect(answer.field("retry-after") == "1")
            }
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let condition: RefreshCondition
        let type: String
        let wait: String
        var testDescription: String { type }
    }

    private static let soon = SampleTable.fetchedAt + .milliseconds(59_001)

    static let refusals = [
        Refusal(condition: .warmingUp(until: soon), type: "warming-up", wait: "60"),
        Refusal(condition: .failing(until: soon), type: "upstream-failed", wait: "60"),
        Refusal(condition: .cooldown(until: soon), type: "upstream-cooldown", wait: "60"),
        Refusal(condition: .paced(until: soon), type: "warming-up", wait: "60"),
        Refusal(condition: .quotaSpent(until: soon), type: "quota-exhausted", wait: "60"),
        Refusal(condition: .keyRejected(until: soon), type: "upstream-key-rejected", wait: "60"),
        Refusal(condition: .storeAway(until: soon), type: "store-unavailable", wait: "60"),
    ]

    @Test(
        "what can't get better within the limit is told at once, to those who wait too", arguments: refusals)
    func hopeless(refusal: Refusal) async throws {
        try await GatewayRig.run { rig in
            var all = try await park(1, in: rig)
            await rig.show(.latest(base: .usd), ResourceView(adopted: nil, condition: refusal.condition))
            let late = try rig.client()
            try late.send(GatewayRig.request(target))
            all.append(late)
            for answer in try answers(all) {
                #expect(answer.status == 503)
                #expect(answer.text.contains("urn:fxgateway:problem:\(refusal.type)\""))
                #expect(answer.field("retry-after") == refusal.wait)
                #expect(answer.field("cache-control") == "no-store")
                #expect(answer.field("cache-status") == nil)
                #expect(answer.field("content-type") == "application/problem+json")
            }
        }
    }

    @Test("a pause that ends within the limit is waited for")
    func hopeful() async throws {
        try await GatewayRig.run { rig in
            let clients = try await park(1, in: rig)
            let condition = RefreshCondition.failing(until: rig.time.wall + .seconds(1))
            await rig.show(.latest(base: .usd), ResourceView(adopted: nil, condition: condition))
            #expect(await rig.waiting() == 1)
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            #expect(try answers(clients).map(\.status) == [200])
        }
    }

    @Test("T2, C092: a client that leaves is forgotten; the fill goes on, and the others are answered")
    func leaving() async throws {
        try await GatewayRig.run { rig in
            let clients = try await park(4, in: rig)
            clients[0].close()
            clients[1].reset()
            for _ in 0..<500 where await rig.waiting() > 2 { try await Task.sleep(for: .milliseconds(2)) }
            #expect(await rig.waiting() == 2)
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            #expect(try answers(Array(clients[2...])).map(\.status) == [200, 200])
        }
    }

    @Test("with nothing held an unknown code waits like any cold one, and is refused once the table is there")
    func unknownWhileCold() async throws {
        try await GatewayRig.run { rig in
            let client = try rig.client()
            try client.send(GatewayRig.request("/v1/latest/QQQ"))
            await rig.waiting(atLeast: 1)
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            #expect(try answers([client]).map(\.status) == [422])
        }
    }

    @Test("only-if-cached never waits: 504 where nothing is held")
    func onlyIfCached() async throws {
        try await GatewayRig.run { rig in
            let cold = try rig.ask(target, fields: ["Cache-Control: max-age=0, only-if-cached"])
            #expect(cold.status == 504)
            #expect(rig.wants.isEmpty)
            await rig.hold(SampleTable.usd)
            let warm = try rig.ask(target, fields: ["Cache-Control: only-if-cached"])
            #expect(warm.status == 200)
        }
    }

    @Test("rates beyond their window are waited for anew, and served again once they come")
    func tooOld() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            rig.time.advance(by: .seconds(970))
            let daily = try rig.ask("/v1/latest?symbols=EUR,ISK")
            #expect(try JSONTree.parse(daily.body)["unavailable"] == .array([.string("EUR")]))
            let clients = try await park(1, in: rig)
            await rig.hold(SampleTable.usd, isOwnFetch: true, token: 2, fetchedAt: rig.time.wall)
            #expect(try answers(clients).map(\.status) == [200])
        }
    }

    @Test("pipelined requests behind a cold one are answered in order")
    func pipelined() async throws {
        try await GatewayRig.run { rig in
            let client = try rig.client()
            try client.send(
                GatewayRig.request(target) + GatewayRig.request("/healthz") + GatewayRig.request(target))
            await rig.waiting(atLeast: 1)
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            let answers = try client.answers(3).answers
            #expect(answers.map(\.status) == [200, 200, 200])
            #expect(answers[1].text == "ok\n")
            #expect(answers[2].field("cache-status") == "fxgateway; hit; ttl=70")
        }
    }

    @Test("an instance with a direct base answers those who wait for it from the pivot, if that comes first")
    func pivotFirst() async throws {
        try await GatewayRig.run(bases: [.usd, .eur]) { rig in
            let client = try rig.client()
            try client.send(GatewayRig.request("/v1/rate/EUR-GBP"))
            await rig.waiting(atLeast: 1)
            #expect(rig.wants.map(\.resource) == [.latest(base: .eur)])
            await rig.hold(SampleTable.usd, isOwnFetch: true)
            #expect(try answers([client]).map(\.status) == [200])
        }
    }

    private func code(_ answer: RawHTTPClient.Answer) throws -> String? {
        try JSONTree.parse(answer.body)["code"]?.string
    }
}
