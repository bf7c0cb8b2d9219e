import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The socket calls of a raw server that differ between systems or need unsafe pointers.
enum LoopbackSocket {
    #if canImport(Glibc)
    /// POLLRDHUP, which reports a half-closed peer too; glibc shows it to GNU sources only.
    static let hangUpEvent: Int16 = 0x2000
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    static let hangUpEvent = Int16(POLLHUP)
    private static let stream = SOCK_STREAM
    #endif

    /// A listening descriptor on 127.0.0.1 and the port the kernel chose for it.
    static func open() throws -> (Int32, Int) {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw failure() }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withSocketAddress(&address) { pointer in
            bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
        }
        guard isBound, listen(descriptor, 64) == 0 else {
            let failure = failure()
            close(descriptor)
            throw failure
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Connects once and hangs up, so that a blocked `accept` returns.
    static func knock(port: Int) {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { return }
        var address = loopback(port: UInt16(port))
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withSocketAddress(&address) { connect(descriptor, $0, length) }
        close(descriptor)
    }

    /// Sends small pieces at once and never raises SIGPIPE.
    static func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, length)
        #if canImport(Darwin)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, length)
        #endif
    }

    /// Makes `close` send RST instead of FIN.
    static func breakOffOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Writes some of the bytes; -1 with `errno` on failure.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        send(descriptor, bytes.baseAddress, bytes.count, 0)
        #endif
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocketAddress<Value>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Value
    ) -> Value {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
