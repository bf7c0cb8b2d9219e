/// Colours and weight for people at a terminal: states and headings, nothing else.
///
/// Off wherever it isn't sure that a person looks: in a pipe or a file, in JSON, with `NO_COLOR` (no-color.org: set and not
/// empty), on a terminal that is `dumb` or doesn't say what it is.
struct Paint: Equatable, Sendable {
    let isOn: Bool

    static let off = Paint(isOn: false)

    init(isOn: Bool) { self.isOn = isOn }

    /// - Parameters:
    ///   - isTerminal: whether what is written goes to one.
    ///   - environment: has `NO_COLOR` and `TERM`.
    ///   - output: JSON is for programs and never painted.
    init(isTerminal: Bool, environment: [String: String], output: OutputForm) {
        let isAllowed = environment["NO_COLOR"].map(\.isEmpty) ?? true
        let terminal = environment["TERM"] ?? ""
        isOn =
            isTerminal && isAllowed && output == .table && !terminal.isEmpty
            && terminal != Self.terminalWithoutControls
    }

    /// The name of a terminal that understands no control sequences.
    static let terminalWithoutControls = "dumb"

    /// A cell: in its state's colour if it is a state, else as it is.
    func cell(_ text: String) -> String {
        switch text {
        case "fresh": sequence("32", text)
        case "stale", "late": sequence("33", text)
        case "expired", "absent": sequence("31", text)
        default: text
        }
    }

    func heading(_ text: String) -> String { sequence("1", text) }

    /// ECMA-48, select graphic rendition: set, and reset behind it.
    private func sequence(_ code: String, _ text: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
