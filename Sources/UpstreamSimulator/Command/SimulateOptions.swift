/// The options of the `simulate` command as a value.
package struct SimulateOptions: Sendable {
    package private(set) var configuration: SimulatorConfiguration
    /// Whether only the help text is wanted.
    package private(set) var wantsHelp = false

    /// Why a line of arguments can't be used.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case unknownOption(String)
        case missingValue(String)
        case badValue(option: String, value: String, expected: String)
        case unexpectedArgument(String)

        package var description: String {
            switch self {
            case .unknownOption(let name): "unknown option \(name)"
            case .missingValue(let name): "option \(name) needs a value"
            case .badValue(let name, let value, let expected): "option \(name): '\(value)' is not \(expected)"
            case .unexpectedArgument(let text): "unexpected argument '\(text)'"
            }
        }
    }

    /// Reads `--name value` and `--name=value`; the last of several wins, `--key` adds up.
    ///
    /// The command's own name isn't among them.
    package init(arguments: [String]) throws(Problem) {
        configuration = SimulatorConfiguration()
        configuration.listen = "127.0.0.1:9099"
        configuration.limits = .free
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else { throw .unexpectedArgument(argument) }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if try takeFlag(name, hasValue: parts.count == 2) { continue }
            guard let take = Self.readers[name] else { throw .unknownOption(name) }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw .missingValue(name)
            }
            guard take.read(value, &configuration) else {
                // A key is a secret even where it is wrong.
                throw .badValue(
                    option: name, value: name == "--key" ? "…" : value, expected: take.expected)
            }
        }
    }

    private mutating func takeFlag(_ name: String, hasValue: Bool) throws(Problem) -> Bool {
        switch name {
        case "--frozen": configuration.isFrozen = true
        case "--help", "-h": wantsHelp = true
        default: return false
        }
        guard !hasValue else { throw .unexpectedArgument("\(name)=") }
        return true
    }

    private struct Reader: Sendable {
        let expected: String
        /// False if the value can't be read.
        let read: @Sendable (String, inout SimulatorConfiguration) -> Bool
    }

    private static let readers: [String: Reader] = [
        "--listen": Reader(expected: "an address as 127.0.0.1:9099, [::1]:9099 or unix:/path") { text, to in
            to.listen = text
            return ListenText.isValid(text)
        },
        "--mode": Reader(expected: "live, ecb or mixed") { text, to in
            assign(SimulatorMode(rawValue: text)) { to.mode = $0 }
        },
        "--clock": Reader(expected: "a UTC time as 2026-06-16T10:00:00Z") { text, to in
            assign(SimulatedTime(parsing: text)) { to.clock = $0 }
        },
        "--seed": Reader(expected: "a whole number from 0 on") { text, to in
            assign(UInt64(text)) { to.seed = $0 }
        },
        "--live-interval": Reader(expected: "a length above 0 as 60s, 500ms or 1m") { text, to in
            assign(Duration(unitText: text).flatMap { $0 > .zero ? $0 : nil }) { to.liveInterval = $0 }
        },
        "--latency": Reader(expected: "a length as 20ms") { text, to in
            assign(Duration(unitText: text)) { to.latency = $0 }
        },
        "--monthly": Reader(expected: limitText) { text, to in
            assign(limit(text)) { to.limits.monthly = $0 }
        },
        "--per-minute": Reader(expected: limitText) { text, to in
            assign(limit(text)) { to.limits.perMinute = $0 }
        },
        "--per-hour": Reader(expected: limitText) { text, to in
            assign(limit(text)) { to.limits.perHour = $0 }
        },
        "--key": Reader(expected: "a key that is not empty") { text, to in
            guard !text.isEmpty else { return false }
            to.keys.append(text)
            return true
        },
        "--shift": Reader(expected: "a whole number of weeks, or auto") { text, to in
            if text == "auto" {
                to.shiftWeeks = nil
                return true
            }
            return assign(Int(text).flatMap { abs($0) <= 5_200 ? $0 : nil }) { to.shiftWeeks = $0 }
        },
    ]

    private static let limitText = "a number of calls from 0 on, or off"

    /// Nil if it can't be read; `.some(nil)` for no limit.
    private static func limit(_ text: String) -> Int?? {
        if text == "off" { return .some(nil) }
        guard let value = Int(text), value >= 0 else { return nil }
        return .some(value)
    }

    private static func assign<T>(_ value: T?, to target: (T) -> Void) -> Bool {
        guard let value else { return false }
        target(value)
        return true
    }

    package static let help: String = {
        let width = (SimulateOption.all.map { $0.usage.count }.max() ?? 0) + 2
        let lines = SimulateOption.all.map { option in
            "  " + option.usage + String(repeating: " ", count: width - option.usage.count) + option.summary
        }
        return """
            usage: fxgateway simulate [OPTION...]

              a simulated upstream that replays the ECB's reference rates

            The newest true row is shown as the latest publication (16:00 Europe/Berlin on TARGET days): the whole
            calendar is moved by whole weeks, history too, and every answer says so in its notice.

            Options:
            \(lines.joined(separator: "\n"))

            Control, from this machine only, never counted as calls:
              GET    /control/counts, /control/log?after=N, /control/script, /control/clock
              POST   /control/script {"match":"/v1/latest","times":2,"status":503,"body":"…"}, or a list of them
              DELETE /control/script
              POST   /control/clock {"advance":60000} or {"now":"2026-06-16T10:00:00Z"}
              POST   /control/reset

            Environment: none is read.

            Exit codes:
              0   stopped by SIGTERM or SIGINT
              1   it can't listen at --listen
              64  the command line isn't understood

            Example:
              fxgateway simulate --mode mixed --listen 127.0.0.1:9099

            """
    }()

    /// The names that take a value.
    static var valued: Set<String> { Set(readers.keys) }
}
