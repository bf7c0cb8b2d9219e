import Foundation
import TestSupport

/// The system calls of one thread while it is watched by strace.
struct SyscallTrace {
    private let strace: ChildProcess
    private let summary: String

    /// Calls by name.
    typealias Calls = [String: Int]

    /// Attaches to a thread.
    static func attached(to thread: LoopThread, directory: String) async throws -> SyscallTrace {
        let name = "\(directory)/strace-\(UInt64.random(in: 0...UInt64.max))"
        let strace = try ChildProcess(
            "strace", ["-c", "-o", name, "-p", "\(thread.identifier)"],
            output: URL(fileURLWithPath: "\(name).log"))
        let isAttached = await eventually(within: .seconds(10)) {
            strace.text.contains("attached") || strace.status != nil
        }
        guard isAttached, strace.status == nil else {
            strace.stop()
            throw CountsError.tool("strace", said: strace.text)
        }
        return SyscallTrace(strace: strace, summary: name)
    }

    /// Lets go of the thread and tells what it has called.
    func end() async throws -> Calls {
        strace.signal(SIGINT)
        _ = await eventually(within: .seconds(10)) { strace.status != nil }
        guard strace.status != nil, let text = try? String(contentsOfFile: summary, encoding: .utf8) else {
            strace.stop()
            throw CountsError.tool("strace", said: strace.text)
        }
        var calls: Calls = [:]
        for line in text.split(separator: "\n") {
            // Share, seconds, time a call, calls, errors where there were any, name.
            let parts = line.split(separator: " ")
            guard parts.count >= 5, let count = Int(parts[3]), let name = parts.last, name != "total" else {
                continue
            }
            calls[String(name)] = count
        }
        return calls
    }
}
