import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Answers from past snapshots", .timeLimit(.minutes(3)))
struct PinnedTests {
    /// Tuesday's table, kept by the store a week ago; then a newer one, which is held.
    struct Week {
        let rig: GatewayRig
        let old: RateSnapshot
        let new: RateSnapshot
        /// What the old one answered when it was the newest.
        let then: [String: JSONTree]

        /// Asks, and expects a status.
        func expect(
            _ target: String, _ status: Int, method: String = "GET", fields: [String] = [],
            body: String? = nil, _ location: SourceLocation = #_sourceLocation
        ) throws {
            let answer = try rig.ask(target, method: method, fields: fields, body: body)
            #expect(answer.status == status, "\(target): \(answer.text)", sourceLocation: location)
        }
    }

    static let newRates = SampleTable.table(
        "USD",
        [
            SampleTable.live("EUR", "0.91234"), SampleTable.live("GBP", "0.7"),
            SampleTable.live("JPY", "151"), SampleTable.live("ISK", "120.1"),
        ])
    static let targets = [
        "/v1/latest", "/v1/latest/EUR?symbols=GBP,ISK", "/v1/rate/EUR-JPY",
        "/v1/convert/EUR/JPY/19.99?rounding=down", "/v1/convert/USD/ISK/7?numbers=string",
    ]
    private static let batch = #"{"from":"EUR","pairs":[["JPY",120],["ISK","45.10"],["USD",1]]}"#

    static func run(
        bases: [Currency] = [.usd], after: Duration = .seconds(7 * 86_400 - 1),
        _ body: (Week) async throws -> Void
    ) async throws {
        try await GatewayRig.run(bases: bases) { rig in
            let old = SampleTable.snapshot(SampleTable.usd)
            try await rig.archive.keep(old)
            await rig.hold(SampleTable.usd)
            var then: [String: JSONTree] = [:]
            for target in targets { then[target] = try JSONTree.parse(rig.ask(target).body) }
            then["POST"] = try JSONTree.parse(rig.ask("/v1/convert", method: "POST", body: batch).body)
            rig.time.advance(by: after)
            let new = SampleTable.snapshot(newRates, token: 2, fetchedAt: rig.time.wall)
            try await rig.archive.keep(new)
            await rig.hold(newRates, token: 2, fetchedAt: rig.time.wall)
            try await body(Week(rig: rig, old: old, new: new, then: then))
        }
    }

    static func pinned(_ target: String, _ pin: String) -> String {
        target + (target.contains("?") ? "&" : "?") + pin
    }

    /// The members that are computed from the table, as texts.
    private static func figures(_ body: JSONTree) -> [String] {
        [
            "rates", "rate", "amount", "converted", "result_unrounded", "rounding", "derived",
            "derivation_bps_max",
            "source", "sources", "effective_at", "data_updated_at", "conversions", "snapshot",
        ].compactMap { name in body[name].map { "\(name) \($0)" } }
    }

    @Test(
        "what was answered a week ago is answered again to the digit, by id and by instant",
        arguments: ["snapshot", "as_of", "as_of day"])
    func replay(how: String) async throws {
        try await Self.run { week in
            let pin =
                switch how {
                case "snapshot": "snapshot=\(week.old.id)"
                case "as_of": "as_of=\(week.old.fetchedAt.rfc3339)"
                default: "as_of=2026-06-16"
                }
            for target in Self.targets {
                let answer = try week.rig.ask(Self.pinned(target, pin))
                #expect(answer.status == 200, "\(target): \(answer.text)")
                let body = try JSONTree.parse(answer.body)
                let then = try #require(week.then[target])
                #expect(Self.figures(body) == Self.figures(then), "\(target)")
                #expect(body["cache"]?["state"] == .string("pinned"))
                #expect(body["cache"]?["snapshot"] == .string(week.old.id.text))
                #expect(body["cache"]?["fetched_at"] == then["cache"]?["fetched_at"])
                #expect(body["cache"]?["legs"] == then["cache"]?["legs"])
                #expect(body["cache"]?["fresh_until"] == nil)
                #expect(answer.field("fx-snapshot") == week.old.id.text)
                #expect(answer.field("fx-state") == "pinned")
                // Without the pin it is another answer.
                #expect(Self.figures(try JSONTree.parse(week.rig.ask(target).body)) != Self.figures(then))
            }
            let answer = try week.rig.ask("/v1/convert?\(pin)", method: "POST", body: Self.batch)
            let then = try #require(week.then["POST"])
            #expect(Self.figures(try JSONTree.parse(answer.body)) == Self.figures(then))
        }
    }

