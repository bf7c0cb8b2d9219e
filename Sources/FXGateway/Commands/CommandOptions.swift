/// What stands behind a command's name: its operands and its options.
struct CommandOptions: Equatable, Sendable {
    private(set) var output = OutputForm.table
    private(set) var operands: [String] = []
    private(set) var wantsHelp = false
    private var values: [CommandOption: String] = [:]

    /// What is wrong with a command line.
    enum Problem: Error, Equatable {
        case unknown(String)
        case badOutput(String)
        case missingValue(String)
        case noValue(String)
        case tooMany(String)
        case missingOperand(String)

        var sentence: String {
            switch self {
            case .unknown(let text): "unknown argument \(SafeText.quoted(text))"
            case .badOutput(let text): "--output must be table or json, not \(SafeText.quoted(text))"
            case .missingValue(let option): "\(option) needs a value"
            case .noValue(let option): "\(option) takes no value"
            case .tooMany(let text): "\(SafeText.quoted(text)) is one argument too many"
            case .missingOperand(let operand): "\(operand) is missing"
            }
        }
    }

    /// Reads the arguments by what the command knows.
    init(_ arguments: [String], for command: CommandName) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            if argument == "--help" || argument == "-h" {
                wantsHelp = true
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = CommandOption(rawValue: String(parts[0])), command.options.contains(option)
            else { throw .unknown(argument) }
            let written = parts.count == 2 ? String(parts[1]) : nil
            if option.value == nil {
                guard written == nil else { throw .noValue(option.rawValue) }
                values[option] = ""
            } else {
                guard let value = written ?? rest.popFirst() else { throw .missingValue(option.rawValue) }
                values[option] = value
            }
        }
        if let text = values[.output] {
            guard let output = OutputForm(rawValue: text) else { throw .badOutput(text) }
            self.output = output
        }
        guard !wantsHelp else { return }
        if operands.count > command.operandCount.upperBound {
            throw .tooMany(operands[command.operandCount.upperBound])
        }
        if operands.count < command.operandCount.lowerBound { throw .missingOperand(command.operands) }
    }

    /// The value that was given for an option, or "" for a switch; nil if it wasn't there.
    subscript(option: CommandOption) -> String? { values[option] }
}
