import Glibc

/// The few socket calls that tests need, on loopback.
package enum TCPProxySocket {
    /// A listener on 127.0.0.1 and its port.
    ///
    /// Port 0 takes a free one.
    package static func listen(port: Int = 0) throws(RedisServerProblem) -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .noSocket(errno: errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = loopback(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(descriptor, generic, length) == 0, Glibc.listen(descriptor, 128) == 0 else {
                    return errno
                }
                return getsockname(descriptor, generic, &length) == 0 ? 0 : errno
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw .noSocket(errno: code)
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A port of this test process alone that nobody listens on.
    package static func freePort() throws(RedisServerProblem) -> Int {
        if let port = TestPorts.next() { return port }
        let (descriptor, port) = try listen()
        close(descriptor)
        return port
    }

    /// Connects, blocking: on loopback that takes no time.
    package static func connect(port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = loopback(port)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    package static func setNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Closes it so that the peer gets a reset.
    package static func reset(_ descriptor: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}
