import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    /// The programs of Examples/ at a running gateway.
    @Suite("The examples", .timeLimit(.minutes(2)))
    struct Examples {
        /// Runs one of the programs built here and gives its exit status and what it wrote.
        private static func run(
            _ name: String, _ arguments: [String], input: String = "", directory: String
        ) async throws -> (status: Int32?, text: String) {
            let folder = URL(fileURLWithPath: try GatewayProcess.executable()).deletingLastPathComponent()
                .path
            let output = URL(fileURLWithPath: "\(directory)/\(name)-\(UInt64.random(in: 0...UInt64.max)).log")
            let process = try ChildProcess(
                "/bin/sh", ["-c", "printf \"$0\" | \"$@\"", input, "\(folder)/\(name)"] + arguments,
                output: output)
            defer { process.stop() }
            _ = await eventually(within: .seconds(30)) { process.status != nil }
            return (process.status, process.text)
        }

        @Test("the daily report appends each day once, and a stale rate as such and again once it is fresh")
        func dailyReport() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 1 }) { fleet in
                try #require(await fleet.isWarm())
                let file = "\(fleet.directory)/rates.csv"
                let arguments = [
                    "--gateway", "http://127.0.0.1:\(fleet.gateways[0].port)", "--base", "EUR", "--symbols",
                    "USD,JPY",
                    "--file", file, "--day",
                ]
                func report(_ day: String) async throws -> (status: Int32?, text: String) {
                    try await Self.run("DailyReport", arguments + [day], directory: fleet.directory)
                }
                let first = try await report("2026-06-16")
                #expect(first.status == 0, "\(first.text)")
                let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                #expect(rows.count == 3 && rows[1].hasPrefix("2026-06-16,EUR,USD,"))
                #expect(rows[1].contains(",live,") && rows[1].contains(",fresh,,"))
                #expect(try await report("2026-06-16").status == 0)
                #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") == rows)
                #expect(try await report("2026-06-17").status == 0)
                let both = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                #expect(both.count == 5 && Array(both.prefix(3)) == rows)

                // A stale row of an earlier run doesn't stand in the way of a fresh one.
                let old = "2026-06-18,EUR,USD,1.1,live,,stale,cooldown,\n"
                let handle = try #require(FileHandle(forWritingAtPath: file))
                try handle.seekToEnd()
                try handle.write(contentsOf: Data(old.utf8))
                try handle.close()
                #expect(try await report("2026-06-18").status == 0)
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(text.contains(old) && text.matches(of: /\n2026-06-18,EUR,USD/).count == 2)

                // Without upstream rates grow stale within seconds: stored as such, and said.
                fleet.simulator.script(.status(503, times: 1_000))
                let isStale = try await eventually(within: .seconds(20)) {
                    let answer = try await fleet.gateways[0].ask("GET", "/v1/rate/EUR-USD")
                    return answer.text.contains(#""state":"stale""#)
                }
                try #require(isStale)
                let last = try await report("2026-06-19")
                #expect(last.status == 3 && last.text.contains("NOT FRESH"), "\(last.text)")
                #expect(try await report("2026-06-19").status == 3)
                let end = try String(contentsOfFile: file, encoding: .utf8)
                #expect(end.matches(of: /\n2026-06-19,EUR,USD,[0-9.]+,live,[^,]+,stale,/).count == 1)
            }
        }

        @Test("the price service converts by the stream, to the digit, and refuses what is no amount")
        func priceService() async throws {
            try await FleetTests.run(
                FleetOptions {
                    $0.gateways = 1
                    $0.upstream.mode = .ecb
                }
            ) { fleet in
                try #require(await fleet.isWarm())
                let gateway = fleet.gateways[0]
                let answer = try await gateway.ask("GET", "/v1/convert/EUR/USD/19.99")
                let exact = try #require(answer.text.firstMatch(of: /"result_unrounded":([0-9.]+)/)?.output.1)
                let rounded = try #require(answer.text.firstMatch(of: /"converted":([0-9.]+)/)?.output.1)
                let done = try await Self.run(
                    "PriceService", ["--gateway", "http://127.0.0.1:\(gateway.port)", "--base", "EUR"],
                    input: "19.99 USD\\n1,5 USD\\n1 QQQ\\n", directory: fleet.directory)
                #expect(done.status == 0)
                let lines = done.text.split(separator: "\n")
                #expect(
                    lines.first?.hasPrefix("19.99 EUR = \(rounded) USD (exact \(exact), fresh until ")
                        == true, "\(done.text)")
                #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("refused: ") } && lines.count == 3)
            }
        }

        @Test("each tells how it is used", arguments: ["DailyReport", "PriceService"])
        func help(name: String) async throws {
            let done = try await Self.run(name, ["--help"], directory: NSTemporaryDirectory())
            #expect(done.status == 0 && done.text.hasPrefix("Usage: \(name) "))
            #expect(try await Self.run(name, ["--nonsense"], directory: NSTemporaryDirectory()).status == 64)
        }
    }
}
