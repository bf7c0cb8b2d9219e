import Foundation
import Testing

@testable import FXGateway
@testable import UpstreamSimulator

@Suite("Help, manual page and completions")
struct HelpTests {
    private func help(for command: CommandName) -> String {
        var lines: [String] = []
        _ = HelpCommand.run(for: command) { lines.append($0) }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test(
        "a command's help names all its options, variables and exit codes, and an example that is understood",
        arguments: CommandName.allCases)
    func page(command: CommandName) throws {
        let text = command == .simulate ? SimulateOptions.help : help(for: command)
        #expect(text.hasPrefix("usage: fxgateway \(command.rawValue)"))
        for option in CompletedOption.all(of: command) {
            let line = try #require(
                text.split(separator: "\n").first {
                    $0.contains("  \(option.name)") || $0.contains(", \(option.name)")
                },
                "\(option.name)")
            for choice in option.choices { #expect(text.contains(choice), "\(line): \(choice)") }
        }
        for name in command.environment { #expect(text.contains("  \(name.rawValue) "), "\(name.rawValue)") }
        for code in command.exitCodes {
            #expect(text.contains("\n  \(code.rawValue) "), "\(code)")
        }
        let example = try #require(text.firstMatch(of: #/Example:\n  (.+)\n/#)).output.1
        var words = example.split(separator: " ").map(String.init)
        words.removeAll { $0.hasPrefix("FXGW_") }
        if let end = words.firstIndex(where: { $0 == ">" || $0 == "|" }) { words = Array(words[..<end]) }
        #expect(words.first == "fxgateway" && words[1] == command.rawValue)
        if command == .simulate {
            _ = try SimulateOptions(arguments: Array(words.dropFirst(2)))
        } else {
            _ = try CommandOptions(Array(words.dropFirst(2)), for: command)
        }
    }

    @Test("what a command's help shows as variables is what its code asks for: the admin token, the address")
    func variables() {
        #expect(CommandName.refresh.environment.contains(.adminTokenFile))
        for command in CommandName.allCases where command.options.contains(.listen) {
            #expect(command.environment.contains(.listen), "\(command)")
        }
        #expect(CommandName.serve.environment == ConfigurationName.allCases)
    }

    @Test("every variable has a summary of its own, and the defaults are the program's")
    func summaries() throws {
        #expect(Set(ConfigurationName.allCases.map(\.summary)).count == ConfigurationName.allCases.count)
        for line in try Configuration(environment: [:], cores: 1, readFile: { _ in nil }).lines {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            let name = try #require(ConfigurationName(rawValue: parts[0]))
            guard name != .threads else { continue }
            #expect(name.standard == parts[1])
        }
        #expect(ConfigurationName.redisURL.standard == nil)
    }

    @Test("the simulator's options are told and read from one list")
    func simulator() {
        let told = SimulateOption.all.filter { $0.value != nil }.map(\.name)
        #expect(Set(told) == SimulateOptions.valued)
        for option in SimulateOption.all where option.value == nil {
            #expect(throws: Never.self) { try SimulateOptions(arguments: [option.name]) }
        }
        for option in SimulateOption.all {
            for choice in option.choices {
                #expect(throws: Never.self) { try SimulateOptions(arguments: [option.name, choice]) }
            }
        }
    }

    @Test("the values that are completed are those that are read")
    func choices() throws {
        for command in CommandName.allCases where command != .simulate {
            for option in command.options where !option.choices.isEmpty {
                let operands = Array(repeating: "USD/EUR", count: command.operandCount.lowerBound)
                for choice in option.choices {
                    let read = try CommandOptions(operands + [option.rawValue, choice], for: command)
                    #expect(read[option] == choice)
                }
            }
        }
    }

    @Test("the shipped manual page and completions are what the program writes")
    func shipped() throws {
        let files: [(String, [String])] =
            [("deploy/man/fxgateway.1", ManualPage.lines)]
            + [
                ("deploy/completions/fxgateway.bash", CompletionsCommand.lines(for: .bash)),
                ("deploy/completions/_fxgateway", CompletionsCommand.lines(for: .zsh)),
                ("deploy/completions/fxgateway.fish", CompletionsCommand.lines(for: .fish)),
            ]
        for (path, lines) in files {
            let text = lines.joined(separator: "\n") + "\n"
            if ProcessInfo.processInfo.environment["FXGW_TEST_WRITE_TABLES"] != nil {
                try text.write(to: ProjectFiles.root.appending(path: path), atomically: true, encoding: .utf8)
            }
            #expect(try ProjectFiles.text(path) == text, "\(path): FXGW_TEST_WRITE_TABLES=1 writes it anew")
        }
    }

    @Test("the manual page names every command, option, variable and exit code")
    func manual() {
        let page = ManualPage.lines.joined(separator: "\n").replacing("\\-", with: "-")
        for command in CommandName.allCases {
            #expect(page.contains(".SS \(command.rawValue)"))
            for option in CompletedOption.all(of: command) where option.name != "--help" {
                #expect(page.contains(".B \(option.name)"), "\(option.name)")
            }
            #expect(page.contains("\n\(command.example.replacing("\"", with: "\\(dq"))\n"))
        }
        for name in ConfigurationName.allCases { #expect(page.contains("\n.B \(name.rawValue)\n")) }
        for code in ExitCode.allCases { #expect(page.contains("\n.B \(code.rawValue)\n\(code.meaning)")) }
    }

    @Test("mandoc has nothing to say against the manual page")
    func lint() async throws {
        let path = ProjectFiles.root.appending(path: "deploy/man/fxgateway.1").path
        let mandoc = try await ShellCommand.run("mandoc -T lint -W style '\(path)'")
        #expect(mandoc.status == 0 && mandoc.text.isEmpty, "\(mandoc.text)")
        let shown = try await ShellCommand.run("mandoc -T ascii '\(path)' | col -b")
        #expect(shown.text.contains("FXGW_QUOTA_MONTHLY") && shown.text.contains("EXIT STATUS"))
        // A page that is wrong is found.
        let broken = try await ShellCommand.run("printf '.TH X 1\\n.nonsense\\n' | mandoc -T lint -W style")
        #expect(broken.status != 0)
    }

    @Test("the shells take the completions, and find a mistake in others", arguments: ShellName.allCases)
    func syntax(shell: ShellName) async throws {
        let name =
            [ShellName.bash: "fxgateway.bash", .zsh: "_fxgateway", .fish: "fxgateway.fish"][shell] ?? ""
        let good = try await ShellCommand.run("\(shell.rawValue) -n 'deploy/completions/\(name)'")
        #expect(good.status == 0 && good.text.isEmpty, "\(good.text)")
        let bad = try await ShellCommand.run("printf 'if true\\n' | \(shell.rawValue) -n /dev/stdin")
        #expect(bad.status != 0)
    }

    @Test(
        "bash completes commands, options, values and files",
        arguments: [
            (["fxgateway", "che"], "check-config"), (["fxgateway", "plan", "--rec"], "--recipe"),
            (["fxgateway", "plan", "--recipe", "ho"], "hourly"),
            (["fxgateway", "plan", "--recipe", "=", "ho"], "hourly"),
            (["fxgateway", "plan", "--recipe", "="], "daily hourly live"),
            (["fxgateway", "status", "--output", ""], "table json"),
            (["fxgateway", "simulate", "--mode", "m"], "mixed"), (["fxgateway", "completions", "z"], "zsh"),
            (["fxgateway", "status", "--token-file", "deploy/man/"], "deploy/man/fxgateway.1"),
            (["fxgateway", "get", "--rec"], ""), (["fxgateway", "help", "--m"], "--man"),
            (["fxgateway", "plan", "--month", ""], ""),
        ] as [([String], String)])
    func bash(words: [String], expected: String) async throws {
        let array = words.map { "'\($0)'" }.joined(separator: " ")
        let script =
            "source deploy/completions/fxgateway.bash; COMP_WORDS=(\(array)); COMP_CWORD=\(words.count - 1); "
            + "_fxgateway; echo \"${COMPREPLY[*]}\""
        let (status, text) = try await ShellCommand.run(script)
        #expect(status == 0 && text == expected + "\n")
    }
}
