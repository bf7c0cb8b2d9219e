import Glibc

/// A blocking connection to a Redis server, independent of what is tested: one command, one reply, as text.
///
/// For one thread at a time. A reply that doesn't come within two seconds is an error.
package final class RedisServerSession {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a unix socket.
    package init(socketPath: String) throws(RedisServerProblem) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .noSocket(errno: errno) }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: Array(socketPath.utf8.prefix(path.count - 1)))
        }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else {
            let problem = errno
            Glibc.close(descriptor)
            throw .noSocket(errno: problem)
        }
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Sends one command and returns its reply.
    ///
    /// Strings as they are, arrays one element a line, nil as `(nil)`, errors with their leading `-`.
    @discardableResult
    package func send(_ arguments: [String]) throws(RedisServerProblem) -> String {
        var text = "*\(arguments.count)\r\n"
        for argument in arguments { text += "$\(argument.utf8.count)\r\n\(argument)\r\n" }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .noAnswer }
            rest = rest.dropFirst(count)
        }
        return try reply()
    }

    /// The next reply or, after MONITOR, the next line.
    package func reply() throws(RedisServerProblem) -> String {
        let line = try readLine()
        let rest = String(line.dropFirst())
        switch line.first {
        case "$":
            guard let count = Int(rest), count >= 0 else { return "(nil)" }
            let bytes = try read(count + 2)
            return String(decoding: bytes.dropLast(2), as: UTF8.self)
        case "*":
            guard let count = Int(rest), count >= 0 else { return "(nil)" }
            var parts: [String] = []
            for _ in 0..<count { parts.append(try reply()) }
            return parts.joined(separator: "\n")
        case "-": return line
        default: return rest
        }
    }

    private func readLine() throws(RedisServerProblem) -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = buffer[..<end].dropLast()
                let text = String(decoding: line, as: UTF8.self)
                buffer.removeFirst(end + 1)
                return text
            }
            try fill()
        }
    }

    private func read(_ count: Int) throws(RedisServerProblem) -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private func fill() throws(RedisServerProblem) {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw .noAnswer }
        buffer += chunk[..<count]
    }
}
