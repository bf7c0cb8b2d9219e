import Foundation
import UpstreamSimulator

/// The executable: one command, its options, its exit code.
@main
enum FXGatewayMain {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(run(arguments))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        guard let name = arguments.first else {
            _ = HelpCommand.run(print: complain)
            return ExitCode.usage.rawValue
        }
        let rest = Array(arguments.dropFirst())
        if name == "simulate" { return SimulateCommand.run(arguments: rest) }
        let options: CommandOptions
        do throws(CommandOptions.Problem) {
            options = try CommandOptions(rest)
        } catch {
            complain("fxgateway \(SafeText.quoted(name)): \(error.sentence); see fxgateway help")
            return ExitCode.usage.rawValue
        }
        if options.wantsHelp { return HelpCommand.run(print: write).rawValue }
        switch name {
        case "serve": return ServeCommand.run(configuration(), complain: complain).rawValue
        case "check-config":
            return CheckConfigCommand.run(
                configuration(), output: options.output, print: write, complain: complain
            ).rawValue
        case "healthcheck": return healthcheck(options)
        case "version", "--version": return VersionCommand.run(print: write).rawValue
        case "help", "--help", "-h": return HelpCommand.run(print: write).rawValue
        default:
            complain("fxgateway: unknown command \(SafeText.quoted(name)); see fxgateway help")
            return ExitCode.usage.rawValue
        }
    }

    private static func healthcheck(_ options: CommandOptions) -> Int32 {
        // A clients file that is being edited says nothing of the process that runs with an earlier one.
        switch configuration(without: .clientsFile) {
        case .success(let configuration):
            return HealthcheckCommand.run(configuration.listen, isReady: options.isReady, complain: complain)
                .rawValue
        case .failure(let error):
            for problem in error.problems { complain("error: \(problem)") }
            return ExitCode.configuration.rawValue
        }
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
