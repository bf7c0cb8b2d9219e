import Foundation
import TestSupport

/// A process that writes state files: this very test program, told by its environment to do nothing else.
enum StateWriter {
    private static let variable = "STATE_WRITER"

    static var task: String? { ProcessInfo.processInfo.environment[variable] }

    static var directory: String { ProcessInfo.processInfo.environment["STATE_DIRECTORY"] ?? "" }

    /// Starts one; its output is the file `output` in the directory.
    static func start(_ task: String, in directory: URL) throws -> ChildProcess {
        try ChildProcess(
            CommandLine.arguments[0],
            ["--testing-library", "swift-testing", "--filter", "StateWriterProcess/"],
            environment: [
                variable: task, "STATE_DIRECTORY": directory.path,
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
            ],
            output: directory.appending(path: "output"))
    }
}
