package import Foundation
import Synchronization

/// Writes one line per event: fixed text, typed fields, one `write` each.
///
/// An event that comes again and again is counted instead (`LogStorm`): its number is told when its window ends, or at
/// `tellAll`. Safe from any thread. What goes into a field is escaped, so no value can begin a line of its own; keys,
/// passwords and bodies are never passed in.
package final class Logger: Sendable {
    package enum Format: String, Sendable {
        case json
        case text
    }

    /// A field of a line.
    package typealias Field = (key: LogKey, value: String)

    package let level: LogLevel
    private let format: Format
    private let now: @Sendable () -> Date
    private let elapsed: @Sendable () -> ContinuousClock.Instant
    private let sink: @Sendable ([UInt8]) -> Void
    private let storm: Storm
    private let observe: Observer?

    /// What is counted, by all loggers that write to one place.
    private final class Storm: Sendable { let counts = Mutex(LogStorm()) }

    /// A logger for lines at `level` and above.
    ///
    /// `sink` takes one whole line with its line feed, from any thread; standard output unless given. `now` is what lines
    /// show, `elapsed` by what the windows of frequent events are measured.
    package init(
        level: LogLevel, format: Format, now: @escaping @Sendable () -> Date = { Date() },
        elapsed: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sink: @escaping @Sendable ([UInt8]) -> Void = Logger.toStandardOutput
    ) {
        self.level = level
        self.format = format
        self.now = now
        self.elapsed = elapsed
        self.sink = sink
        storm = Storm()
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
        elapsed = other.elapsed
        sink = other.sink
        storm = other.storm
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

    /// Writes `message` with its fields, if `level` is at least the logger's and the event isn't one of a storm.
    ///
    /// Lines of `debug` and `trace` are asked for one by one and always written. Takes a lock for a moment: not for a
    /// loop's hot path, which has `logEach`.
    package func log(
        _ level: LogLevel, _ message: StaticString, _ fields: KeyValuePairs<LogKey, String> = [:]
    ) {
        observe?(level, message, fields)
        guard isEnabled(level) else { return }
        guard level > .debug else { return put(level, "\(message)", fields) }
        let text = "\(message)"
        let (isWritten, told) = storm.counts.withLock { $0.meet(level, text, at: elapsed()) }
        if let told { tell(told) }
        if isWritten { put(level, text, fields) }
    }

    /// Writes the line, however often it comes: for lines that are wanted one by one, such as the access log's.
    package func logEach(_ level: LogLevel, _ message: StaticString, _ fields: [Field]) {
        guard isEnabled(level) else { return }
        put(level, "\(message)", fields)
    }

    /// Tells how many lines were kept back in windows that have ended; to be called about once a second.
    package func tellEnded() {
        for told in storm.counts.withLock({ $0.takeEnded(at: elapsed()) }) { tell(told) }
    }

    /// Tells how many lines were kept back, whether their windows have ended or not: at the process's end.
    package func tellAll() {
        for told in storm.counts.withLock({ $0.takeAll() }) { tell(told) }
    }

    private func tell(_ told: LogStorm.Told) {
        let fields: KeyValuePairs<LogKey, String> = [
            .suppressed: String(told.count), .seconds: String(LogStorm.window.components.seconds),
        ]
        put(told.level, told.message, fields)
    }

    private func put(_ level: LogLevel, _ message: String, _ fields: some Sequence<Field>) {
        let time = now().formatted(Self.timeForm)
        var line = LineBuilder()
        switch format {
        case .json:
            line.append("{\"time\":\"\(time)\",\"level\":\"\(level.name)\",\"message\":")
            line.appendQuoted(message)
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

    /// Writes the line to standard output; a reader that doesn't keep up loses lines and holds up nobody.
    package static let toStandardOutput: @Sendable ([UInt8]) -> Void = { LogOutput.standard.write($0) }
}
