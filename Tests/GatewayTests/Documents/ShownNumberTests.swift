import Foundation
import TestSupport
import Testing

@testable import CacheLayer
@testable import UpstreamSimulator

/// The digits on the pages: the running fleet shows another day, so these are held against the day they are of.
@Suite("Numbers that the documents show", .timeLimit(.minutes(3)))
struct ShownNumberTests {
    @Test("rates in the README are the simulator's of the moment that stands beside them")
    func rates() async throws {
        var checked = 0
        for shown in try ShownCommand.all(of: "README.md") where shown.answer.hasPrefix("{") {
            let answer = ShownText.compact(shown.answer)
            let stamp = try #require(answer.firstMatch(of: #/"timestamp":"([^"]+)"/#)).output.1
            let table = try await Self.table(at: String(stamp))
            for number in answer.matches(of: #/"([A-Z]{3})":([0-9.]+)/#) {
                let code = try #require(Currency(number.output.1))
                #expect(try #require(table.entry(of: code)).rate.text == String(number.output.2))
                checked += 1
            }
            guard let pair = answer.firstMatch(of: #/"base":"(\w+)","quote":"(\w+)","rate":([0-9.]+)/#) else {
                continue
            }
            let base = try #require(Currency(pair.output.1))
            let quote = try PairQuote(base, try #require(Currency(pair.output.2)), in: table)
            #expect(quote.rate.text == String(pair.output.3))
            let bound = answer.firstMatch(of: #/"derivation_bps_max":([0-9.]+)/#)?.output.1
            #expect(quote.derivationBpsMax?.description == bound.map(String.init))
            checked += 1
        }
        #expect(checked >= 6)
    }

    /// What the simulator's table of the euro says at a moment.
    private static func table(at stamp: String) async throws -> RateTable {
        var configuration = SimulatorConfiguration()
        let clock = try #require(SimulatedTime(parsing: stamp))
        configuration.clock = clock
        configuration.isFrozen = true
        let simulator = try Simulator(configuration: configuration)
        try simulator.start()
        let client = try RawHTTPClient(port: UInt16(simulator.port))
        let answer = try client.exchange("GET /v1/latest/EUR HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.close()
        await simulator.stop()
        let now = try #require(ISO8601DateFormatter().date(from: stamp))
        return try Ingest.table(
            from: answer.body, status: 200, contentType: "application/json",
            expecting: try #require(Currency("EUR")), held: nil,
            storeNow: UnixMilliseconds(Int64(now.timeIntervalSince1970) * 1_000)
        ).table
    }
}
