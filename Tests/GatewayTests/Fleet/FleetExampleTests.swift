import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    /// The programs of Examples/ at a running gateway.
    @Suite("The examples", .timeLimit(.minutes(4)))
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
                func report(
                    _ name: String, _ more: String...
                ) async throws -> (status: Int32?, text: String, rows: [Substring]) {
                    let file = "\(fleet.directory)/\(name).csv"
                    let arguments = ["--gateway", "http://127.0.0.1:\(fleet.gateways[0].port)"]
                    let done = try await Self.run(
                        "DailyReport", arguments + ["--file", file, "--symbols", "USD,JPY,USD"] + more,
                        directory: fleet.directory)
                    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                    return (done.status, done.text, text.split(separator: "\n"))
                }
                let first = try await report("rates")
                #expect(first.status == 0, "\(first.text)")
                try #require(first.rows.count == 3)
                let today = String(first.rows[1].prefix(10))
                #expect(first.rows[1].hasPrefix("\(today),EUR,USD,") && first.rows[1].contains(",live,"))
                #expect(first.rows[1].contains(",fresh,,"))
                let second = try await report("rates", "--day", today)
                #expect(second.status == 0 && second.rows == first.rows)

                // A past day has rates of its own; on a Saturday those of the Friday before.
                let answer = try await fleet.gateways[0].ask("GET", "/v1/2024-06-14/EUR?symbols=USD")
                let fix = try #require(answer.text.firstMatch(of: /"USD":([0-9.]+)/)?.output.1)
                for day in ["2024-06-14", "2024-06-15"] {
                    let past = try await report("rates", "--day", day)
                    #expect(past.status == 0, "\(past.text)")
                    #expect(
                        past.rows.count { $0.hasPrefix("\(day),EUR,USD,\(fix),ecb_daily,2024-06-14T") } == 1,
                        "\(past.rows)")
                }
                #expect(try await report("rates", "--day", "2024-06-14").rows.count == 7)

                // Nothing is stored under a day to come, and none is asked for what is no code.
                let future = try await report("none", "--day", "9999-12-31")
                #expect(future.status == 64 && future.text.contains("9999-12-31") && future.rows.isEmpty)
                let nothing = try await report("none", "--symbols", ",")
                #expect(nothing.status == 64 && nothing.text.contains("--symbols \",\""))
                let wrong = try await report("none", "--symbols", "U$D")
                #expect(wrong.status == 64 && wrong.text.contains("U$D") && wrong.rows.isEmpty)
                #expect(try await report("no/such/folder").status == 74)

                // A stale row of an earlier run doesn't stand in the way of a fresh one.
                let old = "\(today),EUR,USD,1.1,live,,stale,cooldown,"
                try "\(first.rows[0])\n\(old)\n".write(
                    toFile: "\(fleet.directory)/old.csv", atomically: true, encoding: .utf8)
                let renewed = try await report("old")
                #expect(renewed.status == 0 && renewed.rows.count == 4 && renewed.rows[1] == old)
                #expect(renewed.rows[2].hasPrefix("\(today),EUR,USD,"))

                // Without upstream rates grow stale within seconds: stored as such, and said.
                fleet.simulator.script(.status(503, times: 1_000))
                let isStale = try await eventually(within: .seconds(20)) {
                    let answer = try await fleet.gateways[0].ask("GET", "/v1/rate/EUR-USD")
                    return answer.text.contains(#""state":"stale""#)
                }
                try #require(isStale)
                let last = try await report("stale")
                #expect(last.status == 3 && last.text.contains("NOT FRESH"), "\(last.text)")
                let end = try await report("stale")
                #expect(end.status == 3 && end.rows == last.rows)
                #expect(
                    end.rows.count { $0.contains(/^[-0-9]+,EUR,USD,[0-9.]+,live,[^,]+,stale,/) } == 1)
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
                let yen = try await gateway.ask("GET", "/v1/convert/EUR/JPY/19.99")
                let whole = try #require(yen.text.firstMatch(of: /"converted":([0-9]+)[,}]/)?.output.1)
                let done = try await Self.run(
                    "PriceService", ["--gateway", "http://127.0.0.1:\(gateway.port)", "--base", "EUR"],
                    input: "19.99 USD\\n19.99 JPY\\n1,5 USD\\n1 QQQ\\n", directory: fleet.directory)
                #expect(done.status == 0)
                let lines = done.text.split(separator: "\n")
                #expect(
                    lines.first?.hasPrefix("19.99 EUR = \(rounded) USD (exact \(exact), fresh until ")
                        == true, "\(done.text)")
                try #require(lines.count == 4)
                #expect(lines[1].hasPrefix("19.99 EUR = \(whole) JPY (exact "), "\(done.text)")
                #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("refused: ") })
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
