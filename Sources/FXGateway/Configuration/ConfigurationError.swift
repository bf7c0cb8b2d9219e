/// Everything that is wrong with a configuration, in one go.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One sentence for each problem, beginning with the variable's name; no secret in any of them.
    let problems: [String]

    var description: String { problems.joined(separator: "\n") }
}
