/// How a command ends: the numbers are a contract with scripts.
enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    /// It ran, and the answer is no.
    case failure = 1
    /// The command line isn't understood (EX_USAGE of sysexits).
    case usage = 64
    /// What should be asked can't be reached (EX_UNAVAILABLE).
    case unavailable = 69
    /// The configuration is refused (EX_CONFIG).
    case configuration = 78

    /// What it means in general, for people.
    var meaning: String {
        switch self {
        case .success: "done"
        case .failure: "the answer is no"
        case .usage: "the command line isn't understood"
        case .unavailable: "nobody answers"
        case .configuration: "the configuration is refused"
        }
    }
}
