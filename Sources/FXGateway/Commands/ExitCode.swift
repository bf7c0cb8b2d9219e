/// How a command ends: the numbers are a contract with scripts.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// It ran, and the answer is no.
    case failure = 1
    /// The command line isn't understood (EX_USAGE of sysexits).
    case usage = 64
    /// What should be asked can't be reached (EX_UNAVAILABLE).
    case unavailable = 69
    /// The configuration is refused (EX_CONFIG).
    case configuration = 78
}
