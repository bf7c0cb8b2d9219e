/// How a command writes what it has found: `--output table|json`.
enum OutputForm: String, CaseIterable, Sendable {
    /// Lines for people.
    case table
    /// One JSON document for programs.
    case json
}
