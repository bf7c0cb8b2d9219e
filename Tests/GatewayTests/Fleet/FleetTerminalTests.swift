import Foundation
import TestSupport
import Testing
import UpstreamSimulator

@testable import FXGateway

extension FleetTests {
    /// The commands as people and scripts run them: at a terminal of their own (by `script`), and in a pipe.
    @Suite("Commands at a terminal", .timeLimit(.minutes(4)))
    struct Terminals {
        private static let escape = "\u{1B}"

        /// Runs a line of the shell, at a terminal or not; standard output and error come together.
        private func run(
            _ line: String, atTerminal isTerminal: Bool, _ environment: String = "TERM=xterm",
            within limit: Duration = .seconds(30)
        ) async throws -> (status: Int32?, text: String) {
            let program = URL(fileURLWithPath: try GatewayProcess.executable()).deletingLastPathComponent()
            let quoted = line.replacing("'", with: "'\\''")
            let whole =
                isTerminal
                ? "env -u NO_COLOR \(environment) script -qec '\(quoted)' /dev/null"
                : "env -u NO_COLOR \(environment) bash -c '\(quoted)'"
            return try await ShellCommand.run(whole, path: [program.path], within: limit)
        }

        @Test("a state is coloured at a terminal, and nowhere where nobody would see it or nobody wants it")
        func colours() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 1 }) { fleet in
                try #require(await fleet.isWarm())
                let get = "fxgateway get EUR/USD --listen 127.0.0.1:\(fleet.gateways[0].port)"
                let painted = try await run(get, atTerminal: true)
                #expect(painted.status == 0)
                #expect(painted.text.contains(#/\x1B\[3[23]m(fresh|stale)\x1B\[0m/#))
                #expect(painted.text.contains("\u{1B}[1mcache:\u{1B}[0m"))
                let plain: [(String, Bool, String)] = [
                    (get, false, "TERM=xterm"), (get, true, "TERM=xterm NO_COLOR=1"),
                    (get, true, "TERM=dumb"),
                    (get + " --output json", true, "TERM=xterm"), (get + " | cat", true, "TERM=xterm"),
                ]
                for (line, isTerminal, environment) in plain {
                    let shown = try await run(line, atTerminal: isTerminal, environment)
                    #expect(shown.status == 0, "\(line) \(environment)")
                    #expect(
                        shown.text.contains("state") && !shown.text.contains(Self.escape),
                        "\(line) \(environment)")
                }
                // Set but empty is not set (no-color.org).
                #expect(
                    try await run(get, atTerminal: true, "TERM=xterm NO_COLOR=").text.contains(Self.escape))
                // The same lines, but for the paint.
                let bare = try await run(get, atTerminal: true, "TERM=xterm NO_COLOR=1").text
                let names = { (text: String) in
                    text.replacing(#/\x1B\[\d+m/#, with: "").split(separator: "\n").map {
                        $0.prefix { $0 != " " }
                    }
                }
                #expect(names(bare) == names(painted.text))
            }
        }

        @Test("headings of a command's help are bold at a terminal alone")
        func headings() async throws {
            let shown = try await run("fxgateway plan --help", atTerminal: true)
            #expect(shown.status == 0 && shown.text.contains("\u{1B}[1mOptions:\u{1B}[0m"))
            #expect(try await !run("fxgateway plan --help", atTerminal: false).text.contains(Self.escape))
        }

        @Test(
            "what takes longer than a moment says so on standard error, at a terminal alone, and takes it away"
        )
        func waiting() async throws {
            try await RawHTTPServer.run([.hold]) { silent in try await self.waiting(for: silent) }
        }

        private func waiting(for silent: RawHTTPServer) async throws {
            let ask = "fxgateway status --listen 127.0.0.1:\(silent.port)"
            let word = "waiting for the gateway at 127.0.0.1:\(silent.port)"
            // Together: each takes all the time that a command gives a gateway.
            async let shown = run(ask, atTerminal: true)
            async let silenced = run("\(ask) 2>/dev/null", atTerminal: true)
            async let simple = run(ask, atTerminal: true, "TERM=dumb")
            async let logged = run(ask, atTerminal: false)
            let (counted, piped, dumb) = try await (shown, silenced, simple)
            #expect(counted.status == 69)
            #expect(counted.text.contains("\r\(word) (2 s)\(Self.escape)[K"))
            #expect(counted.text.contains("\r\(Self.escape)[K"))
            // Standard output is free of it.
            #expect(piped.status == 69 && piped.text.isEmpty)
            #expect(dumb.text.components(separatedBy: word).count == 2 && !dumb.text.contains(Self.escape))
            #expect(try await !logged.text.contains(word))
        }

        @Test("what is there at once says nothing of waiting")
        func quick() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 1 }) { fleet in
                let ask = "fxgateway status --listen 127.0.0.1:\(fleet.gateways[0].port)"
                let shown = try await run(ask, atTerminal: true)
                #expect(
                    shown.status == 0 && !shown.text.contains("waiting")
                        && !shown.text.contains("\(Self.escape)[K"))
            }
        }

        @Test("every exit code that a command's help lists is one that it ends with, and no other is")
        func exitCodes() async throws {
            try await FleetTests.run(FleetOptions { $0.gateways = 1 }) { fleet in
                try #require(await fleet.isWarm())
                try await RawHTTPServer.run([.json("{}", status: "503 Service Unavailable"), .close]) {
                    busy in
                    try await self.check(fleet, busy: "127.0.0.1:\(busy.port)")
                }
            }
        }

        private func check(_ fleet: Fleet, busy: String) async throws {
            let here = "127.0.0.1:\(fleet.gateways[0].port)"
            let nowhere = "127.0.0.1:\(try TCPProxySocket.freePort())"
            let admin = ["FXGW_ADMIN_TOKEN": FleetOptions.adminToken]
            let bad = ["FXGW_LIVE_TTL": "60"]
            let runs: [(CommandName, [String], [String: String], ExitCode)] = [
                (.serve, ["--fast"], [:], .usage), (.serve, [], bad, .configuration),
                (.serve, [], ["FXGW_LISTEN": here], .unavailable),
                (.checkConfig, [], [:], .success), (.checkConfig, ["x"], [:], .usage),
                (.checkConfig, [], bad, .configuration),
                (.plan, ["--recipe", "hourly"], [:], .success),
                (.plan, ["--live-ttl", "60s", "--quota", "1000"], [:], .failure),
                (.plan, ["--month", "June"], [:], .usage), (.plan, [], bad, .configuration),
                (.status, ["--listen", here], [:], .success), (.status, ["--listen", busy], [:], .failure),
                (.status, ["--listen"], [:], .usage), (.status, ["--listen", nowhere], [:], .unavailable),
                (.status, [], bad, .configuration),
                (.quota, ["--listen", here], [:], .success), (.quota, ["--listen", busy], [:], .failure),
                (.quota, ["more"], [:], .usage), (.quota, ["--listen", nowhere], [:], .unavailable),
                (.quota, ["--listen", here, "--token-file", "/nonexistent"], [:], .configuration),
                (.explain, ["EUR", "--listen", here], [:], .success),
                (.explain, ["QQQ", "--listen", here], [:], .failure), (.explain, [], [:], .usage),
                (.explain, ["EUR", "--listen", nowhere], [:], .unavailable),
                (.explain, ["EUR"], bad, .configuration),
                (.get, ["EUR/USD", "--listen", here], [:], .success),
                (.get, ["EUR/QQQ", "--listen", here], [:], .failure), (.get, ["EUR"], [:], .usage),
                (.get, ["EUR/USD", "--listen", nowhere], [:], .unavailable),
                (.get, ["EUR/USD"], bad, .configuration),
                (.refresh, ["EUR", "--force", "--listen", here], admin, .success),
                (.refresh, ["GBP", "--listen", here], admin, .failure),
                (.refresh, ["E R"], admin, .usage),
                (.refresh, ["EUR", "--listen", nowhere], admin, .unavailable),
                (.refresh, ["EUR", "--listen", here], [:], .configuration),
                (.healthcheck, [], ["FXGW_LISTEN": here], .success),
                (.healthcheck, [], ["FXGW_LISTEN": busy], .failure), (.healthcheck, ["--well"], [:], .usage),
                (.healthcheck, [], ["FXGW_LISTEN": nowhere], .unavailable),
                (.healthcheck, [], bad, .configuration),
                (.simulate, ["--help"], [:], .success), (.simulate, ["--listen", here], [:], .failure),
                (.simulate, ["--nope"], [:], .usage),
                (.completions, ["bash"], [:], .success), (.completions, ["tcsh"], [:], .usage),
                (.version, [], [:], .success), (.version, ["x"], [:], .usage),
                (.help, ["--man"], [:], .success), (.help, ["x"], [:], .usage),
            ]
            var met: [CommandName: Set<ExitCode>] = [.serve: [.success]]
            for (command, arguments, environment, code) in runs {
                let ended = try await GatewayProcess.run(
                    [command.rawValue] + arguments, environment: environment, directory: fleet.directory)
                #expect(
                    ended.status == code.rawValue,
                    "\(command.rawValue) \(arguments) \(environment): \(String(describing: ended.status)) \(ended.text)"
                )
                met[command, default: []].insert(code)
            }
            for command in CommandName.allCases {
                #expect(met[command] == Set(command.exitCodes), "\(command)")
            }
            fleet.gateways[0].signal(SIGTERM)
            #expect(await fleet.gateways[0].ended(within: .seconds(10)) == 0)
        }
    }
}
