import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("Replayed answers of real processes")
    struct Replay {
        private static let conversion = "/v1/convert/USD/JPY/19.99?rounding=down"

        /// A body's member as it stands there, byte for byte.
        private static func member(_ name: String, of text: String) -> String? {
            guard let start = text.range(of: "\"\(name)\":") else { return nil }
            let rest = text[start.upperBound...]
            return String(rest.first == "{" ? rest.prefix { $0 != "}" } : rest.prefix { $0 != "," })
        }

        private static func expectReplay(
            of table: RawHTTPClient.Answer, _ converted: RawHTTPClient.Answer, on gateway: GatewayProcess,
            _ pin: String, _ location: SourceLocation = #_sourceLocation
        ) async throws {
            let again = try await gateway.ask("GET", "/v1/latest?base=EUR&\(pin)")
            #expect(again.status == 200, "\(gateway.name): \(again.text)", sourceLocation: location)
            #expect(
                member("rates", of: again.text) == member("rates", of: table.text), "\(gateway.name)",
                sourceLocation: location)
            #expect(again.field("fx-snapshot") == table.field("fx-snapshot"), sourceLocation: location)
            let result = try await gateway.ask("GET", "\(conversion)&\(pin)")
            for name in ["rate", "converted", "result_unrounded", "legs", "rounding", "snapshot"] {
                #expect(
                    member(name, of: result.text) == member(name, of: converted.text), "\(name)",
                    sourceLocation: location)
            }
        }

        @Test(
            "the table and the result of an answer come again to the byte: later, from others, after restarts",
            .timeLimit(.minutes(3)))
        func replay() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 2 }) { fleet in
                try #require(await fleet.isWarm())
                // Both from one snapshot: asked for again if a newer one has come in between.
                var table = try await fleet.gateways[0].ask("GET", "/v1/latest?base=EUR")
                var converted = try await fleet.gateways[0].ask("GET", Self.conversion)
                while converted.field("fx-snapshot") != table.field("fx-snapshot") {
                    table = try await fleet.gateways[0].ask("GET", "/v1/latest?base=EUR")
                    converted = try await fleet.gateways[0].ask("GET", Self.conversion)
                }
                let id = try #require(table.field("fx-snapshot"))
                let fetchedAt = try #require(Self.member("fetched_at", of: table.text)?.filter { $0 != "\"" })
                var rates = Self.member("rates", of: table.text)
                let isOver = try await eventually(within: .seconds(15), step: .milliseconds(50)) {
                    let answer = try await fleet.gateways[0].ask("GET", "/v1/latest?base=EUR")
                    rates = Self.member("rates", of: answer.text)
                    return try #require(answer.field("fx-snapshot")) > id
                        && rates != Self.member("rates", of: table.text)
                }
                #expect(isOver, "no newer snapshot with other rates has come")
                let calls = fleet.calls
                for gateway in fleet.gateways {
                    for pin in ["snapshot=\(id)", "as_of=\(fetchedAt)"] {
                        try await Self.expectReplay(of: table, converted, on: gateway, pin)
                    }
                    let whole = try await gateway.ask("GET", "/v1/snapshots/\(id)")
                    #expect(Self.member("rates", of: whole.text) == Self.member("rates", of: table.text))
                    #expect(whole.field("cache-control") == "private, max-age=31536000, immutable")
                    #expect(
                        try await gateway.metric("fxgateway_archive_lookups_total{outcome=\"store\"}") ?? 0
                            >= 1)
                }
                for gateway in fleet.gateways { _ = try await gateway.end(by: SIGTERM, within: .seconds(10)) }
                let started = try await fleet.add()[0]
                for pin in ["snapshot=\(id)", "as_of=\(fetchedAt)"] {
                    try await Self.expectReplay(of: table, converted, on: started, pin)
                }
                // A refresh goes on at its own pace; what was asked for again is no reason for a call.
                #expect(fleet.calls - calls <= 8)
                let away = try await started.ask("GET", "/v1/snapshots/01J0F3ZK7Q-7f3a9c2e")
                #expect(away.status == 410)
                fleet.redis.stop()
                let isAway = try await eventually(within: .seconds(5)) {
                    try await started.ask("GET", "/v1/snapshots/01J0F3ZK7Q-7f3a9c2e").status == 503
                }
                #expect(isAway)
            }
        }

        @Test(
            "the kept snapshots take no more bytes than they may, whoever adds to them",
            .timeLimit(.minutes(3)))
        func room() async throws {
            let options = FleetOptions { options in
                options.gateways = 2
                options.environment["FXGW_ARCHIVE_BYTES"] = "16KiB"
                options.environment["FXGW_LIVE_TTL"] = "1s"
            }
            try await FleetTests.run(options) { fleet in
                try #require(await fleet.isWarm())
                let isFull = try await eventually(within: .seconds(20), step: .milliseconds(100)) {
                    for gateway in fleet.gateways { _ = try await gateway.ask("GET", "/v1/latest?base=EUR") }
                    let dropped = try await fleet.gateways.asyncSum("fxgateway_archive_dropped_total")
                    return dropped >= 2
                }
                #expect(isFull)
                let session = try fleet.redis.session()
                var bytes = 0
                for key in try fleet.keys() where key.key.hasPrefix("archive:") {
                    bytes += Int(try session.send(["HSTRLEN", fleet.prefix + key.key, "body"])) ?? 0
                    #expect(key.value > 0)
                }
                #expect(bytes > 8 << 10 && bytes <= 16 << 10)
                for (key, left) in try fleet.keys() where key.hasPrefix("archive") {
                    #expect(left > 0, "\(key)")
                }
            }
        }
    }
}

extension [GatewayProcess] {
    fileprivate func asyncSum(_ name: String) async throws -> Double {
        var sum = 0.0
        for gateway in self { sum += try await gateway.metric(name) ?? 0 }
        return sum
    }
}