    @Test("each conversion of a batch is a receipt of its own: what it was divided from is in it")
    func receipts() async throws {
        try await Self.run { week in
            let answer = try week.rig.ask(
                "/v1/convert?snapshot=\(week.old.id)&numbers=string", method: "POST", body: Self.batch)
            let body = try JSONTree.parse(answer.body)
            let items = try #require(body["conversions"]?.elements)
            #expect(
                items.map { $0["legs"]?.members?.map(\.name) } == [["EUR", "JPY"], ["EUR", "ISK"], ["EUR"]])
            #expect(items[0]["legs"]?["JPY"] == .string("149.985"))
            #expect(items[0]["result_unrounded"]?.string?.hasPrefix("21121.17727134039007674") == true)
            #expect(items[0]["converted"] == .string("21121"))
            #expect(body["rounding"] == .string("half_even"))
            #expect(body["snapshot"] == .string(week.old.id.text))
        }
    }

    @Test("by its id it never changes, and caches may know; by an instant it is looked for again")
    func fields() async throws {
        try await Self.run { week in
            let target = "/v1/latest?symbols=EUR&snapshot=\(week.old.id)"
            let answer = try week.rig.ask(target)
            #expect(answer.field("cache-control") == "private, max-age=31536000, immutable")
            #expect(answer.field("cache-status") == "fxgateway; hit; detail=pinned")
            #expect(answer.field("age") == nil)
            #expect(answer.field("fx-next-refresh") == nil)
            #expect(answer.field("last-modified") == "Tue, 16 Jun 2026 14:01:51 GMT")
            let etag = try #require(answer.field("etag"))
            #expect(etag.hasPrefix("\""))
            let known = try week.rig.ask(target, fields: ["If-None-Match: W/\(etag)"])
            #expect(known.status == 304 && known.body.isEmpty && known.field("etag") == etag)
            #expect(known.field("cache-control") == "private, max-age=31536000, immutable")
            let head = try week.rig.ask(target, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty && head.field("etag") == etag)
            #expect(head.field("content-length") == String(answer.body.count))
            let instant = try week.rig.ask("/v1/latest?symbols=EUR&as_of=\(week.old.fetchedAt.rfc3339)")
            #expect(instant.field("cache-control") == "private, no-cache")
            #expect(instant.body == answer.body && instant.field("etag") == etag)
        }
    }

    @Test("the table of a snapshot is there under its id: all of it, or the symbols asked for")
    func table() async throws {
        try await Self.run { week in
            let path = "/v1/snapshots/\(week.old.id)"
            let answer = try week.rig.ask(path)
            #expect(answer.status == 200)
            let body = try JSONTree.parse(answer.body)
            #expect(body["rates"] == week.then["/v1/latest"]?["rates"])
            #expect(body["base"] == .string("USD"))
            #expect(body["effective_at"] == week.then["/v1/latest"]?["effective_at"])
            #expect(answer.field("cache-control") == "private, max-age=31536000, immutable")
            let some = try JSONTree.parse(week.rig.ask("\(path)?symbols=ISK,QQQ&numbers=string").body)
            #expect(some["rates"] == .object([.init("ISK", .string("122.38"))]))
            #expect(some["unavailable"] == .array([.string("QQQ")]))
            let etag = try #require(answer.field("etag"))
            try week.expect(path, 304, fields: ["If-None-Match: \(etag)"])
            #expect(try week.rig.ask(path, method: "HEAD").field("etag") == etag)
            try week.expect(path, 405, method: "POST")
            try week.expect("\(path)?symbols=QQQ", 422)
        }
    }

    @Test("a snapshot that is kept no more is 410, to the millisecond, and a malformed id is 400")
    func gone() async throws {
        // A live table is kept for seven days.
        for (late, status) in [(-1, 200), (0, 410)] {
            try await Self.run(after: .seconds(7 * 86_400) + .milliseconds(late)) { week in
                for target in ["/v1/snapshots/\(week.old.id)", "/v1/rate/USD-EUR?snapshot=\(week.old.id)"] {
                    let answer = try week.rig.ask(target)
                    #expect(answer.status == status, "\(target)")
                    guard status == 410 else { continue }
                    #expect(answer.text.contains("urn:fxgateway:problem:gone"))
                    #expect(answer.field("cache-control") == "no-store")
                }
                let instant = try week.rig.ask("/v1/latest?as_of=\(week.old.fetchedAt.rfc3339)")
                #expect(instant.status == status)
            }
        }
        try await Self.run { week in
            // What was found once is in memory; its time is over there too.
            try week.expect("/v1/snapshots/\(week.old.id)", 200)
            week.rig.time.advance(by: .milliseconds(999))
            try week.expect("/v1/snapshots/\(week.old.id)", 200)
            #expect(week.rig.archive.asked.count == 1)
            week.rig.time.advance(by: .milliseconds(1))
            try week.expect("/v1/snapshots/\(week.old.id)", 410)
            for id in [
                "01J0F3ZK7Q-7f3a9c2", "01J0F3ZK7Q-7F3A9C2E", "01j0f3zk7q-7f3a9c2e", "x", "latest", "%00",
            ] {
                for target in ["/v1/snapshots/\(id)", "/v1/latest?snapshot=\(id)"] {
                    try week.expect(target, 400)
                }
            }
            try week.expect("/v1/snapshots/01J0F3ZK7Q-7f3a9c2e", 410)
        }
    }

    @Test("an instant has to be over, and one, and to the point")
    func instants() async throws {
        try await Self.run { week in
            let rig = week.rig
            let now = rig.time.wall
            let edge = now + .seconds(5)
            func text(_ instant: UnixMilliseconds) -> String {
                let fraction = String(1_000 + instant.value % 1_000).dropFirst()
                return "\(instant.rfc3339.dropLast()).\(fraction)Z"
            }
            func snapshot(_ asOf: String) throws -> String? {
                let answer = try rig.ask("/v1/latest?symbols=EUR&as_of=\(asOf)")
                return answer.status == 200 ? answer.field("fx-snapshot") : "\(answer.status)"
            }
            #expect(try snapshot(text(edge)) == week.new.id.text)
            #expect(try snapshot(text(edge + .milliseconds(1))) == "400")
            #expect(try snapshot(text(now)) == week.new.id.text)
            #expect(try snapshot(text(now + .milliseconds(-1))) == week.old.id.text)
            #expect(try snapshot(text(week.old.fetchedAt)) == week.old.id.text)
            #expect(try snapshot(text(week.old.fetchedAt + .milliseconds(-1))) == "410")
            // The second and the day that are named belong to the instant, to their ends; the zone counts.
            #expect(try snapshot(week.old.fetchedAt.rfc3339) == week.old.id.text)
            #expect(try snapshot("2026-06-16T16:02:03%2B02:00") == week.old.id.text)
            #expect(try snapshot("2026-06-16T16:02:02+02:00") == "410")
            #expect(try snapshot("2026-06-16") == week.old.id.text)
            #expect(try snapshot("2026-06-15") == "410")
            #expect(try snapshot("2026-06-23") == "400")
            for text in [
                "", "now", "2026-06-16T14:02:03", "2026-02-30", "1781618523", "2026-06-16%2014:02:03Z",
            ] {
                let answer = try rig.ask("/v1/rate/USD-EUR?as_of=\(text)")
                #expect(answer.status == 400 && answer.text.contains("bad_date"), "\(text)")
            }
        }
    }

    @Test("on_stale=serve is what holds anyway, so it contradicts nothing")
    func staleServed() async throws {
        try await Self.run { week in
            let answer = try week.rig.ask("/v1/latest?snapshot=01J0F3ZK7Q-7f3a9c2e&on_stale=serve")
            #expect(answer.status == 410)
        }
    }

    @Test(
        "what contradicts itself is refused",
        arguments: [
            "snapshot=01J0F3ZK7Q-7f3a9c2e&as_of=2026-06-16", "snapshot=01J0F3ZK7Q-7f3a9c2e&max_data_age=1h",
            "as_of=2026-06-16&on_stale=reject", "as_of=2026-06-16&sources=live",
            "as_of=2026-06-16&as_of=2026-06-16",
        ])
    func contradictions(query: String) async throws {
        try await Self.run { week in
            for path in ["/v1/latest", "/v1/rate/USD-EUR", "/v1/convert/USD/EUR/1"] {
                let answer = try week.rig.ask("\(path)?\(query)")
                #expect(answer.status == 400)
            }
            #expect(week.rig.archive.asked.isEmpty)
        }
    }

    @Test("what the old table doesn't have is refused by it, whatever the newest one has")
    func codes() async throws {
        try await Self.run { week in
            let pin = "snapshot=\(week.new.id)"
            try week.expect("/v1/rate/USD-RON?\(pin)", 422)
            try week.expect("/v1/rate/USD-RON?snapshot=\(week.old.id)", 200)
            try week.expect("/v1/latest/RON?\(pin)", 422)
            let batch = #"{"from":"USD","pairs":[["EUR",1],["RON",1]]}"#
            try week.expect("/v1/convert?\(pin)", 422, method: "POST", body: batch)
            try week.expect("/v1/convert?\(pin)", 400, method: "POST", body: "{")
        }
    }

    @Test("by an instant a direct base answers from its own table of that time, else from the pivot's")
    func directBase() async throws {
        try await Self.run(bases: [.usd, .eur]) { week in
            let pivot = try week.rig.ask("/v1/rate/EUR-GBP?as_of=2026-06-16")
            #expect(pivot.field("fx-snapshot") == week.old.id.text)
            let euro = SampleTable.snapshot(
                SampleTable.table("EUR", [SampleTable.live("GBP", "0.8671")]), token: 3,
                fetchedAt: week.old.fetchedAt + .seconds(60), digest: [9, 9, 9, 9])
            try await week.rig.archive.keep(euro)
            let own = try week.rig.ask("/v1/rate/EUR-GBP?as_of=2026-06-16")
            #expect(own.field("fx-snapshot") == euro.id.text)
            #expect(own.text.contains("\"rate\":0.8671,"))
            try week.expect("/v1/rate/GBP-USD?snapshot=\(euro.id)", 422)
        }
    }

    @Test("a value that the table had kept from before is listed, as it was")
    func keptValues() async throws {
        try await GatewayRig.run { rig in
            let kept = SymbolRate(
                currency: .sample("GBP"), rate: SampleTable.rate("0.7"), source: .live,
                effectiveAt: SampleTable.fixTime, kept: .missing)
            let table = SampleTable.table("USD", [SampleTable.live("EUR", "0.85214"), kept])
            let snapshot = SampleTable.snapshot(table)
            try await rig.archive.keep(snapshot)
            let body = try JSONTree.parse(rig.ask("/v1/snapshots/\(snapshot.id)").body)
            #expect(body["stale_symbols"] == .array([.string("GBP")]))
            #expect(body["effective_at"]?["GBP"] == .string(SampleTable.fixTime.text))
            #expect(body["cache"]?["state"] == .string("pinned"))
        }
    }
}
