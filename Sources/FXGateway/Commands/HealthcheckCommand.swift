import Glibc

/// `fxgateway healthcheck`: asks the gateway at its own address, as container platforms do.
///
/// Blocks for at most a few seconds: not for an event loop's thread.
enum HealthcheckCommand {
    /// A gateway answers this from memory; one that takes longer isn't healthy.
    private static let limitSeconds = 2

    /// Asks `/healthz`, or `/readyz` with `isReady`.
    ///
    /// `.success` for a 200, `.failure` for any other answer, `.unavailable` if there is none in time.
    ///
    /// - Parameters:
    ///   - address: what the gateway was told to listen on; an unspecified address is asked on loopback.
    ///   - isReady: whether to ask for readiness.
    ///   - complain: takes what belongs on standard error.
    /// - Returns: how the process ends.
    static func run(_ address: ListenAddress, isReady: Bool, complain: (String) -> Void) -> ExitCode {
        guard let descriptor = connect(address) else {
            complain("nothing answers at \(address)")
            return .unavailable
        }
        defer { close(descriptor) }
        let path = isReady ? "/readyz" : "/healthz"
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            complain("\(address) takes no request")
            return .unavailable
        }
        let line = statusLine(descriptor)
        guard line.hasPrefix("HTTP/1.1 ") else {
            complain("\(address) gives no answer in \(limitSeconds) s")
            return .unavailable
        }
        guard line.hasPrefix("HTTP/1.1 200 ") else {
            complain("\(path): \(line.dropFirst(9))")
            return .failure
        }
        return .success
    }

    private static func statusLine(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while bytes.count < 512, !bytes.contains(UInt8(ascii: "\r")) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// A connected socket whose reads and writes end in time; nil if nobody listens.
    private static func connect(_ address: ListenAddress) -> Int32? {
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
        guard isConnected(descriptor, to: address) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func isConnected(_ descriptor: Int32, to address: ListenAddress) -> Bool {
        switch address {
        case .unix(let path):
            var target = sockaddr_un()
            target.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &target.sun_path) {
                $0.copyBytes(from: path.utf8.prefix($0.count - 1))
            }
            return connect(descriptor, &target)
        case .tcp(let host, let port) where host.contains(":"):
            var target = sockaddr_in6()
            target.sin6_family = sa_family_t(AF_INET6)
            target.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host == "::" ? "::1" : host, &target.sin6_addr)
            return connect(descriptor, &target)
        case .tcp(let host, let port):
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = port.bigEndian
            inet_pton(AF_INET, host == "0.0.0.0" ? "127.0.0.1" : host, &target.sin_addr)
            return connect(descriptor, &target)
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
