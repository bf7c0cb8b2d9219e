internal import Glibc

/// Why a server can't start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// Neither `ipv4:port`, `[ipv6]:port` nor `unix:path` with a path that fits a socket address.
    case badAddress(String)
    /// The kernel refuses to listen there; `errno` as it was left.
    case cannotListen(address: String, errno: Int32)
    /// A loop has ended, or can't watch the listener.
    case loopUnusable(name: String)
    /// `start` was called before.
    case alreadyStarted

    package var description: String {
        switch self {
        case .badAddress(let text): "'\(text)' is no address: use ipv4:port, [ipv6]:port or unix:path"
        case .cannotListen(let address, let code):
            "cannot listen on \(address): \(String(cString: strerror(code)))"
        case .loopUnusable(let name): "event loop '\(name)' cannot serve"
        case .alreadyStarted: "the server was already started"
        }
    }
}
