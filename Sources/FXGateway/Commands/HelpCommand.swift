/// `fxgateway help`, and `--help` behind each command.
enum HelpCommand {
    /// Writes the overview; always succeeds.
    static func run(print: (String) -> Void) -> ExitCode {
        print(overview)
        return .success
    }

    /// Writes what one command does and takes; always succeeds.
    static func run(for command: CommandName, print: (String) -> Void) -> ExitCode {
        let words = [command.rawValue, command.operands, command.options.isEmpty ? "" : "[OPTION...]"]
        print("usage: fxgateway " + words.filter { !$0.isEmpty }.joined(separator: " "))
        print("\n  \(command.summary)")
        guard !command.options.isEmpty else { return .success }
        let rows = command.options.map { option in
            [([option.rawValue] + (option.value.map { [$0] } ?? [])).joined(separator: " "), option.summary]
        }
        print("")
        for line in TextTable(rows).lines { print("  \(line)") }
        return .success
    }

    private static var overview: String {
        let rows = CommandName.allCases.map { command in
            [
                [command.rawValue, command.operands].filter { !$0.isEmpty }.joined(separator: " "),
                command.summary,
            ]
        }
        return """
            usage: fxgateway COMMAND [--help] [--output table|json]

            \(TextTable(rows).lines.map { "  \($0)" }.joined(separator: "\n"))

            Everything is configured by environment variables: see check-config.
            Exit codes: 0 done, 1 the answer is no, 64 the command line isn't understood, 69 nobody answers,
            78 the configuration is refused.
            """
    }
}
