import Foundation
import Glibc

/// How busy the machine is while a test measures time: a bound in time has to grow with it.
package enum MachineLoad {
    /// Runnable threads for each core over the last minute, at least 1.
    package static var factor: Double {
        var averages = [0.0, 0.0, 0.0]
        guard getloadavg(&averages, 3) == 3 else { return 1 }
        return max(1, averages[0] / Double(max(1, ProcessInfo.processInfo.activeProcessorCount)))
    }
}
