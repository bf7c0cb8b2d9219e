import Glibc

@testable import HTTPEngine

/// The engine's own listening sockets, for tests that look at their options.
enum Listening {
    static func open() throws -> Int32 {
        try Listener.open(SocketAddress(parsing: "127.0.0.1:0"), backlog: 16, isShared: false)
    }

    static func port(of descriptor: Int32) -> UInt16 { SocketAddress.boundPort(of: descriptor) }

    static func option(_ descriptor: Int32, _ level: Int32, _ name: Int32) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, level, name, &value, &length)
        return value
    }
}
