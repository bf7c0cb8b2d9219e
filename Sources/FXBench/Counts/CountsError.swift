/// Why nothing could be counted; none of these says that a count is too high.
enum CountsError: Error, CustomStringConvertible {
    /// A file that can't be read or understood.
    case badFile(String, String)
    /// A tool that did not do what it was started for, with what it said.
    case tool(String, said: String)
    /// The gateway gave another answer than the one to be counted.
    case wrongAnswer(String)

    var description: String {
        switch self {
        case .badFile(let path, let problem): "\(path): \(problem)"
        case .tool(let name, let said): "\(name) did not work: \(said)"
        case .wrongAnswer(let problem): problem
        }
    }
}
