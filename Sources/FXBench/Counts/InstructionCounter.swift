import Foundation
import TestSupport

/// The instructions of a gateway's event loop, counted by callgrind, in which the gateway runs.
///
/// Only what runs below libevent's loop is counted: the other threads are the refresher's and the caller's.
struct InstructionCounter {
    let process: pid_t
    /// What callgrind's files begin with.
    private let files: String
    private var dumps = 0

    init(process: pid_t, files: String) {
        self.process = process
        self.files = files
    }

    /// The words that run a program so that it can be counted; it must have no debug information, which valgrind 3.19
    /// can't read in a Swift program.
    static func program(_ stripped: String, files: String) -> [String] {
        [
            "valgrind", "--tool=callgrind", "--callgrind-out-file=\(files)", "--collect-atstart=no",
            "--toggle-collect=event_base_loop", stripped,
        ]
    }

    /// Instructions since the call before, or since the start.
    mutating func take(directory: String) async throws -> Int {
        let log = URL(fileURLWithPath: "\(directory)/vgdb-\(UInt64.random(in: 0...UInt64.max)).log")
        let vgdb = try ChildProcess("vgdb", ["--pid=\(process)", "dump"], output: log)
        _ = await eventually(within: .seconds(20)) { vgdb.status != nil }
        guard vgdb.status == 0 else {
            vgdb.stop()
            throw CountsError.tool("vgdb", said: vgdb.text)
        }
        dumps += 1
        let path = "\(files).\(dumps)"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(separator: "\n").last(where: { $0.hasPrefix("totals: ") }),
            let total = Int(line.dropFirst("totals: ".utf8.count))
        else { throw CountsError.badFile(path, "callgrind has told no total") }
        return total
    }
}
