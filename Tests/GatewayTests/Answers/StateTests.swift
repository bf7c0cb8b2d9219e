import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("States and headers", .timeLimit(.minutes(3)))
struct StateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let age: Int64
        let condition: RefreshCondition
        let state: String
        let status: String
        let reason: String?
        var testDescription: String { "\(state) at \(age) s, \(condition)" }
    }

    private static let later = SampleTable.fetchedAt + .seconds(3_600)

    @Test(
        "each state has its headers, its reason and the same max-age",
        arguments: [
            Row(age: 0, condition: .idle, state: "fresh", status: "hit; ttl=70", reason: nil),
            Row(age: 69, condition: .refreshing, state: "fresh", status: "hit; ttl=1", reason: nil),
            Row(
                age: 70, condition: .idle, state: "stale", status: "hit; ttl=0; detail=refreshing",
                reason: "refreshing"),
            Row(
                age: 85, condition: .refreshing, state: "stale", status: "hit; ttl=-15; detail=refreshing",
                reason: "refreshing"),
            Row(
                age: 85, condition: .failing(until: later), state: "stale",
                status: "hit; ttl=-15; detail=upstream_error", reason: "upstream_error"),
            Row(
                age: 85, condition: .cooldown(until: later), state: "stale",
                status: "hit; ttl=-15; detail=cooldown", reason: "cooldown"),
            Row(
                age: 85, condition: .paced(until: later), state: "stale",
                status: "hit; ttl=-15; detail=paced", reason: "paced"),
            Row(
                age: 85, condition: .quotaSpent(until: later), state: "stale",
                status: "hit; ttl=-15; detail=quota", reason: "quota"),
            Row(
                age: 85, condition: .keyRejected(until: later), state: "stale",
                status: "hit; ttl=-15; detail=key_rejected", reason: "key_rejected"),
            Row(
                age: 85, condition: .storeAway(until: later), state: "stale",
                status: "hit; ttl=-15; detail=store_down", reason: "store_down"),
            Row(
                age: 969, condition: .idle, state: "stale", status: "hit; ttl=-899; detail=refreshing",
                reason: "refreshing"),
        ])
    func states(row: Row) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd, condition: row.condition)
            rig.time.advance(by: .seconds(row.age))
            for target in ["/v1/latest?symbols=EUR", "/v1/rate/USD-EUR", "/v1/convert/USD/EUR/10"] {
                let answer = try rig.ask(target)
                #expect(answer.status == 200)
                #expect(answer.field("fx-state") == row.state)
                #expect(answer.field("age") == "\(row.age)")
                #expect(answer.field("cache-status") == "fxgateway; " + row.status)
                #expect(answer.field("cache-control")?.hasPrefix("private, max-age=70,") == true)
                let cache = try JSONTree.parse(answer.body)["cache"]
                #expect(cache?["state"] == .string(row.state))
                #expect(cache?["reason"] == row.reason.map { .string($0) })
                let hasCooldown = if case .cooldown = row.condition { true } else { false }
                #expect((answer.field("fx-cooldown-until") != nil) == hasCooldown)
            }
        }
    }

    @Test("a slow pace makes live rates stale after the stale window's length: paced, or the month's quota")
    func paced() async throws {
        // 139,907 s are the pace of a plan of 20 calls; the month ends 1,245,477 s after the fetch.
        for (interval, last, reason) in [
            (139_907, 139_906, "paced"), (2_796_928, 1_245_476, "quota"),
        ] as [(Int64, Int64, String)] {
            try await GatewayRig.run { rig in
                await rig.hold(SampleTable.usd, interval: .seconds(interval))
                for (seconds, state) in [(909, "fresh"), (910, "stale"), (last, "stale")] {
                    rig.time.advance(by: .seconds(seconds) - rig.time.elapsed)
                    let answer = try rig.ask("/v1/latest?symbols=EUR")
                    #expect(answer.status == 200 && answer.field("fx-state") == state, "\(seconds)")
                    #expect(answer.field("cache-control")?.hasPrefix("private, max-age=910,") == true)
                    let cache = try JSONTree.parse(answer.body)["cache"]
                    #expect(cache?["reason"] == (state == "stale" ? .string(reason) : nil), "\(seconds)")
                }
                // The interval is over, or another month's plan begins.
                rig.time.advance(by: .seconds(1))
                let next = try rig.ask("/v1/latest?symbols=EUR")
                let word = reason == "quota" ? "paced" : "refreshing"
                #expect(try JSONTree.parse(next.body)["cache"]?["reason"] == .string(word))
            }
        }
    }

    @Test("the state turns to the millisecond, also for a target that is known by heart")
    func bounds() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for _ in 0..<2 { #expect(try rig.ask("/v1/latest?symbols=EUR").field("fx-state") == "fresh") }
            rig.time.advance(by: .milliseconds(69_999))
            #expect(try rig.ask("/v1/latest?symbols=EUR").field("fx-state") == "fresh")
            rig.time.advance(by: .milliseconds(1))
            #expect(try rig.ask("/v1/latest?symbols=EUR").field("fx-state") == "stale")
            rig.time.advance(by: .milliseconds(899_999))
            #expect(try rig.ask("/v1/latest?symbols=EUR").field("fx-state") == "stale")
            rig.time.advance(by: .milliseconds(1))
            await rig.show(.latest(base: .usd), try #require(await rig.cooling()))
            let answer = try rig.ask("/v1/latest?symbols=EUR")
            #expect(answer.status == 503)
            #expect(answer.text.contains("rates-too-old"))
        }
    }

    @Test("a fix that hasn't come is late, with a negative ttl")
    func late() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            // Tuesday's fix is due at 14:00, with its grace until 14:30; it is 14:02:03 now.
            rig.time.advance(by: .seconds(27 * 60 + 56))
            #expect(try rig.ask("/v1/latest?symbols=ISK").field("fx-state") == "fresh")
            rig.time.advance(by: .seconds(31))
            let answer = try rig.ask("/v1/latest?symbols=ISK")
            #expect(answer.field("fx-state") == "late")
            #expect(answer.field("cache-status") == "fxgateway; hit; ttl=-30; detail=refreshing")
        }
    }

    @Test("C101, C103: a client that has it gets 304 with the same headers")
    func notModified() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let full = try rig.ask("/v1/latest?symbols=EUR")
            let tag = try #require(full.field("etag"))
            for value in [tag, "W/" + tag, "*", "\"x\", " + tag, "\"a,b\" ,W/" + tag + " , \"y\""] {
                let answer = try rig.ask("/v1/latest?symbols=EUR", fields: ["If-None-Match: " + value])
                #expect(answer.status == 304, "\(value)")
                #expect(answer.body.isEmpty)
                for name in [
                    "etag", "cache-control", "age", "last-modified", "cache-status", "fx-source", "fx-state",
                    "fx-snapshot", "fx-next-refresh", "fx-market-session",
                ] {
                    #expect(answer.field(name) == full.field(name), "\(name)")
                }
                #expect(answer.field("date") != nil)
                #expect(answer.field("content-length") == nil)
            }
            let twice = ["If-None-Match: \"x\"", "If-None-Match: " + tag]
            #expect(try rig.ask("/v1/latest?symbols=EUR", fields: twice).status == 304)
            for value in ["\"x\"", tag.replacing("\"", with: ""), "W/\"x\"", "*, " + tag, ""] {
                let answer = try rig.ask("/v1/latest?symbols=EUR", fields: ["If-None-Match: " + value])
                #expect(answer.status == 200, "\(value)")
            }
        }
    }

    @Test("C105, C111, C112: no client header changes an answer")
    func strangeHeaders() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let plain = try rig.ask("/v1/latest")
            for field in [
                "Accept-Encoding: gzip", "Accept-Encoding: gzip;q=0", "Accept-Encoding: *;q=0",
                "X-Forwarded-Host: evil.test", "X-Forwarded-For: 1.2.3.4", "X-Original-URL: /other",
                "Authorization: Bearer exr_live_TEST", "X-API-Key: FXKEY-TEST-123", "Cache-Control: no-cache",
                "Pragma: no-cache", "Accept: text/html",
            ] {
                let answer = try rig.ask("/v1/latest", fields: [field])
                #expect(answer.body == plain.body)
                #expect(answer.field("content-encoding") == nil)
                #expect(answer.field("vary") == nil)
            }
        }
    }

    @Test("use is told: asked once a minute, stale four times a second, whatever the crowd")
    func demand() async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            for _ in 0..<20 { _ = try rig.ask("/v1/latest?symbols=EUR") }
            #expect(rig.demands == [.asked])
            rig.time.advance(by: .seconds(80))
            for _ in 0..<20 { _ = try rig.ask("/v1/latest?symbols=EUR") }
            #expect(rig.demands == [.asked, .stale])
            rig.time.advance(by: .milliseconds(250))
            _ = try rig.ask("/v1/rate/USD-EUR")
            #expect(rig.demands == [.asked, .stale, .stale])
        }
    }

    @Test("visibility is the operator's")
    func visibility() async throws {
        try await GatewayRig.run(visibility: .public) { rig in
            await rig.hold(SampleTable.usd)
            let answer = try rig.ask("/v1/latest")
            #expect(answer.field("cache-control")?.hasPrefix("public, max-age=") == true)
        }
    }
}

extension GatewayRig {
    /// The usual table, fetched when the clocks began, in a cooldown.
    func cooling() async -> ResourceView? {
        let adopted = Adopted(
            SampleTable.snapshot(SampleTable.usd), storeNow: time.wall, arrived: time.source.now())
        return ResourceView(adopted: adopted, condition: .cooldown(until: time.wall + .seconds(120)))
    }
}
