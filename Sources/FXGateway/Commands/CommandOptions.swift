/// The options behind a command's name.
struct CommandOptions: Equatable {
    var output = OutputForm.table
    /// For `healthcheck`: ask for readiness.
    var isReady = false
    var wantsHelp = false

    /// What is wrong with a command line.
    enum Problem: Error, Equatable {
        case unknown(String)
        case badOutput(String)
        case missingValue(String)

        var sentence: String {
            switch self {
            case .unknown(let text): "unknown argument \(SafeText.quoted(text))"
            case .badOutput(let text): "--output must be table or json, not \(SafeText.quoted(text))"
            case .missingValue(let option): "\(option) needs a value"
            }
        }
    }

    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--ready": isReady = true
            case "--output":
                guard let value = rest.popFirst() else { throw .missingValue(argument) }
                output = try Self.output(value)
            case _ where argument.hasPrefix("--output="):
                output = try Self.output(String(argument.dropFirst(9)))
            default: throw .unknown(argument)
            }
        }
    }

    private static func output(_ text: String) throws(Problem) -> OutputForm {
        guard let output = OutputForm(rawValue: text) else { throw .badOutput(text) }
        return output
    }
}
