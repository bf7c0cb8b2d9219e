import CacheLayer
import Foundation
import UpstreamSimulator

/// The executable: one command, its options, its exit code.
@main
enum FXGatewayMain {
    static func main() {
        exit(run(Array(words.dropFirst())))
    }

    /// The command line.
    ///
    /// Swift finds it beside the environment's first place in memory; a library loaded ahead that sets a variable moves the
    /// environment, and then it finds none.
    private static var words: [String] {
        guard CommandLine.arguments.isEmpty else { return CommandLine.arguments }
        let bytes = FileManager.default.contents(atPath: "/proc/self/cmdline") ?? Data()
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func run(_ arguments: [String]) -> Int32 {
        guard let name = arguments.first else {
            _ = HelpCommand.run(print: complain)
            return ExitCode.usage.rawValue
        }
        let rest = Array(arguments.dropFirst())
        guard let command = command(named: name) else {
            complain("fxgateway: unknown command \(SafeText.quoted(name)); see fxgateway help")
            return ExitCode.usage.rawValue
        }
        if command == .simulate { return SimulateCommand.run(arguments: rest) }
        do throws(CommandOptions.Problem) {
            return run(command, try CommandOptions(rest, for: command)).rawValue
        } catch {
            complain(
                "fxgateway \(command.rawValue): \(error.sentence); see fxgateway \(command.rawValue) --help")
            return ExitCode.usage.rawValue
        }
    }

    private static func command(named name: String) -> CommandName? {
        switch name {
        case "--version": .version
        case "--help", "-h": .help
        default: CommandName(rawValue: name)
        }
    }

    private static func run(_ command: CommandName, _ options: CommandOptions) -> ExitCode {
        let screen = Screen(environment: ProcessInfo.processInfo.environment, output: options.output)
        if options.wantsHelp { return HelpCommand.run(for: command, paint: screen.paint, print: write) }
        switch command {
        case .serve: return ServeCommand.run(configuration(), complain: complain)
        case .checkConfig:
            return CheckConfigCommand.run(
                configuration(), output: options.output, print: write, complain: complain)
        case .version: return VersionCommand.run(print: write)
        case .help:
            return HelpCommand.run(isManual: options[.man] != nil, paint: screen.paint, print: write)
        case .completions:
            return CompletionsCommand.run(options.operands[0], print: write, complain: complain)
        // That has options of its own.
        case .simulate: return .usage
        case .plan, .status, .quota, .explain, .get, .refresh, .healthcheck: break
        }
        // A clients file that is being edited says nothing of the process that runs with an earlier one.
        switch configuration(without: .clientsFile) {
        case .success(let configuration): return run(command, options, configuration, screen)
        case .failure(let error):
            for problem in error.problems { complain("error: \(problem)") }
            return .configuration
        }
    }

    private static func run(
        _ command: CommandName, _ options: CommandOptions, _ configuration: Configuration, _ screen: Screen
    ) -> ExitCode {
        if command == .plan {
            return PlanCommand.run(
                options, configuration, now: .now, screen: screen, print: write, complain: complain)
        }
        var address = configuration.listen
        if let text = options[.listen] {
            guard let written = ListenAddress(text) else {
                complain("fxgateway: --listen must be an address and a port, not \(SafeText.quoted(text))")
                return .usage
            }
            address = written
        }
        switch command {
        case .healthcheck:
            return HealthcheckCommand.run(address, isReady: options[.ready] != nil, complain: complain)
        case .refresh:
            return RefreshCommand.run(
                options, configuration, at: address, screen: screen, print: write, complain: complain)
        default:
            var token: Secret?
            if let path = options[.tokenFile] {
                guard let read = Self.token(in: path) else {
                    complain("fxgateway: no token can be read from \(SafeText.quoted(path))")
                    return .configuration
                }
                token = read
            }
            return AskCommand.run(
                command, options, at: address, token: token, screen: screen, print: write,
                complain: complain)
        }
    }

    /// A token from a file, without its line end; nil if there is none that a header can carry.
    private static func token(in path: String) -> Secret? {
        guard let bytes = ServeCommand.readFile(path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let isSendable = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isSendable ? Secret(text) : nil
    }

    private static func configuration(
        without left: ConfigurationName? = nil
    ) -> Result<Configuration, ConfigurationError> {
        var environment = ProcessInfo.processInfo.environment
        if let left { environment[left.rawValue] = nil }
        return Result { () throws(ConfigurationError) in
            try Configuration(
                environment: environment,
                cores: ProcessInfo.processInfo.activeProcessorCount, readFile: ServeCommand.readFile)
        }
    }

    private static func write(_ line: String) { print(line) }

    private static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
