import Foundation
import TestSupport
import Testing
import UpstreamSimulator

@testable import FXGateway

extension FleetTests {
    /// What the pages show and name, against a fleet like that of `scripts/run`.
    @Suite("The documents and a running fleet", .timeLimit(.minutes(4)))
    struct Documents {
        private static let options = FleetOptions { options in
            options.upstream.mode = .ecb
            options.environment = ["FXGW_BASES": "EUR", "FXGW_ADMIN_TOKEN": FleetOptions.adminToken]
        }

        /// Where the pages have the three gateways.
        private static let shownPorts = [8_080, 8_081, 8_082]

        @Test("every command that is marked as executed gives the answer that stands under it")
        func shownCommands() async throws {
            try await FleetTests.run(Self.options) { fleet in
                let program = URL(fileURLWithPath: try GatewayProcess.executable())
                var count = 0
                for gateway in fleet.gateways { try await Self.warm(gateway) }
                for page in try ProjectFiles.pages() {
                    for shown in try ShownCommand.all(of: page) {
                        var line = shown.command
                        for (port, gateway) in zip(Self.shownPorts, fleet.gateways) {
                            line = line.replacing("localhost:\(port)", with: "127.0.0.1:\(gateway.port)")
                        }
                        let (_, text) = try await ShellCommand.run(
                            line, path: [program.deletingLastPathComponent().path])
                        #expect(ShownText.settled(text) == ShownText.settled(shown.answer), "\(shown)")
                        count += 1
                    }
                }
                #expect(count >= 6)
            }
        }

        @Test("every endpoint in the README answers")
        func endpoints() async throws {
            try await FleetTests.run(Self.options) { fleet in
                let gateway = fleet.gateways[0]
                for row in try ProjectFiles.rows("## Endpoints", of: "README.md") {
                    let path = EndpointPath.filled(row[1])
                    let status = try await Self.status(
                        "-X \(row[0]) -H 'Authorization: Bearer \(FleetOptions.adminToken)' "
                            + "'http://127.0.0.1:\(gateway.port)\(path)'")
                    // Nothing is in quarantine here: the route says so, and that it is there the other method shows.
                    let isNothing = path.hasPrefix("/admin/quarantine/") && status == "404"
                    #expect(
                        isNothing || status != "404" && status != "405" && status != "000",
                        "\(row[0]) \(path)")
                    let other = try await Self.status(
                        "-X PUT 'http://127.0.0.1:\(gateway.port)\(path)'")
                    #expect(other == "405", "PUT \(path)")
                }
            }
        }

        @Test("every metric on a page exists, and every one that exists is in the operator's list")
        func metrics() async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            var options = Self.options
            options.gateways = 1
            options.environment["FXGW_STATE_DIR"] = directory.path
            try await FleetTests.run(options) { fleet in
                let gateway = fleet.gateways[0]
                try await Self.warm(gateway)
                var real: Set<String> = []
                // The state file's time is there once it has been written for the first time.
                let isWhole = try await eventually(within: .seconds(20), step: .milliseconds(200)) {
                    let (_, text) = try await ShellCommand.run("curl -s 127.0.0.1:\(gateway.port)/metrics")
                    real = Set(text.matches(of: #/(?m)^# TYPE (\w+) /#).map { String($0.output.1) })
                    return real.contains("fxgateway_state_file_written_timestamp_seconds")
                }
                #expect(isWhole)
                #expect(real.count > 20)
                let shipped =
                    try ProjectFiles.files(in: "deploy/prometheus")
                    + ProjectFiles.files(in: "deploy/grafana")
                #expect(shipped.count >= 3)
                for page in try ProjectFiles.pages() + shipped {
                    for match in try ProjectFiles.text(page).matches(
                        of: #/\b(fxgateway|process)_[a-z_]*[a-z]\b/#)
                    {
                        #expect(real.contains(String(match.output.0)), "\(page): \(match.output.0)")
                    }
                }
                let listed = Set(
                    try ProjectFiles.rows("## Metrics", of: "docs/operations.md").map {
                        String($0[0].prefix { $0 != "{" })
                    })
                #expect(listed == real)
            }
        }

        @Test("every command in the README is one of the program")
        func commands() async throws {
            let program = try GatewayProcess.executable()
            let rows = try ProjectFiles.rows("## Commands", of: "README.md")
            #expect(rows.count >= 6)
            for row in rows {
                let name = row[0].replacing("fxgateway ", with: "")
                let (status, text) = try await ShellCommand.run("'\(program)' \(name) --help")
                #expect(status == 0, "\(name)")
                #expect(text.contains(name), "\(name)")
            }
        }

        /// Waits until a gateway has answered with rates.
        private static func warm(_ gateway: GatewayProcess) async throws {
            let isWarm = try await eventually(within: .seconds(20)) {
                try await status("'http://127.0.0.1:\(gateway.port)/v1/latest/EUR'") == "200"
            }
            #expect(isWarm)
        }

        /// The status of a request by curl; 000 if there is no answer.
        private static func status(_ arguments: String) async throws -> String {
            try await ShellCommand.run("curl -s -o /dev/null -m 10 -w '%{http_code}' \(arguments)").text
        }
    }
}
