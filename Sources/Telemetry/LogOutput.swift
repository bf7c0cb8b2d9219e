import Glibc

/// Where log lines go, without ever waiting for whoever reads them.
///
/// A pipe or socket whose reader has stopped (a log collector that hangs) would hold up every thread that logs, and event
/// loops log as well. Such a line is dropped and counted instead. Safe from any thread: a line is one call to the system.
package final class LogOutput: Sendable {
    /// How the descriptor is kept from waiting.
    private enum Kind { case plain, pipe, socket }

    /// The process's standard output.
    package static let standard = LogOutput(STDOUT_FILENO)

    /// Lines that were dropped, whole or from somewhere on, since the reader did not keep up.
    package let dropped = Counter()
    private let descriptor: Int32
    private let kind: Kind

    /// A pipe is made non-blocking, which holds for all that share this end of it; a file or terminal is left as it is.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            kind = .plain
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFIFO:
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            kind = .pipe
        case S_IFSOCK: kind = .socket
        default: kind = .plain
        }
    }

    /// Writes one line in one call; what the system doesn't take at once is dropped.
    package func write(_ line: [UInt8]) {
        let written = line.withUnsafeBytes { bytes in
            switch kind {
            case .socket: send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            case .plain, .pipe: Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
        }
        if written < line.count { dropped.add() }
    }
}
