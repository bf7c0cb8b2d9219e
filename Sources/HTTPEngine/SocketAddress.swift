internal import Glibc

/// Where a server listens: an IP address with a port, or a path.
///
/// Names are not looked up.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case ipv4(host: String, port: UInt16)
        case ipv6(host: String, port: UInt16)
        case unix(path: String)
    }

    let kind: Kind

    private init(kind: Kind) { self.kind = kind }

    /// Parses `127.0.0.1:8080`, `[::1]:8080`, `unix:/run/fxgateway.sock`; port 0 lets the kernel choose.
    package init(parsing text: String) throws(HTTPServerError) {
        if text.hasPrefix("unix:") {
            try self.init(path: String(text.dropFirst(5)))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...])
        else {
            throw .badAddress(text)
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if !isBracketed, host.contains(":") { throw .badAddress(text) }
        try self.init(host: isBracketed ? String(host.dropFirst().dropLast()) : String(host), port: port)
    }

    /// An IPv4 or IPv6 address in text, without brackets.
    package init(host: String, port: UInt16) throws(HTTPServerError) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, host, &v4) == 1 {
            self.init(kind: .ipv4(host: host, port: port))
        } else if inet_pton(AF_INET6, host, &v6) == 1 {
            self.init(kind: .ipv6(host: host, port: port))
        } else {
            throw .badAddress(host)
        }
    }

    /// A socket in the file system; at most 107 bytes.
    package init(path: String) throws(HTTPServerError) {
        guard !path.isEmpty, path.utf8.count < Self.pathCapacity, !path.utf8.contains(0) else {
            throw .badAddress(path)
        }
        self.init(kind: .unix(path: path))
    }

    /// As it would be parsed again.
    package var description: String {
        switch kind {
        case .ipv4(let host, let port): "\(host):\(port)"
        case .ipv6(let host, let port): "[\(host)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    var isUnix: Bool { if case .unix = kind { true } else { false } }

    /// The same address with another port; a path has none.
    func with(port: UInt16) -> SocketAddress {
        switch kind {
        case .ipv4(let host, _): SocketAddress(kind: .ipv4(host: host, port: port))
        case .ipv6(let host, _): SocketAddress(kind: .ipv6(host: host, port: port))
        case .unix: self
        }
    }

    var family: Int32 {
        switch kind {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    private static let pathCapacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    private static func port(_ text: Substring) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return UInt16(text)
    }

    /// Hands the kernel's form of the address to `body`.
    func withKernelForm<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        switch kind {
        case .ipv4(let host, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            return Self.lend(&address, body)
        case .ipv6(let host, let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return Self.lend(&address, body)
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return Self.lend(&address, body)
        }
    }

    private static func lend<A, T>(_ address: inout A, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T
    {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<A>.size))
            }
        }
    }

    /// The port a descriptor is bound to; 0 for a path.
    static func boundPort(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer)
            guard getsockname(descriptor, raw.assumingMemoryBound(to: sockaddr.self), &length) == 0 else {
                return 0
            }
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                return UInt16(bigEndian: raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port)
            case AF_INET6:
                return UInt16(bigEndian: raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_port)
            default: return 0
            }
        }
    }

    /// The address of a connection's other end, without its port.
    static func peer(of descriptor: Int32) -> String {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer)
            guard getpeername(descriptor, raw.assumingMemoryBound(to: sockaddr.self), &length) == 0 else {
                return ""
            }
            let family = Int32(pointer.pointee.ss_family)
            let source: UnsafeMutableRawPointer
            switch family {
            case AF_INET: source = raw + MemoryLayout<sockaddr_in>.offset(of: \.sin_addr, or: 4)
            case AF_INET6: source = raw + MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr, or: 8)
            default: return "unix"
            }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
                guard let start = text.baseAddress,
                    inet_ntop(family, source, start, socklen_t(INET6_ADDRSTRLEN)) != nil
                else { return "" }
                return String(cString: start)
            }
        }
    }
}

extension MemoryLayout {
    /// The offset of a stored property; `fallback` if the compiler can't tell.
    fileprivate static func offset(of path: PartialKeyPath<T>, or fallback: Int) -> Int {
        offset(of: path) ?? fallback
    }
}
