import CacheLayer
import Glibc

/// What the kernel tells of a process: since when, how much time and memory, how many threads.
///
/// By proc(5); nil where a figure is missing. A pure reading of the files' texts.
struct ProcessFigures: Hashable, Sendable {
    let start: UnixMilliseconds?
    /// User and system time together.
    let cpu: Duration?
    let residentBytes: Int64?
    let threads: Int64?

    /// `stat` is the process's own line, `system` the text of `/proc/stat`; ticks are those of `sysconf(_SC_CLK_TCK)`.
    init(stat: String, system: String, ticksPerSecond: Int64, pageBytes: Int64) {
        // The name in parentheses may hold blanks and parentheses: what follows the last one is in fixed places.
        let fields =
            stat.split(separator: ")").last?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        func field(_ number: Int) -> Int64? {
            // Numbered as in proc(5); the third is the first after the name.
            fields.indices.contains(number - 3) ? Int64(fields[number - 3]) : nil
        }
        func milliseconds(_ ticks: Int64) -> Int64 { ticks * 1_000 / max(1, ticksPerSecond) }
        let boot = system.split(separator: "\n").first { $0.hasPrefix("btime ") }
            .flatMap { Int64($0.dropFirst("btime ".count)) }
        if let boot, let ticks = field(22) {
            start = UnixMilliseconds(boot * 1_000 + milliseconds(ticks))
        } else {
            start = nil
        }
        if let user = field(14), let kernel = field(15) {
            cpu = .milliseconds(milliseconds(user + kernel))
        } else {
            cpu = nil
        }
        threads = field(20)
        residentBytes = field(24).map { $0 * pageBytes }
    }

    /// Those of this process, now.
    static func current() -> ProcessFigures {
        ProcessFigures(
            stat: text(of: "/proc/self/stat"), system: text(of: "/proc/stat"),
            ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))), pageBytes: Int64(sysconf(Int32(_SC_PAGESIZE)))
        )
    }

    private static let mostBytes = 256 * 1_024

    /// A file's text, at most 256 KiB of it; empty if it can't be read.
    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < mostBytes {
            let chunk = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            guard !chunk.isEmpty else { break }
            bytes += chunk
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
