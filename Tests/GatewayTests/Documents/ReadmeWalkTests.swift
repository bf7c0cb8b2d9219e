import Foundation
import TestSupport
import Testing
import UpstreamSimulator

@testable import FXGateway

/// What a reader of the README would type, against a fleet like that of `scripts/run`.
///
/// Works from fences, marks and tables alone: sections may move.
extension FleetTests {
    @Suite("A walk through the README", .timeLimit(.minutes(4)))
    struct ReadmeWalk {
        private static let page = "README.md"
        private static let options = FleetOptions { options in
            options.upstream.mode = .ecb
            options.environment = [
                "FXGW_BASES": "EUR", "FXGW_ADMIN_TOKEN": FleetOptions.adminToken,
                // Anonymous use keeps calls minutes apart, and the walk forces a refresh.
                "EXCHANGERATE_API_KEY": "exr_live_test", "FXGW_QUOTA_PER_MINUTE": "6000",
            ]
        }

        /// Where the pages have the three gateways.
        private static let shownPorts = [8_080, 8_081, 8_082]

        /// How each command of the table is run here, and what its answer has.
        private static func run(of command: CommandName) -> (arguments: String, shows: String)? {
            switch command {
            // All gateways of this fleet are this.
            case .serve: nil
            case .checkConfig: ("", "FXGW_QUOTA_MONTHLY=10000")
            case .plan: ("--recipe hourly --month 2026-01", "744")
            case .status: ("", "store:")
            case .quota: ("", "limit")
            case .explain: ("EUR/USD,GBP", "snapshot")
            case .get: ("EUR/USD", "ecb_daily")
            case .refresh: ("--force", "snapshot")
            case .healthcheck: ("--ready", "")
            case .simulate: ("--help", "--live-interval")
            case .completions: ("bash", "complete -F")
            case .version: ("", GatewayVersion.text)
            case .help: ("", "healthcheck")
            }
        }

        /// The names of the commands in the first cells of all tables, each with its line.
        private static func tabled() throws -> [(line: Int, name: String)] {
            let lines = try ProjectFiles.text(page).split(separator: "\n", omittingEmptySubsequences: false)
            return lines.enumerated().compactMap { index, line in
                line.firstMatch(of: #/^\| *`fxgateway ([a-z-]+)[^`]*` *\|/#).map {
                    (index + 1, String($0.output.1))
                }
            }
        }

        @Test("a console block is marked as executed, so that what stands under its commands is compared")
        func marks() throws {
            let blocks = try PageBlock.all(of: Self.page)
            #expect(blocks.contains { $0.language == "console" } && blocks.contains { $0.language == "sh" })
            for block in blocks where block.language == "console" {
                #expect(
                    block.isMarked, "\(block): a console block without \(ShownCommand.mark) is run by no test"
                )
                let first = block.lines.first { !$0.isEmpty }
                #expect(first?.hasPrefix("$ ") == true, "\(block): it doesn't begin with a command")
            }
        }

        @Test(
            "every command of a block without answers ends with 0, or is listed as one that no test can run")
        func plainBlocks() async throws {
            try await FleetTests.run(Self.options) { fleet in
                try #require(await fleet.isWarm())
                let program = URL(fileURLWithPath: try GatewayProcess.executable())
                let folder = program.deletingLastPathComponent().path
                var used: Set<String> = []
                for block in try PageBlock.all(of: Self.page) where block.language != "console" {
                    for command in block.commands {
                        var text = command.text
                        if let excuse = NotRunHere.of(text) {
                            used.insert(excuse.beginning)
                            text = "\(excuse.beginning) --help"
                        }
                        for (port, gateway) in zip(Self.shownPorts, fleet.gateways) {
                            text = text.replacing("localhost:\(port)", with: "127.0.0.1:\(gateway.port)")
                        }
                        let ended = try await ShellCommand.run(text, path: [folder])
                        #expect(
                            ended.status == 0, "\(block.page):\(command.line): \(command.text): \(ended.text)"
                        )
                    }
                }
                #expect(!used.isEmpty)
            }
        }

        @Test("every command of the table is one of the program, stands there once, and does what it says")
        func table() async throws {
            let tabled = try Self.tabled()
            for (line, name) in tabled {
                #expect(
                    CommandName(rawValue: name) != nil, "\(Self.page):\(line): there is no fxgateway \(name)")
            }
            #expect(tabled.map(\.name).sorted() == CommandName.allCases.map(\.rawValue).sorted())
            try await FleetTests.run(Self.options) { fleet in
                try #require(await fleet.isWarm())
                let environment = [
                    "FXGW_LISTEN": "127.0.0.1:\(fleet.gateways[0].port)", "FXGW_BASES": "EUR",
                    "FXGW_ADMIN_TOKEN": FleetOptions.adminToken,
                ]
                for (line, name) in tabled {
                    guard let command = CommandName(rawValue: name), let run = Self.run(of: command) else {
                        continue
                    }
                    let arguments = run.arguments.split(separator: " ").map(String.init)
                    let ended = try await GatewayProcess.run(
                        [name] + arguments, environment: environment, directory: fleet.directory)
                    #expect(ended.status == 0, "\(Self.page):\(line): \(name): \(ended.text)")
                    #expect(
                        run.shows.isEmpty || ended.text.contains(run.shows),
                        "\(Self.page):\(line): \(name): \(ended.text)")
                }
            }
        }

        @Test("a mention of a command in the text is one that the program understands")
        func mentions() throws {
            let text = try ProjectFiles.text(Self.page)
            var count = 0
            for match in text.matches(of: #/`fxgateway ([^`\n]+)`/#) {
                let words = match.output.1.split(separator: " ").map(String.init)
                guard words[0].first?.isLetter == true else { continue }
                let command = try #require(CommandName(rawValue: words[0]), "\(match.output.0)")
                count += 1
                // A mention without its operands names the command; one with words behind it is to be whole.
                guard words.count > 1, command != .simulate else { continue }
                #expect(throws: Never.self, "\(match.output.0)") {
                    try CommandOptions(Array(words.dropFirst()), for: command)
                }
            }
            #expect(count >= CommandName.allCases.count)
        }

        @Test("blocks, marks and commands are found wherever they stand, and an unmarked one is seen as such")
        func reading() {
            let text = """
                # A
                <!-- executed -->
                ```console
                $ a
                b
                ```

                ```console
                $ c
                ```
                ```json
                {}
                ```
                ```sh
                # comment
                one --x \\
                  --y   # why
                two
                ```
                """
            let blocks = PageBlock.all(in: text, of: "P.md")
            #expect(blocks.map(\.isMarked) == [true, false, false])
            #expect(blocks.map(\.line) == [3, 8, 14])
            #expect(blocks[2].commands.map(\.line) == [16, 18])
            #expect(
                blocks[2].commands.map(\.text).map { $0.split(separator: " ").joined(separator: " ") } == [
                    "one --x --y", "two",
                ])
            #expect(blocks[0].description == "P.md:3")
            #expect(NotRunHere.of("scripts/test --filter X") != nil && NotRunHere.of("scripts/tester") == nil)
        }
    }
}
