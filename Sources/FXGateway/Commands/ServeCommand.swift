import Foundation
import Telemetry

/// `fxgateway serve`: answers requests until SIGTERM.
enum ServeCommand {
    /// Runs a gateway and blocks until it has ended.
    static func run(_ configuration: Result<Configuration, ConfigurationError>, complain: (String) -> Void)
        -> ExitCode
    {
        let read: Configuration
        switch configuration {
        case .success(let configuration): read = configuration
        case .failure(let error):
            for problem in error.problems { complain("error: \(problem)") }
            complain("fxgateway: the configuration is refused; fxgateway check-config shows it whole")
            return .configuration
        }
        signal(SIGPIPE, SIG_IGN)
        // A limit on file sizes is an error of the state file's write, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        let logger = Logger(level: read.logLevel, format: read.logFormat)
        for warning in read.warnings { logger.logEach(.warning, "configuration", [(.reason, warning)]) }
        let gateway: Gateway
        do throws(GatewayError) {
            gateway = try Gateway(read, logger: logger)
        } catch {
            complain("error: \(error)")
            return .configuration
        }
        let signals = StopSignal.stream()
        // Detached: the main thread only waits, nothing is to hop through it.
        let ended = DispatchSemaphore(value: 0)
        let result = ExitBox()
        Task.detached {
            result.set(await gateway.run(signals: signals))
            ended.signal()
        }
        ended.wait()
        return result.code
    }

    /// A file's bytes, nil if it can't be read; one byte more than any may have, so that a longer one is seen as such.
    @Sendable static func readFile(_ path: String) -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return (try? file.read(upToCount: ClientsFile.longest + 1)).map { Array($0) }
    }
}
