internal import Glibc

/// Makes listening sockets.
///
/// What is set on them here, each accepted connection inherits.
enum Listener {
    /// A socket that listens on `address`, doesn't block and isn't inherited by other programs.
    ///
    /// If `isShared`, several may listen on one IP address and port: the kernel deals connections out among them.
    static func open(
        _ address: SocketAddress, backlog: Int, isShared: Bool
    ) throws(HTTPServerError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { throw .cannotListen(address: address.description, errno: errno) }
        if case .unix(let path) = address.kind {
            removeStale(address, path: path)
        } else {
            set(descriptor, SOL_SOCKET, SO_REUSEADDR)
            if isShared { set(descriptor, SOL_SOCKET, SO_REUSEPORT) }
            set(descriptor, SOL_SOCKET, SO_KEEPALIVE)
            set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
            // One address, one family: `[::]` doesn't take IPv4 along unasked.
            if address.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        }
        let isBound = address.withKernelForm { bind(descriptor, $0, $1) == 0 }
        guard isBound, listen(descriptor, Int32(backlog)) == 0 else {
            let code = errno
            close(descriptor)
            throw .cannotListen(address: address.description, errno: code)
        }
        return descriptor
    }

    /// Makes sure that nobody listens on an IP address yet.
    ///
    /// Sockets that share an address would share it with another process of the same user, too: a second server would
    /// take half of the first one's connections and nobody would be told.
    static func checkFree(_ address: SocketAddress) throws(HTTPServerError) {
        guard !address.isUnix else { return }
        let probe = socket(address.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { throw .cannotListen(address: address.description, errno: errno) }
        defer { close(probe) }
        set(probe, SOL_SOCKET, SO_REUSEADDR)
        if address.family == AF_INET6 { set(probe, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        guard address.withKernelForm({ bind(probe, $0, $1) == 0 }) else {
            throw .cannotListen(address: address.description, errno: errno)
        }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Removes a socket that a dead process has left; never a file of another kind, never one that is listened on.
    private static func removeStale(_ address: SocketAddress, path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let probe = socket(AF_UNIX, type, 0)
        guard probe >= 0 else { return }
        defer { close(probe) }
        let isRefused = address.withKernelForm { connect(probe, $0, $1) != 0 && errno == ECONNREFUSED }
        if isRefused { unlink(path) }
    }
}
