import Glibc

/// One request to a running gateway, for the commands that ask one.
///
/// Blocks until the answer is there or the time is over: not for an event loop's thread.
struct GatewayCall {
    let address: ListenAddress
    let method: String
    /// The path with its query, already encoded.
    let target: String
    var token: Secret?
    /// The longest time for connecting, and for each wait on the socket.
    var limitSeconds = 10

    /// No answer of the gateway holds more.
    private static let mostBytes = 4 * 1_024 * 1_024

    /// Why there is no answer.
    enum Problem: Error, Equatable, CustomStringConvertible {
        case nobodyThere(String)
        case takesNoRequest(String)
        case noAnswer(String, seconds: Int)

        var description: String {
            switch self {
            case .nobodyThere(let address): "nothing answers at \(address)"
            case .takesNoRequest(let address): "\(address) takes no request"
            case .noAnswer(let address, let seconds): "\(address) gives no whole answer in \(seconds) s"
            }
        }
    }

    /// Sends it on a connection of its own and reads the answer to its end.
    func send() throws(Problem) -> GatewayReply {
        guard let descriptor = connected() else { throw .nobodyThere("\(address)") }
        defer { close(descriptor) }
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if method == "POST" { head += "Content-Length: 0\r\n" }
        if let token { head += "Authorization: Bearer \(token.reveal())\r\n" }
        let request = Array((head + "\r\n").utf8)
        guard Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw .takesNoRequest("\(address)")
        }
        guard let reply = GatewayReply(Self.bytes(of: descriptor)) else {
            throw .noAnswer("\(address)", seconds: limitSeconds)
        }
        return reply
    }

    private static func bytes(of descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < mostBytes {
            let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
            }
            guard !chunk.isEmpty else { break }
            bytes += chunk
        }
        return bytes
    }

    /// A connected socket whose reads and writes end in time; nil if nobody listens.
    private func connected() -> Int32? {
        let family: Int32
        switch address {
        case .unix: family = AF_UNIX
        case .tcp(let host, _): family = host.contains(":") ? AF_INET6 : AF_INET
        }
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: limitSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        guard isConnected(descriptor) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private func isConnected(_ descriptor: Int32) -> Bool {
        switch address {
        case .unix(let path):
            var target = sockaddr_un()
            target.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &target.sun_path) {
                $0.copyBytes(from: path.utf8.prefix($0.count - 1))
            }
            return Self.connect(descriptor, &target)
        case .tcp(let host, let port) where host.contains(":"):
            var target = sockaddr_in6()
            target.sin6_family = sa_family_t(AF_INET6)
            target.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host == "::" ? "::1" : host, &target.sin6_addr)
            return Self.connect(descriptor, &target)
        case .tcp(let host, let port):
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = port.bigEndian
            inet_pton(AF_INET, host == "0.0.0.0" ? "127.0.0.1" : host, &target.sin_addr)
            return Self.connect(descriptor, &target)
        }
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
    }
}
