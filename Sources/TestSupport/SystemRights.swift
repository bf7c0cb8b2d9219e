import Foundation

/// What the system lets this process do.
package enum SystemRights {
    /// Whether it may mount, asked once.
    ///
    /// Root in an ordinary container may not.
    package static let mayMount: Bool = {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        probe.arguments = ["unshare", "--mount", "true"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()
}
