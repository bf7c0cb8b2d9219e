import Foundation

/// The one event loop's thread of a gateway, as the kernel and the preloaded counter see it.
struct LoopThread {
    let process: pid_t
    let identifier: pid_t
    /// Where the counter keeps its records.
    private let counts: String

    /// Finds it by its name.
    init(of process: pid_t, counts: String) throws(CountsError) {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let found = tasks.compactMap { pid_t($0) }.first { task in
            (try? String(contentsOfFile: "/proc/\(process)/task/\(task)/comm", encoding: .utf8)) == "http-0\n"
        }
        guard let found else { throw .tool("fxgateway", said: "it has no thread http-0") }
        self.process = process
        identifier = found
        self.counts = counts
    }

    /// Its allocations so far.
    func allocations() throws(CountsError) -> (count: Int, bytes: Int) {
        guard let data = FileManager.default.contents(atPath: counts) else {
            throw .badFile(counts, "the preloaded counter has written nothing")
        }
        let words = data.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
        for index in stride(from: 0, to: words.count - 2, by: 3) where words[index] == UInt64(identifier) {
            return (Int(words[index + 1]), Int(words[index + 2]))
        }
        throw .badFile(counts, "no record of the thread \(identifier)")
    }

    /// Its CPU time so far, in nanoseconds.
    var cpu: Int {
        let text = try? String(
            contentsOfFile: "/proc/\(process)/task/\(identifier)/schedstat", encoding: .utf8)
        return text?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
}
