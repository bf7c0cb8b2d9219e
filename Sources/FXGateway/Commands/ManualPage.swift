import UpstreamSimulator

/// The manual page fxgateway(1), made from the tables that the program itself uses.
///
/// In the macros of man(7), for groff and mandoc. `deploy/man/fxgateway.1` is a copy that a test compares.
enum ManualPage {
    /// When the page was last changed by hand; mandoc asks for a date.
    private static let date = "2026-11-30"

    static var lines: [String] {
        [".TH FXGATEWAY 1 \(date) \"fxgateway \(GatewayVersion.text)\" \"User Commands\""]
            + section(
                "NAME", [escaped("fxgateway - a caching gateway for the exchange-rate API exchangerate.dev")])
            + section(
                "SYNOPSIS",
                CommandName.allCases.flatMap { command in
                    [".B fxgateway \(escaped(command.rawValue))", italic(command)] + [".br"]
                }.filter { !$0.isEmpty }.dropLast())
            + section("DESCRIPTION", description) + section("COMMANDS", CommandName.allCases.flatMap(command))
            + section("ENVIRONMENT", environment) + section("SIGNALS", signals)
            + section("EXIT STATUS", exitStatus) + section("SEE ALSO", seeAlso)
    }

    private static let description = [
        "Internal services ask the gateway in place of the metered API: same paths, same JSON, exact decimals.",
        "Any number of gateways share rates through Redis, and one of them at a time calls upstream.",
        "Everything is configured by environment variables; values carry their unit (250ms, 60s, 15m, 4d, 256MiB, 10%).",
    ].flatMap(text)

    private static let signals =
        tagged("SIGTERM, SIGINT", "drain: no new connections, running answers are finished, exit 0")
        + tagged(
            "SIGHUP",
            "reads the files of EXCHANGERATE_API_KEY_FILE, FXGW_ADMIN_TOKEN_FILE and FXGW_CLIENTS_FILE again")

    private static let seeAlso = text("redis-server(1), curl(1); the pages in the project's folder docs")

    private static func command(_ command: CommandName) -> [String] {
        var lines = [".SS \(escaped(command.usage.replacing("fxgateway ", with: "")))"]
        lines += text(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
        lines += command.details.flatMap(text)
        let options =
            command == .simulate
            ? SimulateOption.all.map { ($0.usage, $0.summary) }
            : command.options.map { ($0.usage, $0.summary) }
        lines += options.flatMap { tagged($0.0, $0.1) }
        lines += [".PP"] + codes(of: command) + [".PP", "Example:", ".PP", ".nf", ".RS"]
        return lines + [escaped(command.example), ".RE", ".fi"]
    }

    private static func codes(of command: CommandName) -> [String] {
        let all = command.exitCodes.map { "\($0.rawValue) \(command.meaning(of: $0))" }
        return text("Exit codes: \(all.joined(separator: "; ")).")
    }

    private static var environment: [String] {
        let own = ConfigurationName.allCases.flatMap { name in
            tagged(name.rawValue, name.summary + ". Default: \(name.standard ?? "none").")
        }
        return own + HelpCommand.terminalVariables.flatMap { tagged($0.key, $0.value + ".") }
    }

    private static var exitStatus: [String] {
        ExitCode.allCases.flatMap { tagged(String($0.rawValue), $0.meaning) }
    }

    private static func section(_ name: String, _ lines: some Sequence<String>) -> [String] {
        [".SH \(name)"] + lines
    }

    private static func tagged(_ tag: String, _ text: String) -> [String] {
        [".TP", ".B \(escaped(tag))"] + self.text(text)
    }

    private static func italic(_ command: CommandName) -> String {
        let rest = command.usage.dropFirst("fxgateway \(command.rawValue)".count).drop { $0 == " " }
        return rest.isEmpty ? "" : ".I \(escaped(String(rest)))"
    }

    /// A paragraph's text in lines of a usual length; the page's own lines are set anew by the reader's width.
    private static func text(_ text: String) -> [String] {
        var lines = [""]
        for word in escaped(text).split(separator: " ") {
            if let last = lines.last, !last.isEmpty, last.count + 1 + word.count > longestLine {
                lines.append("")
            }
            if let last = lines.popLast() { lines.append(last.isEmpty ? String(word) : "\(last) \(word)") }
        }
        return lines.map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : $0 }
    }

    private static let longestLine = 76

    /// Text that no macro processor takes for a request or a hyphenation.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing(
            "\"", with: "\\(dq")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
