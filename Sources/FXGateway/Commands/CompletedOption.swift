import UpstreamSimulator

/// An option as a shell completes it.
struct CompletedOption: Equatable, Sendable {
    let name: String
    let summary: String
    let takesValue: Bool
    /// Whether its value is the name of a file.
    let isFile: Bool
    /// The values that there are, where they can be counted; else empty.
    let choices: [String]

    /// All options of a command, `--help` among them.
    static func all(of command: CommandName) -> [CompletedOption] {
        if command == .simulate {
            return SimulateOption.all.map { option in
                CompletedOption(
                    name: option.name, summary: option.summary, takesValue: option.value != nil,
                    isFile: false,
                    choices: option.choices)
            }
        }
        let own = command.options.map { option in
            CompletedOption(
                name: option.rawValue, summary: option.summary, takesValue: option.value != nil,
                isFile: option == .tokenFile, choices: option.choices)
        }
        let help = CompletedOption(
            name: "--help", summary: "what it does and takes", takesValue: false, isFile: false, choices: [])
        return own + [help]
    }

    /// The operands that there are, where they can be counted.
    static func operands(of command: CommandName) -> [String] {
        command == .completions ? ShellName.allCases.map(\.rawValue) : []
    }
}
