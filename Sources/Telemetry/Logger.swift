package import Foundation
import Synchronization

/// Writes one line per event: fixed text, typed fields, one `write` each.
///
/// Safe from any thread. What goes into a field is escaped, so no value can begin a line of its own; keys, passwords and
/// bodies are never passed in.
package final class Logger: Sendable {
    package enum Format: String, Sendable {
        case json
        case text
    }

    package let level: LogLevel
    private let format: Format
    private let now: @Sendable () -> Date
    private let sink: @Sendable ([UInt8]) -> Void
    private let observe: Observer?

    /// A logger for lines at `level` and above.
    ///
    /// `sink` takes one whole line with its line feed, from any thread; standard output unless given.
    package init(
        level: LogLevel, format: Format, now: @escaping @Sendable () -> Date = { Date() },
        sink: @escaping @Sendable ([UInt8]) -> Void = Logger.toStandardOutput
    ) {
        self.level = level
        self.format = format
        self.now = now
        self.sink = sink
        observe = nil
    }

    /// Hears of a line before it is known whether it is written.
    ///
    /// From any thread; must not block.
    package typealias Observer = @Sendable (LogLevel, StaticString, KeyValuePairs<LogKey, String>) -> Void

    private init(_ other: Logger, observe: @escaping Observer) {
        level = other.level
        format = other.format
        now = other.now
        sink = other.sink
        self.observe = observe
    }

    /// The same logger, which also tells of every line given to it, those below its level among them.
    package func observed(by observe: @escaping Observer) -> Logger { Logger(self, observe: observe) }

    /// RFC 3339 in UTC with milliseconds.
    private static let timeForm = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// A logger that writes nothing.
    package static let silent = Logger(level: .error, format: .text, sink: { _ in })

    /// Whether a line of this level would be written: asked before its fields are made where that costs
    /// something.
    package func isEnabled(_ level: LogLevel) -> Bool { level >= self.level }

    /// Writes `message` with its fields, if `level` is at least the logger's.
    package func log(
        _ level: LogLevel, _ message: StaticString, _ fields: KeyValuePairs<LogKey, String> = [:]
    ) {
        observe?(level, message, fields)
        guard isEnabled(level) else { return }
        let time = now().formatted(Self.timeForm)
        var line = LineBuilder()
        switch format {
        case .json:
            line.append("{\"time\":\"\(time)\",\"level\":\"\(level.name)\",\"message\":")
            line.appendQuoted("\(message)")
            for (key, value) in fields {
                line.append(",\"\(key.rawValue)\":")
                line.appendQuoted(value)
            }
            line.append("}\n")
        case .text:
            line.append("\(time) \(level.name) \(message)")
            for (key, value) in fields {
                line.append(" \(key.rawValue)=")
                line.appendQuoted(value)
            }
            line.append("\n")
        }
        sink(line.bytes)
    }

    /// Writes the line to standard output in one call; what the system doesn't take is dropped, never
    /// waited for twice.
    package static let toStandardOutput: @Sendable ([UInt8]) -> Void = { bytes in
        bytes.withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
