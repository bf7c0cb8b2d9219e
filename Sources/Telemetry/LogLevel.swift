/// How much a line matters, from least to most.
///
/// error: somebody must act; warning: degraded; notice: a state has changed; info: once in a life; debug: once a refresh;
/// trace: once a request.
package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case trace, debug, info, notice, warning, error

    /// The name as it stands in configuration and lines.
    package var name: String { String(describing: self) }

    /// Reads a name in lower case; nil for anything else.
    package init?(name: some StringProtocol) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
