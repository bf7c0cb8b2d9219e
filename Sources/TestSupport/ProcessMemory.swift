import Foundation

/// What a process of this machine holds, read from the kernel.
package enum ProcessMemory {
    /// Resident bytes of a process (this one unless given); 0 if it has gone.
    package static func residentBytes(of process: Int32? = nil) -> Int {
        let place = process.map(String.init) ?? "self"
        guard let text = try? String(contentsOfFile: "/proc/\(place)/statm", encoding: .utf8) else {
            return 0
        }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// How many descriptors a process has open; 0 if it has gone.
    package static func descriptors(of process: Int32) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
    }
}
