import Foundation
import TestSupport

/// A line for the shell, run in the project's root.
enum ShellCommand {
    /// Runs it to its end; the folders in `path` come first in PATH.
    ///
    /// Gives how it ended, nil if it did not in time, and what it wrote.
    static func run(
        _ line: String, path: [String] = [], within limit: Duration = .seconds(30)
    ) async throws -> (status: Int32?, text: String) {
        let output = URL(fileURLWithPath: "/tmp/fxgw-shell-\(UInt64.random(in: 0...UInt64.max)).log")
        defer { try? FileManager.default.removeItem(at: output) }
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = (path + [environment["PATH"] ?? "/usr/bin:/bin"]).joined(separator: ":")
        for name in environment.keys where name.hasPrefix("FXGW_") || name.hasPrefix("EXCHANGERATE_") {
            environment[name] = nil
        }
        let process = try ChildProcess(
            "bash", ["-c", "cd '\(ProjectFiles.root.path)' && \(line)"], environment: environment,
            output: output)
        _ = await eventually(within: limit) { process.status != nil }
        let status = process.status
        process.stop()
        return (status, process.text)
    }
}
