/// `fxgateway help`, and `--help` behind each command.
enum HelpCommand {
    /// Variables that aren't the gateway's own but change what its commands write.
    static let terminalVariables: KeyValuePairs = [
        "NO_COLOR": "set and not empty: no colours", "TERM": "dumb: neither colours nor a counting line",
    ]

    /// Writes the overview, or the manual page; always succeeds.
    static func run(isManual: Bool = false, paint: Paint = .off, print: (String) -> Void) -> ExitCode {
        let lines = isManual ? ManualPage.lines : overview(paint)
        for line in lines { print(line) }
        return .success
    }

    /// Writes what one command does and takes, and how it ends; always succeeds.
    static func run(for command: CommandName, paint: Paint = .off, print: (String) -> Void) -> ExitCode {
        for line in page(of: command, paint) { print(line) }
        return .success
    }

    private static func page(of command: CommandName, _ paint: Paint) -> [String] {
        var lines = ["\(paint.heading("usage:")) \(command.usage)", "", "  \(command.summary)", ""]
        lines += command.details
        func add(_ heading: String, _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            lines += ["", paint.heading("\(heading):")]
            lines += TextTable(rows).lines.map { "  \($0)" }
        }
        let options = command.options.map { [$0.usage, $0.summary] }
        add("Options", options + [["-h, --help", "this text"]])
        let own = command.environment.map { name in
            [name.rawValue, name.summary + (name.standard.map { " (\($0))" } ?? "")]
        }
        let terminal = command.isPainted ? terminalVariables.map { [$0.key, $0.value] } : []
        add("Environment", own + terminal)
        add("Exit codes", command.exitCodes.map { [String($0.rawValue), command.meaning(of: $0)] })
        lines += ["", paint.heading("Example:"), "  \(command.example)"]
        return lines
    }

    private static func overview(_ paint: Paint) -> [String] {
        let rows = CommandName.allCases.map { command in
            [
                [command.rawValue, command.operands].filter { !$0.isEmpty }.joined(separator: " "),
                command.summary,
            ]
        }
        let codes = ExitCode.allCases.map { [String($0.rawValue), $0.meaning] }
        return ["\(paint.heading("usage:")) fxgateway COMMAND [--help] [--output table|json]", ""]
            + TextTable(rows).lines.map { "  \($0)" }
            + ["", "Everything is configured by environment variables: see check-config --help."]
            + ["", paint.heading("Exit codes:")] + TextTable(codes).lines.map { "  \($0)" }
    }
}

extension CommandName {
    /// The command line in the usual notation.
    var usage: String {
        let hasOptions = !options.isEmpty || self == .simulate
        return ["fxgateway", rawValue, operands, hasOptions ? "[OPTION...]" : ""]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension CommandOption {
    /// The option with the word for its value.
    var usage: String { ([rawValue] + (value.map { [$0] } ?? [])).joined(separator: " ") }
}
